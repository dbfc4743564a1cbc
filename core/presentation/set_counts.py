"""The outcomes of a question set, counted once for the chart, the sentences and the tables of a screen."""

from dataclasses import dataclass

import numpy as np

from core.banks.scored_bank import Tally, ValuedBank, tally
from core.evaluation.outcomes import Rate
from core.evaluation.worth import FAIR, OVER_REFUSED, UNSAID, WRONG
from core.presentation.outcome_words import DIRECTIONS, count_of, share
from core.reply.display_rounding import number
from core.sweep.outcomes import OUTCOMES, REASON_NAMES, ROUTE_NAMES
from core.thresholds import Preset
from core.tuning.curves import Comparison

_SIGNIFICANCE = 0.05
"""A p-value below it says that two presets differ by more than chance."""


@dataclass(frozen=True, kw_only=True)
class Change:
    """A case whose outcome or route changed. case: its index in the set. direction: 1 better, -1 worse, 0 the same in
    the end, such as a right answer that is now given out corrected.
    """

    case: int
    before: str
    after: str
    direction: int


@dataclass(frozen=True, kw_only=True)
class SetCounts:
    """The outcomes of a question set under the current limits (`now`), and under the preset before limits were moved.

    refusals: current refusals by primary reason, as (number of cases that should be answered, number of other cases).
    changes: cases whose outcome or route is not that under the preset. wrong: cases with a wrong outcome now.
    """

    now: Tally
    before: Tally
    refusals: dict[str, tuple[int, int]]
    changes: tuple[Change, ...]
    wrong: tuple[Change, ...]


ENDS = ("answered", "corrected", "refused")
"""The columns of an outcome matrix. An answer in part counts as corrected. What asks back or hands over counts as
refused: no answer goes out."""
_END_OF_ROUTE = np.array([{"deliver": 0, "deliver_corrected": 1, "deliver_part": 1}.get(r, 2) for r in ROUTE_NAMES])


@dataclass(frozen=True, kw_only=True)
class OutcomeMatrix:
    """The counted cases of a set by what they are and what becomes of them.

    right, wrong: (2, 3) numbers of cases; rows: those that should be answered (good), and the others (bad); columns:
    ENDS. A good case that is refused is wrong, and so is a bad one that is answered.
    """

    right: np.ndarray
    wrong: np.ndarray


def counts_of(bank: ValuedBank, preset: Preset, base: Preset) -> SetCounts:
    """The counts of `bank` under `preset`, compared with `base`. No model runs."""
    decisions = bank.decided_at(preset)
    due, others = (decisions.refusals(selection) for selection in (bank.should, ~bank.should))
    reasons = {name: (int(due[name][0]), int(others[name][0])) for name in REASON_NAMES if name in due}
    worths, ends = bank.at(preset), bank.decided_at(preset).outcomes[0]
    wrong_answers, wrong_refusals = worths == WRONG, (worths == OVER_REFUSED) & bank.should
    wrong_cases = (*np.flatnonzero(wrong_answers), *np.flatnonzero(wrong_refusals))
    names = {int(case): OUTCOMES[ends[case]] for case in wrong_cases}
    return SetCounts(
        now=tally(worths, bank.should), before=tally(bank.at(base), bank.should),
        refusals={name: pair for name, pair in reasons.items() if sum(pair)}, changes=changes(bank, preset, base),
        wrong=tuple(Change(case=case, before=name, after=name, direction=-1) for case, name in names.items()),
    )  # fmt: skip


def changes(bank: ValuedBank, preset: Preset, base: Preset) -> tuple[Change, ...]:
    """The cases whose outcome or route differs from that under `base`, in the order of DIRECTIONS."""
    now, before = bank.decided_at(preset), bank.decided_at(base)
    cases = np.flatnonzero(now.differs(before)[0])
    worths = bank.at(preset)[cases].astype(int)
    directions = np.sign(worths - bank.at(base)[cases])
    directions[(directions < 0) & (worths >= FAIR)] = 0
    columns = (cases, before.outcomes[0, cases], now.outcomes[0, cases], directions)
    found = [
        Change(case=case, before=OUTCOMES[was], after=OUTCOMES[is_], direction=direction)
        for case, was, is_, direction in zip(*(column.tolist() for column in columns), strict=True)
    ]
    return tuple(sorted(found, key=lambda change: list(DIRECTIONS).index(change.direction)))


def signs(bank: ValuedBank, preset: Preset) -> list[str]:
    """For each case ✓ if its outcome counts as right, ✗ if it does not, and ○ if it cannot be counted."""
    worths = bank.at(preset)
    is_wrong = (worths == WRONG) | ((worths == OVER_REFUSED) & bank.should)
    return np.where(worths == UNSAID, "○", np.where(is_wrong, "✗", "✓")).tolist()


def outcome_matrix(bank: ValuedBank, preset: Preset) -> OutcomeMatrix:
    """The outcome matrix of `bank` under `preset`; cases that cannot be counted are left out. No model runs."""
    worths, ends = bank.at(preset), _END_OF_ROUTE[bank.decided_at(preset).routes[0]]
    is_wrong = (worths == WRONG) | ((worths == OVER_REFUSED) & bank.should)
    is_known = worths != UNSAID

    def numbers(which: np.ndarray) -> np.ndarray:
        sides = (bank.should, ~bank.should)
        return np.array([np.bincount(ends[is_known & side & which], minlength=len(ENDS)) for side in sides])

    return OutcomeMatrix(right=numbers(~is_wrong), wrong=numbers(is_wrong))


def sentences(t: Tally) -> list[str]:
    """The outcomes of a set in sentences, as Markdown, each share with its n and its 95 % interval."""
    lines = []
    if t.due:
        fair_text = f" (**{t.fair}** of these in part, or at greater length than needed)" if t.fair else ""
        lines.append(
            f"Of **{t.due}** questions that should be answered, **{t.right + t.fair}** are answered "
            f"correctly{fair_text}, **{t.wrong}** are answered wrongly ({share(Rate(count=t.wrong, n=t.due))}), and "
            f"**{t.over_refused}** are wrongly refused ({share(t.over_refusal)})."
        )
    if t.others:
        lines.append(
            f"Of **{t.others}** questions that should not be answered, **{t.held + t.not_due_fair}** are refused or "
            f"sent back for clarification, and **{t.not_due_wrong}** are answered "
            f"({share(Rate(count=t.not_due_wrong, n=t.others))})."
        )
    if t.unsaid:
        lines.append(
            f"{count_of(t.unsaid, 'case')} not counted: these limits lead to a search that was never measured, the "
            "question could not be asked, or no label says what is right."
        )
    return lines or ["No case can be counted under these limits."]


def headline(t: Tally) -> str:
    """The finding of the set in one line, for the title of its chart."""
    if not t.n:
        return "No question of this set can be counted yet"
    good = t.right + t.fair + t.held + t.not_due_fair
    wrong = count_of(t.wrong + t.not_due_wrong, "wrong answer")
    return f"{good} of {t.n} handled correctly; {wrong} given, {count_of(t.over_refused, 'question')} wrongly refused"


def changes_heading(changes_: tuple[Change, ...]) -> str:
    """A heading that says how many questions changed, and how many of them for the better or the worse."""
    if not changes_:
        return "No outcomes changed"
    counted = {d: sum(c.direction == d for c in changes_) for d in (1, -1, 0)}
    return f"{len(changes_):,} changed: {', '.join(f'{n} {DIRECTIONS[d][2:]}' for d, n in counted.items() if n)}"


def comparison_lines(result: Comparison, first: str, second: str) -> list[str]:
    """Both results, the number of cases on which only one preset is right, and the McNemar test, as Markdown lines."""
    lines = [
        f"**{name}**: {t.as_it_should_be.count} of {t.n} right outcomes ({share(t.as_it_should_be)}), "
        f"{t.wrong + t.not_due_wrong} wrong answers, {t.over_refused} wrongly refused."
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
