"""A search over all limits together that stays at the starting values unless moving one pays for itself."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from core.banks.scored_bank import REFUSED, UNSAID, WRONG, ValuedBank
from core.check import mode_of
from core.checks import all_checks, all_thresholds
from core.presets import values
from core.sweep.settings_grid import Points
from core.thresholds import Preset, Threshold

SURE, SURER = 1.0, 2.5
"""Minimum ratio of savings to noise: for one moved threshold to stay moved, and for a proposal to be made at all.
Noise is the root of the summed squares of the changes of single cases. On few cases chance alone changes as much, and a
search picks the luckiest of many settings."""
_RANDOM_SETTINGS, _RANDOM_STARTS = 400, 2
"""Number of random settings tried, and how many of the best become starting points."""
_MOST_PASSES, _USUAL_PASSES = 6, 4
"""Maximum number of passes over all thresholds, and the usual number."""
_DUST = 1e-9


class AimError(ValueError):
    """An aim has an invalid value; the message says what is allowed."""


@dataclass(frozen=True, kw_only=True)
class Aim:
    """What a search minimises.

    wrong_cost: the number of over-refusals that one wrong answer costs.
    max_over_refusal: a limit on the share of due answers that are refused. With it, the limit comes first and then only
    wrong answers count (source document C uses 0.1).

    A case that cannot be decided without a new measurement costs as much as a wrong answer, so a search gains nothing
    by routing cases there.
    """

    wrong_cost: float = 5.0
    max_over_refusal: float | None = None

    def __post_init__(self) -> None:
        if not (math.isfinite(self.wrong_cost) and 0 < self.wrong_cost <= 1000):
            raise AimError(f"A wrong answer may cost from above 0 to 1000 wrong refusals, got {self.wrong_cost!r}.")
        if self.max_over_refusal is not None and not 0 <= self.max_over_refusal <= 1:
            raise AimError(f"The limit on wrong refusals must be a share from 0 to 1, got {self.max_over_refusal!r}.")

    @property
    def of_one_wrong(self) -> float:
        """The cost of one wrong answer, in the unit of `costs`."""
        return self.wrong_cost if self.max_over_refusal is None else 1.0

    def costs(self, worths: np.ndarray, should: np.ndarray) -> np.ndarray:
        """The cost of each case: in over-refusals, or in wrong answers if there is a limit. worths: (..., cases)."""
        refused = (worths == REFUSED) & should
        wrong = (worths == WRONG) | (worths == UNSAID)
        if self.max_over_refusal is None:
            return self.wrong_cost * wrong + refused
        return wrong + refused / (should.sum() + 1)  # over-refusals only break ties

    def excess(self, worths: np.ndarray, should: np.ndarray) -> np.ndarray:
        """Number of over-refusals above what the search allows: (...,); 0 without a limit.

        The search stays one standard error below the limit, because a setting that barely meets it here misses it
        elsewhere.
        """
        refused = ((worths == REFUSED) & should).sum(-1)
        if self.max_over_refusal is None:
            return np.zeros(refused.shape)
        most, n = self.max_over_refusal, int(should.sum())
        return np.maximum(0, refused - math.floor(max(0.0, most * n - math.sqrt(n * most * (1 - most))) + 1e-9))

    def total(self, worths: np.ndarray, should: np.ndarray) -> np.ndarray:
        """The number to minimise, (...,): the cost of all cases. One excess over-refusal outweighs all costs."""
        return self.costs(worths, should).sum(-1) + self.excess(worths, should) * (worths.shape[-1] + 1)


def searched(base: Preset) -> tuple[str, ...]:
    """The thresholds that a search moves: limits and counts of checks that block. Switches are left to people."""
    return tuple(
        t.key
        for check in all_checks()
        if mode_of(check, base) == "blocks"
        for t in check.thresholds().values()
        if not is_switch(t)
    )


def is_switch(threshold: Threshold) -> bool:
    """True for a threshold that is only off or on."""
    return threshold.whole and (threshold.low, threshold.high) == (0, 1)


class Search:
    """Coordinate descent from several settings, followed by taking back moves that may be chance."""

    def __init__(self, bank: ValuedBank, base: Preset, aim: Aim, on_progress: Callable[[float], None]) -> None:
        self.bank, self.base, self.aim, self.on_progress = bank, base, aim, on_progress
        self.keys, self.home, self.should = searched(base), values(base), bank.should
        self._steps = 0

    def found(self) -> Preset:
        """The best setting; `base` itself if none is better by more than chance."""
        best = self._without_weak_moves(
            min((self._descend(start, self.keys) for start in self._starts()), key=self._rank)
        )
        best = self._without_weak_moves(self._descend(best, self._moved_keys(best)))
        self.on_progress(1.0)
        return best if self._savings_to_noise(self.base, best, unseen=self.aim.of_one_wrong) >= SURER else self.base

    def _starts(self) -> Iterator[Preset]:
        """The starting points: the current setting, the loosest one, and the best of many random settings."""
        yield self.base
        yield self.base.with_values({key: _loosest(key) for key in self.keys if _loosest(key) is not None})
        candidates = Points.drawn(self.base, _RANDOM_SETTINGS, seed=0, keys=self.keys)
        totals = self._totals(candidates)
        for index in np.argsort(totals, kind="stable")[:_RANDOM_STARTS]:
            yield candidates.preset(int(index))

    def _descend(self, current: Preset, keys: tuple[str, ...]) -> Preset:
        """Set one threshold after another to its best value, starting at `current`, until none moves."""
        for _ in range(_MOST_PASSES):
            previous_values = values(current)
            for key in keys:
                current = current.with_values({key: self._best_value(current, key)})
            if values(current) == previous_values:
                break
        return current

    def _best_value(self, current: Preset, key: str) -> float:
        """The best value of one threshold with the others as in `current`; its starting value if that is as good."""
        self._steps += 1
        self.on_progress(min(0.99, self._steps / ((2 + _RANDOM_STARTS) * _USUAL_PASSES * len(self.keys))))
        grid = np.union1d(all_thresholds()[key].grid(), [self.home[key]])
        return chosen(grid, self._totals(Points.along(current, key, grid)), self.home[key])

    def _without_weak_moves(self, current: Preset) -> Preset:
        """`current` without the moves that save too little, taken back one by one, weakest first."""
        while moved_keys := self._moved_keys(current):
            reverted = [current.with_values({key: self.home[key]}) for key in moved_keys]
            ratios = [self._savings_to_noise(back, current) for back in reverted]
            weakest = int(np.argmin(ratios))
            if ratios[weakest] >= SURE:
                break
            current = reverted[weakest]
        return current

    def _savings_to_noise(self, before: Preset, after: Preset, unseen: float = 0.0) -> float:
        """The savings of going from one setting to another, in units of their noise; infinite if the limit requires it.

        unseen: the cost of one case that could as well have been among these. Without it, eight more answers that are
        all right would count as proof, although a ninth may be wrong and cost as much as five of them save.
        """
        worths_before, worths_after = (self.bank.at(preset) for preset in (before, after))
        excess = [float(self.aim.excess(worths, self.should)) for worths in (worths_before, worths_after)]
        if excess[0] != excess[1]:
            return np.inf if excess[0] > excess[1] else -np.inf
        saved = self.aim.costs(worths_before, self.should) - self.aim.costs(worths_after, self.should)
        noise = float(np.sqrt((saved**2).sum() + unseen**2))
        return float(saved.sum()) / noise if noise > _DUST else 0.0

    def _moved_keys(self, setting: Preset) -> tuple[str, ...]:
        setting_values = values(setting)
        return tuple(key for key in self.keys if setting_values[key] != self.home[key])

    def _totals(self, points: Points) -> np.ndarray:
        return self.aim.total(self.bank.worths(self.bank.decided(points)), self.should)

    def _rank(self, setting: Preset) -> tuple[float, int]:
        """Sort key of a setting, lowest first: its total, then the number of moved thresholds."""
        return float(self.aim.total(self.bank.at(setting), self.should)), len(self._moved_keys(setting))


def chosen(grid: np.ndarray, totals: np.ndarray, home: float) -> float:
    """The value with the lowest total: `home` if it is one, else from the run of such values nearest to `home`.

    A run between two worse values gives its middle, which depends least on single cases. A run that reaches an end of
    the grid gives its value nearest to `home`.
    """
    is_lowest = totals <= totals.min() + _DUST
    home_index = int(np.argmin(np.abs(grid - home)))
    if is_lowest[home_index] and abs(grid[home_index] - home) < _DUST:
        return float(home)
    nearest = min(np.flatnonzero(is_lowest), key=lambda n: abs(grid[n] - home))
    low = high = nearest
    while low > 0 and is_lowest[low - 1]:
        low -= 1
    while high < len(grid) - 1 and is_lowest[high + 1]:
        high += 1
    is_interior = low > 0 and high < len(grid) - 1
    return float(grid[(low + high) // 2] if is_interior else grid[nearest])


def _loosest(key: str) -> float | None:
    """The value of a threshold that lets most through its check; None if neither direction is looser."""
    t = all_thresholds()[key]
    return {"higher": t.low, "lower": t.high}.get(t.stricter)
