"""Proposals of thresholds: a search over all limits that moves one only if it saves more than chance would."""

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.banks import half_of
from core.banks.scored_bank import Tally, ValuedBank, tally
from core.case import CaseError
from core.check import mode_of
from core.checks import all_checks, all_thresholds
from core.decide.points import Points
from core.evaluation.outcomes import Rate
from core.evaluation.worth import OVER_REFUSED, UNSAID, WRONG
from core.presets import preset, values
from core.thresholds import Preset, Threshold

SURE, SURER = 1.0, 2.5
"""Minimum ratio of savings to noise: for one moved threshold to stay moved, and for a proposal to be made at all.
Noise is the root of the summed squares of the changes of single cases. With few cases, chance alone changes as much,
and a search picks the luckiest of many settings."""
_RANDOM_SETTINGS, _RANDOM_STARTS = 400, 2
"""Number of random settings tried, and how many of the best become starting points."""
_MOST_PASSES, _USUAL_PASSES = 6, 4
"""Maximum number of passes over all thresholds, and the usual number."""
_DUST = 1e-9


class AimError(ValueError):
    """An aim has an invalid value; the message says what is allowed."""


@dataclass(frozen=True, kw_only=True)
class Aim:
    """The cost that a search minimises.

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

    def costs(self, worths: np.ndarray, should: np.ndarray) -> np.ndarray:
        """The cost of each case: in over-refusals, or in wrong answers if there is a limit. worths: (..., cases)."""
        over_refusals = (worths == OVER_REFUSED) & should
        wrong = (worths == WRONG) | (worths == UNSAID)
        if self.max_over_refusal is None:
            return self.wrong_cost * wrong + over_refusals
        return wrong + over_refusals / (should.sum() + 1)  # over-refusals only break ties

    def excess(self, worths: np.ndarray, should: np.ndarray) -> np.ndarray:
        """Number of over-refusals above what the search allows: (...,); 0 without a limit.

        The search stays one standard error below the limit, because a setting that barely meets it here misses it
        elsewhere.
        """
        over_refusals = ((worths == OVER_REFUSED) & should).sum(-1)
        if self.max_over_refusal is None:
            return np.zeros(over_refusals.shape)
        limit, n = self.max_over_refusal, int(should.sum())
        return np.maximum(
            0, over_refusals - math.floor(max(0.0, limit * n - math.sqrt(n * limit * (1 - limit))) + 1e-9)
        )

    def total(self, worths: np.ndarray, should: np.ndarray) -> np.ndarray:
        """The number to minimise, (...,): the cost of all cases. One excess over-refusal outweighs all costs."""
        return self.costs(worths, should).sum(-1) + self.excess(worths, should) * (worths.shape[-1] + 1)


def search_keys(base: Preset) -> tuple[str, ...]:
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
    """Coordinate descent from several settings; then moves that may be due to chance are undone."""

    def __init__(self, bank: ValuedBank, base: Preset, aim: Aim, on_progress: Callable[[float], None]) -> None:
        self.bank, self.base, self.aim, self.on_progress = bank, base, aim, on_progress
        self.keys, self.home, self.should = search_keys(base), values(base), bank.should
        self._steps = 0

    def best_preset(self) -> Preset:
        """The best setting; `base` itself if none is better by more than chance."""
        best = self._without_weak_moves(
            min((self._descend(start, self.keys) for start in self._starts()), key=self._rank)
        )
        best = self._without_weak_moves(self._descend(best, self._moved_keys(best)))
        self.on_progress(1.0)
        of_one_wrong = self.aim.wrong_cost if self.aim.max_over_refusal is None else 1.0
        return best if self._savings_to_noise(self.base, best, unseen=of_one_wrong) >= SURER else self.base

    def _starts(self) -> Iterator[Preset]:
        """The starting points: the current setting, the loosest one, and the best of many random settings."""
        yield self.base
        yield self.base.with_values({key: _loosest(key) for key in self.keys if _loosest(key) is not None})
        candidates = Points.random_points(self.base, _RANDOM_SETTINGS, random_seed=0, keys=self.keys)
        totals = self._totals(candidates)
        for index in np.argsort(totals, kind="stable")[:_RANDOM_STARTS]:
            yield candidates.preset(int(index))

    def _descend(self, current: Preset, keys: tuple[str, ...]) -> Preset:
        """Set one threshold after another to its best value, starting at `current`, until none moves."""
        for _ in range(_MOST_PASSES):
            previous_values = values(current)
            for key in keys:
                self._steps += 1
                self.on_progress(min(0.99, self._steps / ((2 + _RANDOM_STARTS) * _USUAL_PASSES * len(self.keys))))
                grid = np.union1d(all_thresholds()[key].grid(), [self.home[key]])
                current = current.with_values(
                    {key: best_value(grid, self._totals(Points.along(current, key, grid)), self.home[key])}
                )
            if values(current) == previous_values:
                break
        return current

    def _without_weak_moves(self, current: Preset) -> Preset:
        """`current` without the moves that save too little, taken back one by one, weakest first."""
        while moved_keys := self._moved_keys(current):
            trials = [current.with_values({key: self.home[key]}) for key in moved_keys]
            ratios = [self._savings_to_noise(back, current) for back in trials]
            weakest = int(np.argmin(ratios))
            if ratios[weakest] >= SURE:
                break
            current = trials[weakest]
        return current

    def _savings_to_noise(self, before: Preset, after: Preset, unseen: float = 0.0) -> float:
        """The savings of moving from `before` to `after` over their noise; infinite if the limit requires the move.

        unseen: the cost of one further case that the set does not hold. Without it, eight more answers that are all
        right would count as proof, although a ninth may be wrong and cost as much as five of them save.
        """
        worths_before, worths_after = (self.bank.at(preset) for preset in (before, after))
        excess = [float(self.aim.excess(worths, self.should)) for worths in (worths_before, worths_after)]
        if excess[0] != excess[1]:
            return np.inf if excess[0] > excess[1] else -np.inf
        savings = self.aim.costs(worths_before, self.should) - self.aim.costs(worths_after, self.should)
        noise = float(np.sqrt((savings**2).sum() + unseen**2))
        return float(savings.sum()) / noise if noise > _DUST else 0.0

    def _moved_keys(self, setting: Preset) -> tuple[str, ...]:
        setting_values = values(setting)
        return tuple(key for key in self.keys if setting_values[key] != self.home[key])

    def _totals(self, points: Points) -> np.ndarray:
        return self.aim.total(self.bank.decide(points).worths, self.should)

    def _rank(self, setting: Preset) -> tuple[float, int]:
        """Sort key of a setting, lowest first: its total, then the number of moved thresholds."""
        return float(self.aim.total(self.bank.at(setting), self.should)), len(self._moved_keys(setting))


def best_value(grid: np.ndarray, totals: np.ndarray, home: float) -> float:
    """The value with the lowest total. If `home` is such a value, `home`; else a value from the run of neighbouring
    such values that is nearest to `home`.

    From a run between two worse values, the middle is returned, since it depends least on single cases. From a run that
    reaches an end of the grid, the value nearest to `home` is returned.
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


FEWEST = 10
"""Minimum number of cases in each half."""
_LEAST_SHARE = 0.2
_Z = 1.959963984540054  # 95 %
SEED_C_KEY = "retrieval_score.min_retrieval_score"
SEED_C_VALUES = (0.2, 0.25, 0.3, 0.35, 0.4)
"""The values that source document C sweeps."""
MAX_REFUSED_SHARE = 0.1
"""Source document C requires a share of false abstentions below this."""


@dataclass(frozen=True, kw_only=True)
class Move:
    """One threshold that a proposal moves. saves: cost saved per case by this move alone, on the half to report on."""

    key: str
    before: float
    after: float
    saves: float


@dataclass(frozen=True, kw_only=True)
class Half:
    """One half of a bank under the base preset and under the proposed one.

    saved: cost saved per case, in the aim's unit, as a 95 % interval (paired, normal); negative is worse.
    """

    base: Tally
    proposed: Tally
    base_cost: float
    cost: float
    saved: tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """The base preset, the proposed one, and the results on both halves. Without moves, nothing better was found.

    fitted: the half that was searched on. held_out: the half to report on.
    """

    aim: Aim
    base: Preset
    preset: Preset
    moves: tuple[Move, ...]
    fitted: Half
    held_out: Half

    @property
    def is_silent(self) -> bool:
        """True if the proposal answers nothing in either half, because the aim makes silence cheapest."""
        halves = (self.fitted.proposed, self.held_out.proposed)
        return not any(t.right + t.fair + t.wrong + t.not_due_wrong for t in halves)


def propose(
    bank: ValuedBank,
    base: Preset,
    aim: Aim,
    on_progress: Callable[[float], None] | None = None,
    tuning: np.ndarray | None = None,
) -> Proposal:
    """Search all limits of `base` on the tuning half and report on the other half.

    on_progress: called now and then with the share of the search that is done; an exception it raises ends the search.
    tuning: mask of the cases to search on, (cases,) bool; by default as `halves` gives it.
    Raises CaseError if a half is too small.
    """
    banks = split_halves(bank, tuning)
    best = Search(banks[0], base, aim, on_progress or (lambda _: None)).best_preset()
    before, after = values(base), values(best)
    keys = [key for key in before if before[key] != after[key]]
    saves = {key: _saves(banks[1], best, key, before[key], aim) for key in keys}
    moves = tuple(Move(key=k, before=before[k], after=after[k], saves=saves[k]) for k in keys)
    fitted, held_out = (half(bank, base, best, aim) for bank in banks)
    return Proposal(aim=aim, base=base, preset=best, moves=moves, fitted=fitted, held_out=held_out)


def split_halves(bank: ValuedBank, tuning: np.ndarray | None = None) -> tuple[ValuedBank, ValuedBank]:
    """The half to search on and the half to report on. Raises CaseError if one of them is too small."""
    is_tuning = np.asarray(halves(bank.rows) if tuning is None else tuning, dtype=bool)
    parts = [np.flatnonzero(is_tuning == side) for side in (True, False)]
    if min(map(len, parts)) < FEWEST:
        raise CaseError(
            f"The bank has {len(parts[0])} measured cases to search on and {len(parts[1])} to report on; each half "
            f"needs at least {FEWEST}, so add questions or measure more of them."
        )
    return bank.some(parts[0]), bank.some(parts[1])


def halves(rows: Sequence[Mapping[str, Any]]) -> np.ndarray:
    """True for rows in the half that is searched on, (rows,); a hash of the question decides.

    A bank that is itself half of another (nearly all questions on one side) is split by a second hash.
    """
    is_tuning = np.array([half_of(row["query"]) == "tuning" for row in rows], dtype=bool)
    if len(rows) and _LEAST_SHARE <= is_tuning.mean() <= 1 - _LEAST_SHARE:
        return is_tuning
    hashes = (hashlib.sha256(f"again {row['query'].strip()}".encode()).digest() for row in rows)
    return np.array([digest[-1] % 2 == 0 for digest in hashes], dtype=bool)


def half(bank: ValuedBank, base: Preset, proposal_: Preset, aim: Aim) -> Half:
    """The results of `bank` under both presets."""
    should, count = bank.should, len(bank.rows)
    before, after = bank.at(base), bank.at(proposal_)
    costs = aim.costs(before, should), aim.costs(after, should)
    savings = costs[0] - costs[1]
    margin = _Z * float(savings.std(ddof=1)) / count**0.5 if count > 1 else 0.0
    return Half(
        base=tally(before, should), proposed=tally(after, should), base_cost=float(costs[0].mean()),
        cost=float(costs[1].mean()), saved=(float(savings.mean()) - margin, float(savings.mean()) + margin),
    )  # fmt: skip


def _saves(bank: ValuedBank, proposal_: Preset, key: str, base_value: float, aim: Aim) -> float:
    """The cost per case that is added if one threshold of the proposed preset is moved back; negative if moving it back
    saves cost."""
    worths = (bank.at(proposal_.with_values({key: base_value})), bank.at(proposal_))
    without, with_it = (float(aim.costs(w, bank.should).mean()) for w in worths)
    return without - with_it


def row(proposal: Proposal) -> dict[str, Any]:
    """The row of the command line for a proposal: the moved thresholds, and the counts of both halves."""
    fitted, held_out = proposal.fitted, proposal.held_out
    cost = {"mean_cost": held_out.cost, "saved_per_case": list(held_out.saved)}
    return {
        "preset": {move.key: move.after for move in proposal.moves},
        "fitted_on": fitted.proposed.row() | {"mean_cost": fitted.cost},
        "held_out": held_out.proposed.row() | cost,
        "default_held_out": held_out.base.row() | {"mean_cost": held_out.base_cost},
    }


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """The sweep of source document C, with only its check blocking.

    accuracy: rate of correct outcomes on the swept half, for each of SEED_C_VALUES.
    chosen: the value with the best accuracy.
    held_out, default: counts on the other half, under the chosen value and under the document's 0.3.
    """

    accuracy: tuple[Rate, ...]
    chosen: float
    preset: Preset
    held_out: Tally
    default: Tally

    @property
    def is_within_limit(self) -> bool:
        """True if the share of good questions refused on the other half is below the document's limit."""
        share = self.held_out.over_refusal.share
        return share is not None and share < MAX_REFUSED_SHARE


def calibration(bank: ValuedBank) -> Calibration:
    """Choose the value on one half of `bank` and report on the other half, without running a model.

    Among equally good values, the one nearest to the default is chosen. Raises CaseError if a half is too small.
    """
    swept, held_out = split_halves(bank)
    base = preset("seed_c")
    points = [base.with_values({SEED_C_KEY: value}) for value in SEED_C_VALUES]
    accuracy = tuple(swept.tally(point).as_it_should_be for point in points)
    default = values(base)[SEED_C_KEY]
    best = min(range(len(SEED_C_VALUES)), key=lambda n: (-accuracy[n].count, abs(SEED_C_VALUES[n] - default)))
    return Calibration(
        accuracy=accuracy, chosen=SEED_C_VALUES[best], preset=points[best], held_out=held_out.tally(points[best]),
        default=held_out.tally(base),
    )  # fmt: skip
