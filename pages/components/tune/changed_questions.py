"""What becomes of a bank: under the sliders beside the preset, or under another, and question by question."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.banks.scored_bank import REFUSED, UNSAID, WRONG, Tally, ValuedBank, tally
from core.chain.display_rounding import beside, number
from core.checks import check_of
from core.evaluation.cases import Labelled
from core.evaluation.outcomes import Rate
from core.graph.startup import home_folder
from core.presets import titled
from core.presets.saved import named_preset
from core.settings import Settings
from core.sweep.outcomes import OUTCOMES as ENDS
from core.sweep.outcomes import REASON_NAMES
from core.thresholds import Preset
from core.tuning.curves import Comparison, Curve, compare, curve
from core.tuning.score_distributions import Spread, spread
from pages.components.evaluate.list_table import form_of
from pages.components.shared.presets import preset_names
from pages.components.shared.question_state import Asked, open_asked
from pages.components.shared.safe_display import counted, frame_of, safe_table
from pages.components.shared.session import clicked, notes, turn_to_ask, value


@dataclass(frozen=True, kw_only=True)
class Change:
    """One case that ends otherwise than under the preset. case: its place in the bank; way: 1 better, -1 worse, 0."""

    case: int
    before: str
    after: str
    way: int


@dataclass(frozen=True, kw_only=True)
class View:
    """The sliders (`now`) against the preset as it was picked (`before`), and one threshold's curve and scores.

    unmeasured: cases that cannot be said, of those that should be answered and of the others. inside, outside: refusals
    by their primary reason, of the same two. amiss: what does not end as it should now.
    """

    now: Tally
    before: Tally
    unmeasured: tuple[int, int]
    inside: dict[str, int]
    outside: dict[str, int]
    changes: tuple[Change, ...]
    amiss: tuple[Change, ...]
    curve: Curve
    spread: Spread | None


def view(bank: ValuedBank, preset: Preset, base: Preset, key: str) -> View:
    """What becomes of `bank` under `preset`, beside `base`; key: the threshold whose curve is drawn. No model runs."""
    now, before = bank.at(preset), bank.at(base)
    decided = bank.decided_at(preset)
    unsaid = now == UNSAID
    parts = (decided.refusals(where) for where in (bank.should, ~bank.should))
    inside, outside = ({name: int(found[name][0]) for name in REASON_NAMES if name in found} for found in parts)
    return View(
        now=tally(now, bank.should), before=tally(before, bank.should), inside=inside, outside=outside,
        unmeasured=(int((unsaid & bank.should).sum()), int((unsaid & ~bank.should).sum())),
        changes=changes(bank, preset, base), amiss=amiss(bank, preset), curve=curve(bank, preset, key),
        spread=spread(bank, preset, check_of(key), key.partition(".")[2]),
    )  # fmt: skip


def changes(bank: ValuedBank, preset: Preset, base: Preset) -> tuple[Change, ...]:
    """The cases with another outcome or route than under `base`: worse ones first, then better, in the bank's order."""
    found = bank.decided_at(preset).changed(bank.decided_at(base))
    ways = np.sign(bank.at(preset).astype(int) - bank.at(base).astype(int))
    told = [Change(case=c.case, before=c.before, after=c.after, way=int(ways[c.case])) for c in found]
    return tuple(sorted(told, key=lambda c: ({-1: 0, 1: 1, 0: 2}[c.way], c.case)))


def amiss(bank: ValuedBank, preset: Preset) -> tuple[Change, ...]:
    """The cases that go out wrong, then those refused wrongly, under `preset`."""
    now, ends = bank.at(preset), bank.decided_at(preset).outcomes[0]
    wrong, refused = np.flatnonzero(now == WRONG), np.flatnonzero((now == REFUSED) & bank.should)
    names = {int(case): ENDS[ends[case]] for case in (*wrong, *refused)}
    return tuple(Change(case=case, before=name, after=name, way=-1) for case, name in names.items())


def share(rate: Rate, *limits: float) -> str:
    """ "10 %, 5–18": a share with its interval. limits: shares that stand beside it, of which it keeps its side."""
    if rate.share is None:
        return "none"
    low, high = (number(100 * x, 0) for x in rate.interval)
    return f"{beside(100 * rate.share, *(100 * limit for limit in limits), least=0)} %, {low}–{high}"


WAYS = {1: "✓ better", -1: "✗ worse", 0: "○ neither"}
OUTCOMES = {
    "right_answer": "answered, right", "half_answer": "answered in part", "long_answer": "answered at length",
    "wrong_answer": "answered, wrong", "right_refusal": "refused, rightly", "over_refusal": "refused, wrongly",
    "clarified": "asked back", "escalated": "handed over", "delivered": "given out", "corrected": "given out corrected",
    "part": "given out in part", "refused": "refused", "unreadable": "not taken",
    "not measured yet": "not measured yet",
}  # fmt: skip
"""What may become of a case, in two or three words."""
_MOST_ROWS = 9


def changed_table(
    name: str, cases: Sequence[Labelled], changes: Sequence[Change], using: tuple[str, Settings], before: str, now: str
) -> None:
    """The cases, one a row. before, now: what the two settings are called; "" for a list of how they end now.

    Without any, nothing.
    """
    if not changes:
        return
    table, columns = frame(cases, changes, before, now), _columns(name, cases, changes, using)
    if not before:
        table = table.drop(columns=["Way", before])
    said = f"What ends otherwise: {before}, {now}" if before else "What does not end as it should"
    safe_table(table, f"table {name}", _MOST_ROWS, columns, said)
    turn_to_ask(f"opened from {name}")


def heading(changes: Sequence[Change]) -> str:
    """How many changed, and which way."""
    if not changes:
        return "No question ends otherwise than under the preset"
    counts = {way: sum(c.way == way for c in changes) for way in WAYS}
    ways = ", ".join(f"{n} {WAYS[way][2:]}" for way, n in counts.items() if n)
    return f"{counted(len(changes), 'question')} changed since the preset: {ways}"


def frame(cases: Sequence[Labelled], changes: Sequence[Change], before: str, now: str) -> pd.DataFrame:
    """What the table shows of these changes, in their order."""
    rows = [cases[c.case].row for c in changes]
    texts = {
        "Open": ["Open"] * len(rows), "Question": [r["query"] for r in rows], "Way": [WAYS[c.way] for c in changes],
        before: [OUTCOMES[c.before] for c in changes], now: [OUTCOMES[c.after] for c in changes],
        "Should be": [r.get("expected") or "answered" for r in rows], "Kind": [r.get("kind") or "" for r in rows],
        "Answer to judge": [r.get("answer") or "" for r in rows],
    }  # fmt: skip
    return frame_of(texts)


def asked_of(case: Labelled, using: tuple[str, Settings]) -> Asked:
    """A case as the Ask page holds it, measured as it was here."""
    scope, row = case.trace.question.scope, dict(case.row)
    pages = ", ".join(f"{a}-{b}" if a != b else str(a) for a, b in scope.pages)
    form = form_of(row) | {"documents": list(scope.documents), "pages": pages}
    if case.trace.question.answer is not None:
        form |= {"answer_by": "pasted", "pasted": case.trace.question.answer}
    return Asked(form=form, trace=case.trace, measured_with=using)


def _columns(
    name: str, cases: Sequence[Labelled], changes: Sequence[Change], using: tuple[str, Settings]
) -> dict[str, Any]:
    column = st.column_config
    return {
        "Open": column.ButtonColumn(
            "", width=72, key=f"open {name}", on_click=_open, args=(name, cases, changes, using),
            help="On the Ask page, under the thresholds as they stand",
        ),
        "Question": column.TextColumn(width=320), "Way": column.TextColumn(width=90),
    }  # fmt: skip


def _open(name: str, cases: Sequence[Labelled], changes: Sequence[Change], using: tuple[str, Settings]) -> None:
    """Show a case on the Ask page; a callback."""
    if change := clicked(f"open {name}", changes):
        open_asked(asked_of(cases[change.case], using))
        notes(f"opened from {name}")[:] = [True]


NOW = "the sliders as they stand"
_BOX = "comparing"
_SURE = 0.05


def comparison(bank: ValuedBank, preset: Preset, using: tuple[str, Settings]) -> None:
    """The two choices, and what they come to."""
    box = st.expander("Compare two presets on this bank", icon=":material/compare_arrows:", key=_BOX, on_change="rerun")
    if box.open:  # nothing is decided for what nobody looks at
        with box:
            _compared(bank, preset, using)


def comparing() -> bool:
    """True while they are looked at."""
    return bool(value(_BOX))


def _compared(bank: ValuedBank, preset: Preset, using: tuple[str, Settings]) -> None:
    names = [NOW, *preset_names()]
    with st.container(horizontal=True, gap="small"):
        first, second = (
            st.selectbox(title, names, index=place, key=title, format_func=_titled, width=240)
            for place, title in ((1, "First"), (0, "Second"))
        )
    one, other = (preset if name == NOW else named_preset(name, home_folder()) for name in (first, second))
    if first == second:
        st.caption("Choose two different ones to see where they differ.")
        return
    st.markdown("  \n".join(told_of(compare(bank, one, other), _titled(first), _titled(second))))
    changed_table("compared", bank.cases, changes(bank, other, one), using, _column(first), _column(second))


def told_of(found: Comparison, first: str, second: str) -> list[str]:
    """Both results, the questions on which only one is right, and the test."""
    lines = [
        f"**{name}**: {t.as_it_should_be.count} of {t.n} as it should be ({share(t.as_it_should_be)}), "
        f"{t.wrong + t.let_out} wrong answers, {t.over_refused} over-refused."
        for name, t in ((first, found.first), (second, found.second))
    ]
    uneven = found.only_first + found.only_second
    if not uneven:
        return [*lines, "There is no case on which only one of them is right."]
    verdict = "more than chance would do" if found.p < _SURE else "no more than chance may do"
    return [
        *lines,
        f"Of the {uneven} cases on which only one is right, {first} is right on **{found.only_first}** and {second} on "
        f"**{found.only_second}**: {verdict} (exact McNemar test, p = {_p(found.p)}).",
    ]


def _p(p: float) -> str:
    return "below 0.001" if p < 0.001 else number(p, 3)


def _titled(name: str) -> str:
    return name if name == NOW else titled(name)


def _column(name: str) -> str:
    return "Now" if name == NOW else f"{titled(name)} "  # two columns of one name are one
