"""A search of all limits together that keeps to where it began, unless moving one pays for itself."""

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
"""How many times its own noise a moved threshold must save to stay moved, and a whole proposal to be made at all.
Noise is the root of the sum of the squares of what single cases change by; on few cases chance alone moves as much,
and a search picks the luckiest of many."""
_DRAWN, _KEPT = 400, 2
"""Random settings that are tried, and how many of them are searched from."""
_CYCLES, _USUAL = 6, 4
"""Most passes over all thresholds, and how many it usually takes."""
_DUST = 1e-9


class AimError(ValueError):
    """An aim was set to what nobody can aim for; the message says what is allowed."""


@dataclass(frozen=True, kw_only=True)
class Aim:
    """wrong_cost: how many over-refusals one wrong answer is as bad as. Where max_over_refusal, a share of what should
    be answered, is given, that limit is kept first and then wrong answers are counted alone (seed C asks for 0.1).

    A case that cannot be decided without a new measurement costs as much as a wrong answer, so that nothing is gained
    by leading cases there.
    """

    wrong_cost: float = 5.0
    max_over_refusal: float | None = None

    def __post_init__(self) -> None:
        if not (math.isfinite(self.wrong_cost) and 0 < self.wrong_cost <= 1000):
            raise AimError(f"A wrong answer may cost from above 0 to 1000 over-refusals, got {self.wrong_cost!r}.")
        if self.max_over_refusal is not None and not 0 <= self.max_over_refusal <= 1:
            raise AimError(f"The limit on over-refusals must be a share from 0 to 1, got {self.max_over_refusal!r}.")

    @property
    def of_one_wrong(self) -> float:
        """What one wrong answer costs, in the unit of `costs`."""
        return self.wrong_cost if self.max_over_refusal is None else 1.0

    def costs(self, worths: np.ndarray, should: np.ndarray) -> np.ndarray:
        """What each case costs, in over-refusals; under a limit in wrong answers. worths: (..., cases)."""
        refused = (worths == REFUSED) & should
        wrong = (worths == WRONG) | (worths == UNSAID)
        if self.max_over_refusal is None:
            return self.wrong_cost * wrong + refused
        return wrong + refused / (should.sum() + 1)  # over-refusals only decide between as many wrong answers

    def excess(self, worths: np.ndarray, should: np.ndarray) -> np.ndarray:
        """How many over-refusals there are above what a search allows itself: (...,), 0 without a limit.

        It stays one standard error below the limit, since what just keeps to it on these cases breaks it on others.
        """
        refused = ((worths == REFUSED) & should).sum(-1)
        if self.max_over_refusal is None:
            return np.zeros(refused.shape)
        most, n = self.max_over_refusal, int(should.sum())
        return np.maximum(0, refused - math.floor(max(0.0, most * n - math.sqrt(n * most * (1 - most))) + 1e-9))

    def total(self, worths: np.ndarray, should: np.ndarray) -> np.ndarray:
        """One number to make small, (...,): what all cases cost, every over-refusal above the limit counting first."""
        return self.costs(worths, should).sum(-1) + self.excess(worths, should) * (worths.shape[-1] + 1)


def searched(base: Preset) -> tuple[str, ...]:
    """The thresholds that a search moves: limits and counts of checks that block. Switches are for people to decide."""
    return tuple(
        t.key
        for check in all_checks()
        if mode_of(check, base) == "blocks"
        for t in check.thresholds().values()
        if not is_switch(t)
    )


def is_switch(threshold: Threshold) -> bool:
    """True for what is only off or on."""
    return threshold.whole and (threshold.low, threshold.high) == (0, 1)


class Search:
    """Descents along one threshold after another, from several settings, and then back as far as chance allows."""

    def __init__(self, bank: ValuedBank, base: Preset, aim: Aim, told: Callable[[float], None]) -> None:
        self.bank, self.base, self.aim, self.told = bank, base, aim, told
        self.keys, self.home, self.should = searched(base), values(base), bank.should
        self._steps = 0

    def found(self) -> Preset:
        """The best setting that was found; `base` itself when none is better by more than chance."""
        best = self._kept(min((self._descended(start, self.keys) for start in self._starts()), key=self._rank))
        best = self._kept(self._descended(best, self._moved(best)))
        self.told(1.0)
        return best if self._pays(self.base, best, unseen=self.aim.of_one_wrong) >= SURER else self.base

    def _starts(self) -> Iterator[Preset]:
        """Where descents begin: today's setting, everything let through, and the best of many drawn by lot."""
        yield self.base
        yield self.base.with_values({key: _loosest(key) for key in self.keys if _loosest(key) is not None})
        drawn = Points.drawn(self.base, _DRAWN, seed=0, keys=self.keys)
        totals = self._totals(drawn)
        for place in np.argsort(totals, kind="stable")[:_KEPT]:
            yield drawn.preset(int(place))

    def _descended(self, at: Preset, keys: tuple[str, ...]) -> Preset:
        """From `at` along one threshold after another to its best value, until none of them moves."""
        for _ in range(_CYCLES):
            before = values(at)
            for key in keys:
                at = at.with_values({key: self._best_value(at, key)})
            if values(at) == before:
                break
        return at

    def _best_value(self, at: Preset, key: str) -> float:
        """The best value of one threshold, the others as in `at`: where it began when that is as good."""
        self._steps += 1
        self.told(min(0.99, self._steps / ((2 + _KEPT) * _USUAL * len(self.keys))))
        grid = np.union1d(all_thresholds()[key].grid(), [self.home[key]])
        return chosen(grid, self._totals(Points.along(at, key, grid)), self.home[key])

    def _kept(self, at: Preset) -> Preset:
        """`at` without the moves that do not pay for themselves, the least of them taken back first."""
        while moved := self._moved(at):
            backs = [at.with_values({key: self.home[key]}) for key in moved]
            pays = [self._pays(back, at) for back in backs]
            least = int(np.argmin(pays))
            if pays[least] >= SURE:
                break
            at = backs[least]
        return at

    def _pays(self, before: Preset, after: Preset, unseen: float = 0.0) -> float:
        """What going from one setting to another saves, in units of its noise; infinite where the limit needs it.

        unseen: the cost of one case that could as well have been among these. Without it eight more answers, all of
        them right, would be proof, although the ninth may be wrong and cost what five of them save.
        """
        one, other = (self.bank.at(preset) for preset in (before, after))
        over = [float(self.aim.excess(worths, self.should)) for worths in (one, other)]
        if over[0] != over[1]:
            return np.inf if over[0] > over[1] else -np.inf
        saved = self.aim.costs(one, self.should) - self.aim.costs(other, self.should)
        noise = float(np.sqrt((saved**2).sum() + unseen**2))
        return float(saved.sum()) / noise if noise > _DUST else 0.0

    def _moved(self, at: Preset) -> tuple[str, ...]:
        now = values(at)
        return tuple(key for key in self.keys if now[key] != self.home[key])

    def _totals(self, points: Points) -> np.ndarray:
        return self.aim.total(self.bank.worths(self.bank.decided(points)), self.should)

    def _rank(self, at: Preset) -> tuple[float, int]:
        """What makes one setting better than another: its total, then how many thresholds it moves."""
        return float(self.aim.total(self.bank.at(at), self.should)), len(self._moved(at))


def chosen(grid: np.ndarray, totals: np.ndarray, home: float) -> float:
    """The value of least total: `home` when it is one, else of the run of such values nearest to `home`.

    Of a run between two worse values its middle, which is farthest from what single cases decide; of one that reaches
    an end of the grid the value nearest to `home`.
    """
    least = totals <= totals.min() + _DUST
    place = int(np.argmin(np.abs(grid - home)))
    if least[place] and abs(grid[place] - home) < _DUST:
        return float(home)
    nearest = min(np.flatnonzero(least), key=lambda n: abs(grid[n] - home))
    low = high = nearest
    while low > 0 and least[low - 1]:
        low -= 1
    while high < len(grid) - 1 and least[high + 1]:
        high += 1
    inner = low > 0 and high < len(grid) - 1
    return float(grid[(low + high) // 2] if inner else grid[nearest])


def _loosest(key: str) -> float | None:
    """The value of a threshold that lets most through its check; None where no way is looser."""
    t = all_thresholds()[key]
    return {"higher": t.low, "lower": t.high}.get(t.stricter)
