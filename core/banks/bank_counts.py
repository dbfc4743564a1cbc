"""The outcomes of the cases of a bank under one setting, and the changes between two. No model runs."""

from dataclasses import dataclass

import numpy as np

from core.banks.open_bank import OUTCOMES, ROUTE_NAMES, OpenBank
from core.evaluation.counts import Counts
from core.evaluation.outcomes import FAIR, OVER_REFUSED, UNSAID, WRONG
from core.thresholds import Preset

DIRECTIONS = (-1, 1, 0)
"""Worse, better, the same in the end: the order in which changes are listed."""
ENDS = ("answered", "corrected", "refused")
"""The columns of an outcome matrix. An answer in part counts as corrected. What asks back or hands over counts as
refused: no answer goes out."""
_END_OF_ROUTE = np.array([{"deliver": 0, "deliver_corrected": 1, "deliver_part": 1}.get(r, 2) for r in ROUTE_NAMES])


@dataclass(frozen=True, kw_only=True)
class Change:
    """A case whose outcome or route changed. case: its index in the bank. direction: 1 better, -1 worse, 0 the same in
    the end, such as a right answer that is now given out corrected.
    """

    case: int
    before: str
    after: str
    direction: int


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """The same cases under two settings.

    changes: the cases whose outcome or route differs, in the order of DIRECTIONS. only_before, only_after: number of
    cases that only one setting handles correctly; a case that one of them cannot decide without a new measurement
    counts for neither.
    """

    before: Counts
    after: Counts
    changes: tuple[Change, ...]
    only_before: int
    only_after: int

    @property
    def p(self) -> float:
        """The p-value of the exact McNemar test: the probability of a split at least this uneven if both settings were
        equally good; 1 if no case tells them apart.
        """
        from scipy.stats import binomtest  # slow to import and rarely needed

        total = self.only_before + self.only_after
        return float(binomtest(self.only_before, total).pvalue) if total else 1.0


def compare(bank: OpenBank, before: Preset, after: Preset) -> Comparison:
    """Decide every case of `bank` under both presets."""
    was, now = bank.decided_at(before), bank.decided_at(after)
    changed = np.flatnonzero(now.differs(was)[0])
    old, new = was.worths[0].astype(int), now.worths[0].astype(int)
    directions = np.sign(new - old)
    directions[(directions < 0) & (new >= FAIR)] = 0
    columns = (changed, was.outcomes[0, changed], now.outcomes[0, changed], directions[changed])
    changes = [
        Change(case=case, before=OUTCOMES[first], after=OUTCOMES[second], direction=direction)
        for case, first, second, direction in zip(*(column.tolist() for column in columns), strict=True)
    ]
    is_known = (old != UNSAID) & (new != UNSAID)
    return Comparison(
        before=bank.counts(before), after=bank.counts(after),
        changes=tuple(sorted(changes, key=lambda change: DIRECTIONS.index(change.direction))),
        only_before=int((is_known & (old >= FAIR) & (new < FAIR)).sum()),
        only_after=int((is_known & (new >= FAIR) & (old < FAIR)).sum()),
    )  # fmt: skip


def refusals(bank: OpenBank, preset: Preset) -> dict[str, tuple[int, int]]:
    """The refused cases by primary reason: (number of those that should be answered, number of others)."""
    due, others = (bank.decided_at(preset).refusals(side) for side in (bank.should, ~bank.should))
    return {name: (due.get(name, 0), others.get(name, 0)) for name in (due | others)}


def wrong_outcomes(bank: OpenBank, preset: Preset) -> tuple[Change, ...]:
    """The cases with a wrong outcome, each as a change from it to itself; first the wrong answers."""
    worths, outcomes = bank.at(preset), bank.decided_at(preset).outcomes[0]
    cases = (*np.flatnonzero(worths == WRONG).tolist(), *np.flatnonzero(_is_wrong(bank, worths) & (worths != WRONG)))
    names = ((int(case), OUTCOMES[outcomes[case]]) for case in cases)
    return tuple(Change(case=case, before=name, after=name, direction=-1) for case, name in names)


def signs(bank: OpenBank, preset: Preset) -> list[str]:
    """For each case ✓ if its outcome counts as right, ✗ if it does not, and ○ if it cannot be counted."""
    worths = bank.at(preset)
    return np.where(worths == UNSAID, "○", np.where(_is_wrong(bank, worths), "✗", "✓")).tolist()


def outcome_matrix(bank: OpenBank, preset: Preset) -> tuple[np.ndarray, np.ndarray]:
    """(right outcomes, wrong outcomes) of the counted cases, each (2, 3). Rows: the cases that should be answered, the
    others. Columns: ENDS. A case that should be answered and is refused is wrong, and so is one of the others that is
    answered.
    """
    worths, ends = bank.at(preset), _END_OF_ROUTE[bank.decided_at(preset).routes[0]]
    is_wrong, is_known, sides = _is_wrong(bank, worths), worths != UNSAID, (bank.should, ~bank.should)
    right, wrong = (
        np.array([np.bincount(ends[is_known & side & which], minlength=len(ENDS)) for side in sides])
        for which in (~is_wrong, is_wrong)
    )
    return right, wrong


def _is_wrong(bank: OpenBank, worths: np.ndarray) -> np.ndarray:
    """True for a wrong answer, and for a refusal of a case that should be answered: (cases,)."""
    return (worths == WRONG) | ((worths == OVER_REFUSED) & bank.should)
