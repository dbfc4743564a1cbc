"""The outcomes of a bank under the sliders compared with a preset, or under two presets, and the changed questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.banks.scored_bank import REFUSED, UNSAID, WRONG, Tally, ValuedBank, tally
from core.chain.display_rounding import beside, number
from core.checks import check_of
from core.evaluation.cases import LabelledCase
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
    """A case whose outcome or route changed. case: its index in the bank. way: 1 better, -1 worse, 0 neither."""

    case: int
    before: str
    after: str
    way: int


@dataclass(frozen=True, kw_only=True)
class View:
    """The bank under the sliders (`now`) and under the preset without moves (`before`), with the curve of a threshold.

    unmeasured: cases without a measured outcome, of those that should be answered and of the others. inside, outside:
    refusals by primary reason, of the same two. amiss: cases with a wrong outcome now. spread: the scores of the check
    of the threshold; None without any.
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
    """The view of `bank` under `preset` compared with `base`. key: the threshold of the curve. No model runs."""
    now, before = bank.at(preset), bank.at(base)
    decided = bank.decided_at(preset)
    is_unmeasured = now == UNSAID
    parts = (decided.refusals(selection) for selection in (bank.should, ~bank.should))
    inside, outside = ({name: int(counts[name][0]) for name in REASON_NAMES if name in counts} for counts in parts)
    return View(
        now=tally(now, bank.should), before=tally(before, bank.should), inside=inside, outside=outside,
        unmeasured=(int((is_unmeasured & bank.should).sum()), int((is_unmeasured & ~bank.should).sum())),
        changes=changes(bank, preset, base), amiss=amiss(bank, preset), curve=curve(bank, preset, key),
        spread=spread(bank, preset, check_of(key), key.partition(".")[2]),
    )  # fmt: skip


def changes(bank: ValuedBank, preset: Preset, base: Preset) -> tuple[Change, ...]:
    """The cases whose outcome or route differs from that under `base`: worse, better, then neither, in bank order."""
    differing = bank.decided_at(preset).changed(bank.decided_at(base))
    signs = np.sign(bank.at(preset).astype(int) - bank.at(base).astype(int))
    cases = [Change(case=c.case, before=c.before, after=c.after, way=int(signs[c.case])) for c in differing]
    return tuple(sorted(cases, key=lambda c: ({-1: 0, 1: 1, 0: 2}[c.way], c.case)))


def amiss(bank: ValuedBank, preset: Preset) -> tuple[Change, ...]:
    """The cases answered wrongly under `preset`, then those refused wrongly."""
    outcomes, ends = bank.at(preset), bank.decided_at(preset).outcomes[0]
    wrong, refused = np.flatnonzero(outcomes == WRONG), np.flatnonzero((outcomes == REFUSED) & bank.should)
    names = {int(case): ENDS[ends[case]] for case in (*wrong, *refused)}
    return tuple(Change(case=case, before=name, after=name, way=-1) for case, name in names.items())


def share(rate: Rate, *limits: float) -> str:
    """A share with its interval, such as "10 %, 5–18". limits: rounding keeps the share on its side of each."""
    if rate.share is None:
        return "none"
    low, high = (number(100 * x, 0) for x in rate.interval)
    return f"{beside(100 * rate.share, *(100 * limit for limit in limits), least=0)} %, {low}–{high}"


WAYS = {1: "✓ better", -1: "✗ worse", 0: "○ neither"}
OUTCOMES = {
    "right_answer": "answered, right", "half_answer": "answered in part", "long_answer": "answered at length",
    "wrong_answer": "answered, wrong", "right_refusal": "rightly refused", "over_refusal": "wrongly refused",
    "clarified": "needs clarification", "escalated": "handed over", "delivered": "given out",
    "corrected": "given out corrected", "part": "given out in part", "refused": "refused", "unreadable": "not taken",
    "not measured yet": "not measured yet",
}  # fmt: skip
"""Each outcome of a case in two or three words."""
_MOST_ROWS = 9


def changed_table(
    name: str,
    cases: Sequence[LabelledCase],
    changes: Sequence[Change],
    using: tuple[str, Settings],
    before: str,
    now: str,
) -> None:
    """Draw the changes, one a row; nothing without changes.

    before, now: the names of the two settings. With before "" the table shows only the current outcomes.
    """
    if not changes:
        return
    table, columns = frame(cases, changes, before, now), _columns(name, cases, changes, using)
    if not before:
        table = table.drop(columns=["Way", before])
    description = f"Changed outcomes: {before}, {now}" if before else "Wrong outcomes"
    safe_table(table, f"table {name}", _MOST_ROWS, columns, description)
    turn_to_ask(f"opened from {name}")


def heading(changes: Sequence[Change]) -> str:
    """The heading: how many questions changed, and in which direction."""
    if not changes:
        return "No outcomes changed"
    counts = {direction: sum(c.way == direction for c in changes) for direction in WAYS}
    parts = ", ".join(f"{n} {WAYS[direction][2:]}" for direction, n in counts.items() if n)
    return f"{counted(len(changes), 'question')} changed since the preset: {parts}"


def frame(cases: Sequence[LabelledCase], changes: Sequence[Change], before: str, now: str) -> pd.DataFrame:
    """The table of these changes, in their order."""
    rows = [cases[c.case].row for c in changes]
    texts = {
        "Open": ["Open"] * len(rows), "Question": [r["query"] for r in rows], "Way": [WAYS[c.way] for c in changes],
        before: [OUTCOMES[c.before] for c in changes], now: [OUTCOMES[c.after] for c in changes],
        "Expected": [r.get("expected") or "answered" for r in rows],
        "Kind": [(r.get("kind") or "").replace("_", " ") for r in rows],
        "Answer to judge": [r.get("answer") or "" for r in rows],
    }  # fmt: skip
    return frame_of(texts)


def asked_of(case: LabelledCase, using: tuple[str, Settings]) -> Asked:
    """A case as a question of the Ask page, with its trace and the settings that measured it."""
    scope, row = case.trace.question.scope, dict(case.row)
    form = form_of(row) | {"documents": list(scope.documents), "pages": scope.pages_text}
    if case.trace.question.answer is not None:
        form |= {"answer_by": "pasted", "pasted": case.trace.question.answer}
    return Asked(form=form, trace=case.trace, measured_with=using)


def _columns(
    name: str, cases: Sequence[LabelledCase], changes: Sequence[Change], using: tuple[str, Settings]
) -> dict[str, Any]:
    column = st.column_config
    return {
        "Open": column.ButtonColumn(
            "", width=72, key=f"open {name}", on_click=_open, args=(name, cases, changes, using),
            help="On the Ask page, under the current thresholds",
        ),
        "Question": column.TextColumn(width=320), "Way": column.TextColumn(width=90),
    }  # fmt: skip


def _open(name: str, cases: Sequence[LabelledCase], changes: Sequence[Change], using: tuple[str, Settings]) -> None:
    """Show a case on the Ask page with its trace; a callback."""
    if change := clicked(f"open {name}", changes):
        open_asked(asked_of(cases[change.case], using))
        notes(f"opened from {name}")[:] = [True]


NOW = "the current sliders"
"""The option for the current limits."""
_BOX = "comparing"
_SIGNIFICANCE = 0.05


def comparison(bank: ValuedBank, preset: Preset, using: tuple[str, Settings]) -> None:
    """Draw the expander that compares two presets; its content is computed only while it is open."""
    box = st.expander("Compare two presets on this set", icon=":material/compare_arrows:", key=_BOX, on_change="rerun")
    if box.open:
        with box:
            _comparison(bank, preset, using)


def comparing() -> bool:
    """True while the comparison of two presets is open."""
    return bool(value(_BOX))


def _comparison(bank: ValuedBank, preset: Preset, using: tuple[str, Settings]) -> None:
    names = [NOW, *preset_names()]
    with st.container(horizontal=True, gap="small"):
        first, second = (
            st.selectbox(title, names, index=index, key=title, format_func=_titled, width=240)
            for index, title in ((1, "First"), (0, "Second"))
        )
    first_preset, second_preset = (
        preset if name == NOW else named_preset(name, home_folder()) for name in (first, second)
    )
    if first == second:
        st.caption("Choose two different ones to see where they differ.")
        return
    st.markdown("  \n".join(told_of(compare(bank, first_preset, second_preset), _titled(first), _titled(second))))
    changed_table(
        "compared", bank.cases, changes(bank, second_preset, first_preset), using, _column(first), _column(second)
    )


def told_of(result: Comparison, first: str, second: str) -> list[str]:
    """Both results, the number of cases on which only one preset is right, and the McNemar test, as Markdown lines."""
    lines = [
        f"**{name}**: {t.as_it_should_be.count} of {t.n} right outcomes ({share(t.as_it_should_be)}), "
        f"{t.wrong + t.let_out} wrong answers, {t.over_refused} wrongly refused."
        for name, t in ((first, result.first), (second, result.second))
    ]
    discordant = result.only_first + result.only_second
    if not discordant:
        return [*lines, "There is no case on which only one of them is right."]
    verdict = "more than chance would do" if result.p < _SIGNIFICANCE else "no more than chance may do"
    p = "below 0.001" if result.p < 0.001 else number(result.p, 3)
    return [
        *lines,
        f"Of the {discordant} cases on which only one is right, {first} is right on **{result.only_first}** and "
        f"{second} on **{result.only_second}**: {verdict} (exact McNemar test, p = {p}).",
    ]


def _titled(name: str) -> str:
    return name if name == NOW else titled(name)


def _column(name: str) -> str:
    return "Now" if name == NOW else f"{titled(name)} "  # a trailing space keeps the two column names distinct
