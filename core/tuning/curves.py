"""What thresholds trade off on a bank: along one threshold, over two, and from one preset to another."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.banks.scored_bank import FAIR, REFUSED, UNSAID, WRONG, Tally, ValuedBank, state_of, tally
from core.check import mode_of
from core.checks import all_checks, all_thresholds
from core.presets import values
from core.sweep.outcomes import Changed
from core.sweep.settings_grid import Points
from core.thresholds import Preset

GRID = 21
"""Number of values of each threshold when two are moved together."""


@dataclass(frozen=True, kw_only=True)
class Curve:
    """Counts at every value of one threshold, (points,) each. due: number of cases that should be answered."""

    key: str
    values: np.ndarray
    wrong: np.ndarray
    over_refused: np.ndarray
    unsaid: np.ndarray
    due: int
    n: int

    def place(self, value: float) -> int:
        """The index of the point nearest to `value`."""
        return int(np.argmin(np.abs(self.values - value)))


@dataclass(frozen=True, kw_only=True)
class Step:
    """The nearest move of a threshold that changes the counts, and the changes. Negative: fewer."""

    value: float
    wrong: int
    over_refused: int


@dataclass(frozen=True, kw_only=True)
class Heat:
    """Counts over two thresholds, (values, others) each."""

    key: str
    other: str
    values: np.ndarray
    others: np.ndarray
    wrong: np.ndarray
    over_refused: np.ndarray


@dataclass(frozen=True, kw_only=True)
class Share:
    """The effect of one check on a bank. alone: number of cases that would end differently if it only watched."""

    check: str
    alone: int


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """The results of two presets on the same cases.

    only_first, only_second: number of cases that only this preset handles correctly. Cases that one of them cannot
    decide without a new measurement count for neither.
    p: exact McNemar test: the probability of a split at least this uneven if both were equally good.
    differing: the cases whose outcome or route differs, as seen from the first.
    """

    first: Tally
    second: Tally
    only_first: int
    only_second: int
    p: float
    differing: Sequence[Changed]


def curve(bank: ValuedBank, preset: Preset, key: str) -> Curve:
    """Every step of one threshold and its current value, with the others as in `preset`."""
    grid, current = all_thresholds()[key].grid(), values(preset)[key]
    extra = [] if np.isclose(grid, current).any() else [current]  # a value on the slider's grid needs no extra point
    points = np.union1d(grid, extra)

    def count() -> Curve:
        worths = bank.worths(bank.decided(Points.along(preset, key, points)))
        return Curve(key=key, values=points, due=int(bank.should.sum()), n=len(bank.cases), **_counts(bank, worths))

    return bank.remembered(("along", state_of(preset, key), *extra), count)


def step(counts: Curve, current: float, direction: int) -> Step | None:
    """The nearest value above `current` (direction 1) or below (-1) at which the counts change; None without one."""
    current_index = counts.place(current)
    same_wrong = counts.wrong == counts.wrong[current_index]
    same = same_wrong & (counts.over_refused == counts.over_refused[current_index])
    beyond = range(current_index + 1, len(counts.values)) if direction > 0 else range(current_index - 1, -1, -1)
    index = next((n for n in beyond if not same[n]), None)
    if index is None:
        return None
    wrong, refused = (int(a[index]) - int(a[current_index]) for a in (counts.wrong, counts.over_refused))
    return Step(value=float(counts.values[index]), wrong=wrong, over_refused=refused)


def heat(bank: ValuedBank, preset: Preset, key: str, other: str) -> Heat:
    """Counts over two thresholds at GRID values each (or every step if fewer), with the others as in `preset`."""

    def count() -> Heat:
        grids = [
            t.grid() if len(t.grid()) <= GRID else t.grid(GRID) for t in (all_thresholds()[k] for k in (key, other))
        ]
        worths = bank.worths(bank.decided(Points.over(preset, key, other, *grids)))
        shape = tuple(map(len, grids))
        counts = {name: column.reshape(shape) for name, column in _counts(bank, worths).items() if name != "unsaid"}
        return Heat(key=key, other=other, values=grids[0], others=grids[1], **counts)

    return bank.remembered(("over", state_of(preset, key, other)), count)


def shares(bank: ValuedBank, preset: Preset) -> tuple[Share, ...]:
    """The effect of each check that blocks under `preset`, largest first."""
    return bank.remembered(("shares", state_of(preset)), lambda: _shares(bank, preset))


def compare(bank: ValuedBank, first: Preset, second: Preset) -> Comparison:
    """Decide every case of `bank` under both presets, without running a model."""
    before, after = bank.decided_at(first), bank.decided_at(second)
    first_worths, second_worths = bank.worths(before)[0], bank.worths(after)[0]
    is_known = (first_worths != UNSAID) & (second_worths != UNSAID)
    only_first = int((is_known & (first_worths >= FAIR) & (second_worths < FAIR)).sum())
    only_second = int((is_known & (second_worths >= FAIR) & (first_worths < FAIR)).sum())
    return Comparison(
        first=tally(first_worths, bank.should), second=tally(second_worths, bank.should),
        only_first=only_first, only_second=only_second, p=mcnemar(only_first, only_second),
        differing=after.changed(before),
    )  # fmt: skip


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact two-sided p of a split of cases that only one of two presets handles correctly; 1 if there are none."""
    from scipy.stats import binomtest  # slow to import and rarely needed

    total = only_first + only_second
    return float(binomtest(only_first, total).pvalue) if total else 1.0


def _counts(bank: ValuedBank, worths: np.ndarray) -> dict[str, np.ndarray]:
    refused = ((worths == REFUSED) & bank.should).sum(1)
    return {"wrong": (worths == WRONG).sum(1), "over_refused": refused, "unsaid": (worths == UNSAID).sum(1)}


def _shares(bank: ValuedBank, preset: Preset) -> tuple[Share, ...]:
    names = [c.name for c in all_checks() if mode_of(c, preset) == "blocks"]
    if not names:
        return ()
    modes = {name: ["watches" if name == watched else "blocks" for watched in names] for name in names}
    flips = bank.decided(Points(base=preset, modes=modes)).flips(bank.decided_at(preset))
    effects = [Share(check=name, alone=int(n)) for name, n in zip(names, flips, strict=True)]
    return tuple(sorted(effects, key=lambda share: -share.alone))
