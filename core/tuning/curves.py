"""What thresholds trade off on a bank: along one of them, over two, and from one preset to another."""

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
"""Values of each of two thresholds that are moved together."""


@dataclass(frozen=True, kw_only=True)
class Curve:
    """Counts at every value of one threshold: (points,) each. due: how many cases should be answered."""

    key: str
    values: np.ndarray
    wrong: np.ndarray
    over_refused: np.ndarray
    unsaid: np.ndarray
    due: int
    n: int

    def place(self, value: float) -> int:
        """Where on the curve `value` lies: the point nearest to it."""
        return int(np.argmin(np.abs(self.values - value)))


@dataclass(frozen=True, kw_only=True)
class Step:
    """The nearest move of a threshold that changes the counts, and by how much. Negative: fewer."""

    value: float
    wrong: int
    over_refused: int


@dataclass(frozen=True, kw_only=True)
class Heat:
    """Counts over two thresholds: (values, others) each."""

    key: str
    other: str
    values: np.ndarray
    others: np.ndarray
    wrong: np.ndarray
    over_refused: np.ndarray


@dataclass(frozen=True, kw_only=True)
class Share:
    """What one check does to a bank. alone: cases that would end otherwise if it only watched."""

    check: str
    alone: int


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """What two presets make of the same cases.

    only_first, only_second: how many cases only that one deals with as it should; cases that one of them cannot decide
    without a new measurement count for neither. p: exact McNemar test, the chance of so uneven a split or a more uneven
    one if both were equally good. differing: the cases with another outcome or route, as seen from the first.
    """

    first: Tally
    second: Tally
    only_first: int
    only_second: int
    p: float
    differing: Sequence[Changed]


def curve(bank: ValuedBank, preset: Preset, key: str) -> Curve:
    """Every step of one threshold, the others as in `preset`, and the value that it has there."""
    grid, now = all_thresholds()[key].grid(), values(preset)[key]
    beside = [] if np.isclose(grid, now).any() else [now]  # a slider's own steps need no curve of their own
    found = np.union1d(grid, beside)
    return bank.remembered(("along", state_of(preset, key), *beside), lambda: _curve(bank, preset, key, found))


def step(found: Curve, now: float, way: int) -> Step | None:
    """The nearest value above (way 1) or below (-1) `now` at which something else becomes of the bank."""
    at = found.place(now)
    same = (found.wrong == found.wrong[at]) & (found.over_refused == found.over_refused[at])
    beyond = range(at + 1, len(found.values)) if way > 0 else range(at - 1, -1, -1)
    place = next((n for n in beyond if not same[n]), None)
    if place is None:
        return None
    wrong, refused = (int(a[place]) - int(a[at]) for a in (found.wrong, found.over_refused))
    return Step(value=float(found.values[place]), wrong=wrong, over_refused=refused)


def heat(bank: ValuedBank, preset: Preset, key: str, other: str) -> Heat:
    """Both thresholds at GRID values each, or at every step where there are fewer, the rest as in `preset`."""
    return bank.remembered(("over", state_of(preset, key, other)), lambda: _heat(bank, preset, key, other))


def shares(bank: ValuedBank, preset: Preset) -> tuple[Share, ...]:
    """What each check that blocks under `preset` does on its own, the one that does most first."""
    return bank.remembered(("shares", state_of(preset)), lambda: _shares(bank, preset))


def compare(bank: ValuedBank, first: Preset, second: Preset) -> Comparison:
    """Both presets on every case of `bank`; no model is asked."""
    before, after = bank.decided_at(first), bank.decided_at(second)
    one, other = bank.worths(before)[0], bank.worths(after)[0]
    said = (one != UNSAID) & (other != UNSAID)
    only_first = int((said & (one >= FAIR) & (other < FAIR)).sum())
    only_second = int((said & (other >= FAIR) & (one < FAIR)).sum())
    return Comparison(
        first=tally(one, bank.should), second=tally(other, bank.should), only_first=only_first, only_second=only_second,
        p=mcnemar(only_first, only_second), differing=after.changed(before),
    )  # fmt: skip


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact two-sided p of a split of the cases on which only one of two is right; 1 without any."""
    from scipy.stats import binomtest  # it takes a while to import, and few pages compare

    uneven = only_first + only_second
    return float(binomtest(only_first, uneven).pvalue) if uneven else 1.0


def _curve(bank: ValuedBank, preset: Preset, key: str, found: np.ndarray) -> Curve:
    worths = bank.worths(bank.decided(Points.along(preset, key, found)))
    return Curve(key=key, values=found, due=int(bank.should.sum()), n=len(bank.cases), **_counts(bank, worths))


def _heat(bank: ValuedBank, preset: Preset, key: str, other: str) -> Heat:
    grids = [_coarse(k) for k in (key, other)]
    worths = bank.worths(bank.decided(Points.over(preset, key, other, *grids)))
    shape = tuple(map(len, grids))
    counted = {name: counts.reshape(shape) for name, counts in _counts(bank, worths).items() if name != "unsaid"}
    return Heat(key=key, other=other, values=grids[0], others=grids[1], **counted)


def _coarse(key: str) -> np.ndarray:
    grid = all_thresholds()[key].grid()
    return grid if len(grid) <= GRID else all_thresholds()[key].grid(GRID)


def _counts(bank: ValuedBank, worths: np.ndarray) -> dict[str, np.ndarray]:
    refused = ((worths == REFUSED) & bank.should).sum(1)
    return {"wrong": (worths == WRONG).sum(1), "over_refused": refused, "unsaid": (worths == UNSAID).sum(1)}


def _shares(bank: ValuedBank, preset: Preset) -> tuple[Share, ...]:
    names = [c.name for c in all_checks() if mode_of(c, preset) == "blocks"]
    if not names:
        return ()
    modes = {name: ["watches" if name == mine else "blocks" for mine in names] for name in names}
    flips = bank.decided(Points(base=preset, modes=modes)).flips(bank.decided_at(preset))
    found = [Share(check=name, alone=int(n)) for name, n in zip(names, flips, strict=True)]
    return tuple(sorted(found, key=lambda share: -share.alone))
