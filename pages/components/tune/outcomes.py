"""What a bank comes to, the top of the Tune page: sentences, grid, curve, changed questions and refusals by reason."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from core.banks.scored_bank import Tally, ValuedBank
from core.chain import REASONS
from core.checks import all_thresholds
from core.evaluation.cases import Labelled
from core.evaluation.outcomes import Rate
from core.settings import Settings
from core.thresholds import Preset
from pages.components.shared.figure import picture
from pages.components.shared.limits import current_preset, follow
from pages.components.shared.page_setup import let_in
from pages.components.shared.safe_display import counted, plain
from pages.components.shared.session import CURVE, value
from pages.components.shared.sidebar import DECIDED, label
from pages.components.tune.bank import View, share
from pages.components.tune.changed_questions import changed_table, heading
from pages.components.tune.pictures import pictures
from pages.components.tune.tradeoffs import curve_picture


@st.fragment(key=DECIDED)
def decided(bank: ValuedBank, using: tuple[str, Settings], seen: Callable[[Preset, str], View]) -> None:
    """All that limits decide of a bank and that is always drawn: drawn again alone when one was moved.

    seen: what becomes of the bank under limits, with the curve of the threshold of this key.
    """
    let_in()
    follow(CURVE)  # the curve is that of the slider that was moved last, or of what was chosen since
    preset, key = current_preset(), value(CURVE)
    now = seen(preset, key)
    top(bank.cases, now, using)
    pictures(bank, preset, key, now.spread, using[0])


def top(cases: Sequence[Labelled], now: View, using: tuple[str, Settings]) -> None:
    """Counts, grid, curve, and the questions that changed."""
    came, drawn = st.columns([5, 6], gap="medium")
    with came:
        counts(now.now, now.before, now.unmeasured)
    with drawn:
        st.selectbox(
            "Curve of", list(all_thresholds()), key=CURVE, format_func=lambda key: label(all_thresholds()[key]),
            help="It follows the slider that you moved last",
        )  # fmt: skip
        picture(curve_picture(now.curve, float(value(now.curve.key))))
    st.subheader(heading(now.changes), anchor=False)
    if not now.changes:
        st.caption("Move a slider, or a check's mode: the questions that then end otherwise stand here.")
    changed_table("changed", cases, now.changes, using, "Under the preset", "Now")
    if now.amiss and (box := _opened(f"{counted(len(now.amiss), 'question')} not as it should be", "rule", "amiss")):
        with box:
            changed_table("amiss", cases, now.amiss, using, "", "Now")
    if box := _opened("Refusals by reason", "list", "refusals"):
        with box:
            refusals(now.inside, now.outside)


def _opened(title: str, icon: str, key: str) -> Any:
    """An expander while it is open: what nobody looks at is neither drawn nor sent."""
    box = st.expander(title, icon=f":material/{icon}:", key=key, on_change="rerun")
    return box if box.open else None


ROWS = ("should be answered", "should not")
COLUMNS = ("Question", "answered", "refused or asked back", "not measured yet")
_SIGNS = "✓ as it should be, ✗ not, ○ cannot be said; in brackets what is more or less than under the preset."


def counts(now: Tally, before: Tally, unmeasured: tuple[int, int]) -> None:
    """The sentences and the grid. before: the preset as it was picked; unmeasured: cases of each row of the grid."""
    st.markdown("  \n".join(sentences(now)))
    cells = grid(now, before, unmeasured)
    lines = [COLUMNS, ["---"] * len(COLUMNS), *([name, *row] for name, row in zip(ROWS, cells, strict=True))]
    st.markdown("\n".join(f"| {' | '.join(line)} |" for line in lines))
    st.caption(_SIGNS)


def sentences(t: Tally) -> list[str]:
    """The outcome in plain words, each share with its n and its 95 % interval."""
    found = []
    if t.due:
        fair = f", **{t.fair}** in part or at length" if t.fair else ""
        found.append(
            f"Of **{t.due}** that should be answered: **{t.right}** right{fair}, **{t.wrong}** wrong "
            f"({share(Rate(count=t.wrong, n=t.due))}), **{t.over_refused}** refused ({share(t.over_refusal)})."
        )
    if t.others:
        held = t.held + t.fairly_held
        found.append(
            f"Of **{t.others}** {'others' if t.due else 'that should not'}: **{held}** refused or asked back, "
            f"**{t.let_out}** answered ({share(Rate(count=t.let_out, n=t.others))})."
        )
    if t.unsaid:
        found.append(
            f"{counted(t.unsaid, 'case')} not counted: these limits lead to a search that was never measured, the "
            "question could not be asked, or no label says what is right."
        )
    return found or ["No case can be counted under these limits."]


def grid(now: Tally, before: Tally, unmeasured: tuple[int, int]) -> list[list[str]]:
    """The cells as Markdown: what stands where, with a sign of its own, and what has changed since the preset."""
    right, held = now.right + now.fair, now.held + now.fairly_held
    return [
        [
            f":green[✓ {right}]{_since(right, before.right + before.fair)} "
            f":red[✗ {now.wrong}]{_since(now.wrong, before.wrong)}",
            f":red[✗ {now.over_refused}]{_since(now.over_refused, before.over_refused)}",
            f":gray[○ {unmeasured[0]}]",
        ],
        [
            f":red[✗ {now.let_out}]{_since(now.let_out, before.let_out)}",
            f":green[✓ {held}]{_since(held, before.held + before.fairly_held)}",
            f":gray[○ {unmeasured[1]}]",
        ],
    ]


def refusals(inside: Mapping[str, int], outside: Mapping[str, int]) -> None:
    """Seed A's table: refusals by their primary reason. inside: of what should be answered; outside: of the others."""
    lines = refusal_lines(inside, outside)
    if not lines:
        st.caption("Nothing is refused under these limits.")
        return
    head = ["| Refused because | Should be answered | Should not | Of all refusals |", "|---|---:|---:|---:|"]
    st.markdown("\n".join(head + lines))


def refusal_lines(inside: Mapping[str, int], outside: Mapping[str, int]) -> list[str]:
    """A line for each reason that occurs, the most frequent first, and one for all."""
    both = {name: inside.get(name, 0) + outside.get(name, 0) for name in REASONS}
    n = sum(both.values())
    lines = []
    for name in sorted((name for name in both if both[name]), key=lambda name: -both[name]):
        reason, rate = plain(REASONS[name].rstrip(".")), Rate(count=both[name], n=n)
        lines.append(
            f"| {reason} :gray[({plain(name)})] | {inside.get(name, 0)} | {outside.get(name, 0)} "
            f"| {both[name]} ({share(rate)}) |"
        )
    return lines


def _since(now: int, before: int) -> str:
    """How many more or fewer than under the preset."""
    return f" :blue[({now - before:+d})]".replace("-", "−") if now != before else ""
