"""Actions on a verdict: rate it, copy it, link to it, print it, or flip it by a move of sliders."""

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from core.case import MAX_QUERY, Trace
from core.check import Check
from core.checks import all_thresholds
from core.decide import Verdict
from core.decide.flips import Outlook, outlook
from core.decide.points import Move
from core.decide.sensitivity import MEASURE
from core.platform.access import may
from core.reply.display_rounding import threshold_value
from core.reports import file_name
from core.thresholds import Preset
from core.words import joined
from pages.components.shared.limits import chosen_preset, move_sliders
from pages.components.shared.presets import link_dialog
from pages.components.shared.question_state import ask_form, fill_form, leave_conversation, sensitivity_of
from pages.components.shared.resources import shared_journal
from pages.components.shared.safe_display import plain
from pages.components.shared.session import ASK

if TYPE_CHECKING:
    from core.graph import Explorer

_copy = st.components.v2.component(
    "guardrail.copy", html='<button class="copy">Copy</button>', isolate_styles=False,
    js=Path(__file__).with_name("copy.js").read_text("utf-8"),
)  # fmt: skip
MAX_SUBJECT = 80
"""Maximum characters of a subject in a link."""
TURNED = {True: "answered", False: "refused"}
"""The outcome of a question after a change of sliders, in one word, by whether it would be answered."""
MAX_NAMES = 3
"""Maximum checks that are named; of more, only the number is shown."""


def flip_box(trace: Trace, preset: Preset) -> None:
    """Draw the smallest move of sliders that flips the verdict, or the checks that prevent a flip.

    If there is a smaller move whose outcome is not measured yet, draw that move too. For an answer that goes out, draw
    it only once a light is open.
    """
    result = outlook(sensitivity_of(trace), preset)
    if result.ends == MEASURE or (result.ends.startswith("deliver") and not (ASK.light.value or ASK.check.value)):
        return
    offers = []
    if result.flip:
        offers.append((flip_text(result), "Apply" if len(result.flip.moves) == 1 else "Apply both", result.flip.moves))
    if result.unmeasured:
        offers.append((unmeasured_text(result), "Apply and search again", (result.unmeasured,)))
    for text, label, moves in offers:
        st.caption(text, width="content")
        st.button(
            label, key=f"flip {label}", icon=":material/tune:", type="tertiary", on_click=move_sliders,
            args=({m.key: m.new for m in moves},), help=plain(", ".join(m.key for m in moves)),
        )  # fmt: skip
    if not offers:
        st.caption(stuck_text(result))


def flip_text(result: Outlook) -> str:
    """The move that flips the verdict, as Markdown. If it needs two sliders, the text also names the checks that would
    still block if only one of the two is moved."""
    flip = result.flip
    text = f"To get this question {TURNED[flip.answered]}, {' **and** '.join(map(move_text, flip.moves))}"
    pairs = zip(flip.moves, flip.still, strict=False)  # `still` is empty for one move
    alone = "; ".join(
        f"with {plain(all_thresholds()[move.key].label)} alone, {checks_text(names)}" for move, names in pairs if names
    )
    return f"{text}  \n:gray[{alone}]" if alone else text


def move_text(move: Move) -> str:
    """A move of one slider as Markdown: "raise" or "lower", its label, old value and new value."""
    t = all_thresholds()[move.key]
    old, new = threshold_value(t, move.old), threshold_value(t, move.new)
    return f"{'raise' if move.new > move.old else 'lower'} **{plain(t.label)} from {plain(old)} to {plain(new)}**"


def stuck_text(result: Outlook) -> str:
    """A sentence as Markdown: that no move of one or two sliders flips the verdict, and which checks prevent it."""
    is_delivered = result.ends.startswith("deliver")
    cause = f": {checks_text(result.blocking)}" if result.blocking and not is_delivered else ""
    return f":gray[Moving one or two limits would not get this question {TURNED[not is_delivered]}{cause}.]"


def unmeasured_text(result: Outlook) -> str:
    """A sentence as Markdown: the smallest move whose outcome is only known after another search."""
    move = move_text(result.unmeasured)
    if result.flip:
        return f"A smaller change might work, but only a new search can tell: {move}"
    turned = TURNED[not result.ends.startswith("deliver")]
    return f"This change might get the question {turned}, but only a new search can tell: {move}"


def checks_text(names: tuple[str, ...]) -> str:
    """That these checks fail: "the check A fails", "the checks A and B fail", or with more than MAX_NAMES only their
    number."""
    quotations = [f"“{plain(Check.registry[name].plain)}”" for name in names]
    if len(quotations) > MAX_NAMES:
        return f"{len(quotations)} checks fail"
    names_text = joined(quotations, "and")
    return f"the check {names_text} fails" if len(quotations) == 1 else f"the checks {names_text} fail"


def actions(trace: Trace, verdict: Verdict, preset: Preset, explorer: "Explorer") -> None:
    """Draw Copy, Link and Print in one row, and below them the review of the decision, if the user may rate it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="actions"):
        _copy(key="copy", data={"text": verdict.answer}, width="content")
        link_help = "A link that opens this question in this app"
        if st.button("Link", key="link", icon=":material/link:", type="tertiary", help=link_help):
            link_dialog(link_to(trace))
        st.download_button(
            "Print", partial(report_of, trace, verdict, preset, explorer),
            file_name("report", trace.question.query), "text/html", key="report", icon=":material/print:",
            type="tertiary", on_click="ignore",
            help="One page with everything about this question, to send, or to print as PDF.",
        )  # fmt: skip
    decision = ASK.decision.value
    if decision and decision.question is not None and may("journal"):
        from pages.components.shared.review import review

        review(shared_journal(), decision)


def link_to(trace: Trace) -> dict[str, str]:
    """The parameters of an address that asks this question; without the answer that was pasted."""
    scope = trace.question.scope
    fields = {"question": trace.question.query, "class_number": str(scope.class_number or ""), "subject": scope.subject}
    return {name: text for name, text in fields.items() if text}


def open_linked_question() -> None:
    """Ask the question of the link that opened the page, once. A class that does not exist is left out."""
    if not (query := st.query_params.get("question", "")[:MAX_QUERY].strip()):
        return
    from core.banks.row import CLASSES

    named, subject = st.query_params.get("class_number", ""), st.query_params.get("subject", "")
    number = next((number for number in CLASSES if str(number) == named), 0)
    for name in ("question", "class_number", "subject"):
        st.query_params.pop(name, None)
    leave_conversation()
    fill_form(question=query, class_number=number, subject=subject[:MAX_SUBJECT])
    ask_form()


def report_of(trace: Trace, verdict: Verdict, preset: Preset, explorer: "Explorer") -> str:
    """The report of a question as HTML, dated now; its pages are drawn when it is downloaded."""
    from core.reports.page_pictures import page_pictures
    from core.reports.question_report import page

    settings = explorer.settings
    return page(
        trace=trace, verdict=verdict, preset=preset, base=chosen_preset(), date=time.strftime("%Y-%m-%d %H:%M"),
        made_with={"passages fetched": str(settings.passages_fetched), "domain": settings.domain},
        pictures=page_pictures(verdict, explorer.library),
    )  # fmt: skip
