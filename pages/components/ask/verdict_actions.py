"""What a person does with a verdict: turn it by the smallest move, take its report away, put it into a bank."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from core.banks.saved import JUDGED, LABELS, OWN, PARTLY, SavedBanks, label
from core.case import Trace
from core.chain import Verdict
from core.chain.display_rounding import threshold_value
from core.chain.serialization import question_row
from core.check import Check
from core.checks import all_thresholds
from core.graph.startup import home_folder
from core.platform.access import may
from core.reports.question_evidence import page_pictures
from core.reports.question_report import file_name, page
from core.sweep.counterfactuals import Flip, Outlook, outlook
from core.sweep.sensitivity import MEASURE
from core.sweep.settings_grid import Move
from core.thresholds import Preset
from pages.components.shared.limits import chosen_preset, hold, move_sliders
from pages.components.shared.question_state import sensitivity_of
from pages.components.shared.safe_display import ERRORS, plain, shortened, show, show_outcome
from pages.components.shared.session import notes, noting, value

if TYPE_CHECKING:
    from core.graph import Explorer

ARROW = ":material/arrow_right_alt:"
TURNS = {True: "answer", False: "refuse"}
"""What a change would do to the question."""
NAMED = 3
"""Checks that are named; of more only the number is said."""


def flip_box(trace: Trace, preset: Preset) -> None:
    """The smallest change that flips the verdict, what would have to be measured first, or what stands in the way."""
    found = outlook(sensitivity_of(trace), preset)
    if found.ends == MEASURE:
        return
    if found.flip:
        _offer(flip_text(found), "Move it there" if len(found.flip.moves) == 1 else "Move both", found.flip.moves)
    elif not found.unmeasured:
        st.caption(stuck_text(found))
    if found.unmeasured:
        _offer(unmeasured_text(found), "Move it and look", (found.unmeasured,))


def _offer(text: str, label: str, moves: tuple[Move, ...]) -> None:
    """A line and the button that does what it says."""
    st.caption(text, width="content")
    st.button(
        label, key=f"flip {label}", icon=":material/tune:", type="tertiary", on_click=move_sliders,
        args=({m.key: m.new for m in moves},), help=plain(", ".join(m.key for m in moves)),
    )  # fmt: skip


def flip_text(found: Outlook) -> str:
    """The change as Markdown; with two sliders, what stands in the way while only one of them is moved."""
    flip: Flip = found.flip
    lead = f"Smallest change that would {TURNS[flip.answered]} this:"
    text = f"{lead} {' **and** '.join(move_text(m) for m in flip.moves)}"
    alone = [
        f"with {plain(all_thresholds()[move.key].label)} alone, {checks_text(names)}"
        for move, names in zip(flip.moves, flip.still, strict=False) if names
    ]  # fmt: skip
    return "  \n".join([text, *[f":gray[{'; '.join(alone)} in the way]" for _ in alone[:1]]])


def move_text(move: Move) -> str:
    """One slider from where it stands to where it would go."""
    t = all_thresholds()[move.key]
    old, new = threshold_value(t, move.old), threshold_value(t, move.new)
    return f"**{plain(t.label)} {plain(old)} {ARROW} {plain(new)}**"


def stuck_text(found: Outlook) -> str:
    """That no change of the sliders helps, and the checks in the way."""
    turns = TURNS[not found.ends.startswith("deliver")]
    why = f": {checks_text(found.blocking)} in the way" if found.blocking and turns == "answer" else ""
    return f":gray[No move of one slider or of two would {turns} this{why}.]"


def unmeasured_text(found: Outlook) -> str:
    """That a change leads to where nobody has looked yet."""
    move = move_text(found.unmeasured)
    if found.flip:
        return f"A smaller one needs another look first, of which nothing is known yet: {move}"
    turns = TURNS[not found.ends.startswith("deliver")]
    return f"Might {turns} this after another look, of which nothing is known yet: {move}"


def checks_text(names: tuple[str, ...]) -> str:
    """Checks in plain words: "A stands", "A and B stand", or their number where there are many."""
    said = [f"“{plain(Check.registry[name].plain)}”" for name in names]
    if len(said) > NAMED:
        return f"{len(said)} checks stand"
    return f"{' and '.join(part for part in (', '.join(said[:-1]), said[-1]) if part)} stand{'s' * (len(said) == 1)}"


def report_button(trace: Trace, verdict: Verdict, preset: Preset, explorer: "Explorer") -> None:
    if st.button(
        "Report", key="report", icon=":material/print:",
        help="One file with everything about this question, to send, or to print as PDF.",
    ):  # fmt: skip
        _dialog(trace, verdict, preset, explorer)


@st.dialog("The report of this question", icon=":material/print:")
def _dialog(trace: Trace, verdict: Verdict, preset: Preset, explorer: "Explorer") -> None:
    st.markdown("The answer, why it came out so, the sentences with their evidence, the pages, and every limit.")
    place = st.empty()
    try:
        text = report_of(trace, verdict, preset, explorer, drawing(place.progress(0.0, "Drawing the pages …").progress))
    except ERRORS as error:
        show(error)
        return
    place.download_button(
        "Download", text, file_name(trace.question.query), "text/html", type="primary", icon=":material/download:",
        key="download report", on_click="ignore",
    )  # fmt: skip
    st.caption("It opens in any browser and needs no network. For a PDF, open it and print it.")


def report_of(
    trace: Trace, verdict: Verdict, preset: Preset, explorer: "Explorer", progress: Callable[[int, int], None]
) -> str:
    """The report of this very moment. progress: as `page_pictures` calls it."""
    settings = explorer.settings
    return page(
        trace=trace, verdict=verdict, preset=preset, base=chosen_preset(), date=time.strftime("%Y-%m-%d %H:%M"),
        made_with={"passages fetched": str(settings.passages_fetched), "house": settings.domain},
        pictures=page_pictures(verdict, explorer.library, progress),
    )  # fmt: skip


def drawing(bar: Callable[[float, str], object]) -> Callable[[int, int], None]:
    """A listener that draws on a progress bar how many pages are done, and how long the others take."""
    started = time.monotonic()

    def listen(done: int, count: int) -> None:
        left = (time.monotonic() - started) / done * (count - done) if done else 0.0
        soon = f", about {left:.0f} s left" if left >= 1 else ""
        bar(done / count, f"Drawing page {done + 1} of {count}{soon}")

    return listen


BANK, EXPECTED, BANK_BOX = "add to bank", "add as", "box of add to bank"


def add_to_bank(trace: Trace) -> None:
    """A button that opens the choice of a bank and of a label."""
    if not may("banks"):
        return
    labels = {**LABELS, **PARTLY} if trace.question.answer is None else {**JUDGED, **LABELS}
    box = st.popover("Add to bank", icon=":material/bookmark_add:", key=BANK_BOX, on_change="rerun")
    hold("banks to add to", (BANK,), (BANK,) if box.open else ())
    if box.open:  # what nobody looks at is neither drawn nor sent
        with box:
            names = list(dict.fromkeys([OWN, *SavedBanks(home_folder()).names()]))
            st.selectbox("Bank", names, key=BANK, accept_new_options=True, help="Type a name for a new one")
            st.selectbox("This question", list(labels), key=EXPECTED, format_func=labels.get)
            st.button("Add", type="primary", key="add question to bank", on_click=_add, args=(trace, labels))
    show_outcome(notes("added to bank"), notes("not added to bank"))
    notes("added to bank").clear()
    notes("not added to bank").clear()


def _add(trace: Trace, labels: dict[str, str]) -> None:
    """Put the question into the bank; a callback."""
    row, bank, expected = question_row(trace.question), value(BANK) or "", value(EXPECTED)
    with noting("not added to bank"):
        label(home_folder(), row, expected, bank)
        notes("added to bank").append(
            f"“{shortened(row['query'], 80)}” {labels[expected]}: it stands in the bank {bank}, on the Banks page."
        )
