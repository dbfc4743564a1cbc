"""Proposals of thresholds: a search over all limits that moves one only if it saves more than chance would."""

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from core.banks.open_bank import OpenBank
from core.banks.project import for_fitting
from core.case import CaseError
from core.check import mode_of
from core.checks import all_checks, all_thresholds, threshold_of
from core.decide.points import Limits
from core.errors import UserError
from core.evaluation.counts import Counts, Rate, Z
from core.evaluation.outcomes import OVER_REFUSED, UNSAID, WRONG
from core.presets import differences, preset, values
from core.thresholds import DUST, Preset
from core.tuning.curves import curve

SURE, SURER = 1.0, 2.5
"""Minimum ratio of savings to noise: for one threshold to leave its value, and for a proposal to be made at all.
Noise is the root of the summed squares of the changes of single cases. With few cases, chance alone changes as much,
and a search picks the luckiest of many settings."""
_ORDERS = 6
"""Number of orders in which the thresholds are moved."""
_MOST_PASSES, _USUAL_PASSES = 6, 3
"""Maximum number of passes over all thresholds, and the usual number."""
FEWEST = 10
"""Minimum number of cases in each half."""
_LEAST_SHARE = 0.2
SEED_C_KEY = "retrieval_score.min_retrieval_score"
SEED_C_VALUES = (0.2, 0.25, 0.3, 0.35, 0.4)
"""The values that source document C sweeps."""


class AimError(UserError):
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
            raise AimError(
                f"A wrong answer must cost more than 0 and at most 1000 wrong refusals, got {self.wrong_cost!r}."
            )
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
        allowed = math.floor(max(0.0, limit * n - math.sqrt(n * limit * (1 - limit))) + DUST)
        return np.maximum(0, over_refusals - allowed)

    def is_sure(
        self, before: np.ndarray, after: np.ndarray, should: np.ndarray, ratio: float, unseen: float = 0.0
    ) -> Any:
        """True where a move saves at least `ratio` times its noise, or brings the over-refusals nearer to the limit.

        before: worths of the cases, (cases,). after: worths after a move, (..., cases). unseen: the cost of one further
        case that the set does not hold. Without it, eight more answers that are all right would count as proof,
        although a ninth may be wrong and cost as much as five of them save.
        """
        saved = self.costs(before, should) - self.costs(after, should)
        excess = self.excess(after, should) - self.excess(before, should)
        is_more = saved.sum(-1) >= ratio * np.sqrt((saved**2).sum(-1) + unseen**2) - DUST
        return (excess < 0) | ((excess == 0) & is_more)

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
        if not t.switch
    )


def best_preset(bank: OpenBank, base: Preset, aim: Aim, on_progress: Callable[[float], None]) -> Preset:
    """The best setting of all limits of `base` for the cases of `bank`; `base` itself if none is better by more than
    chance.

    The search sets one threshold after another to its best value until none moves. It starts at `base` and at the
    loosest limits, since where two checks stop the same question, neither of them alone can let it through; and takes
    the thresholds in several orders, since the first one moved may block others. Then moves that may be due to chance
    are taken back.
    """
    keys, home, should, steps = search_keys(base), values(base), bank.should, count(1)

    def descend(current: Preset, order: Sequence[str], ratio: float) -> Preset:
        """A threshold leaves its value in `base` only for savings of at least `ratio` times their noise."""
        for _ in range(_MOST_PASSES):
            previous = values(current)
            for key in order:
                on_progress(min(0.99, next(steps) / (2 * _ORDERS * _USUAL_PASSES * len(keys))))
                grid = np.union1d(all_thresholds()[key].grid(), [home[key]])
                worths, is_home = bank.decide(Limits.along(current, key, grid)).worths, grid == home[key]
                is_allowed = is_home | aim.is_sure(worths[np.argmax(is_home)], worths, should, ratio)
                totals = np.where(is_allowed, aim.total(worths, should), np.inf)
                current = current.with_values({key: best_value(grid, totals, home[key])})
            if values(current) == previous:
                break
        return current

    def rank(setting: Preset) -> tuple[float, int]:
        """The total of a setting, then the number of its moves: the lowest comes first."""
        return float(aim.total(bank.at(setting), should)), len(differences(base, setting))

    sliders = [t for t in map(threshold_of, keys) if t.stricter in ("higher", "lower")]
    loosest = base.with_values({t.key: t.low if t.stricter == "higher" else t.high for t in sliders})
    rng = np.random.default_rng(0)
    orders = [[str(key) for key in rng.permutation(keys)] for _ in range(_ORDERS)]
    best = descend(min((descend(s, order, 0.0) for order in orders for s in (base, loosest)), key=rank), keys, SURE)
    on_progress(1.0)
    one_wrong = aim.wrong_cost if aim.max_over_refusal is None else 1.0
    return best if aim.is_sure(bank.at(base), bank.at(best), should, SURER, one_wrong) else base


def best_value(grid: np.ndarray, totals: np.ndarray, home: float) -> float:
    """The value with the lowest total. If `home` is such a value, `home`; else a value from the run of neighbouring
    such values that is nearest to `home`.

    From a run between two worse values, the middle is returned, since it depends least on single cases. From a run that
    reaches an end of the grid, the value nearest to `home` is returned.
    """
    is_lowest = totals <= totals.min() + DUST
    home_index = int(np.argmin(np.abs(grid - home)))
    if is_lowest[home_index] and abs(grid[home_index] - home) < DUST:
        return float(home)
    nearest = min(np.flatnonzero(is_lowest), key=lambda n: abs(grid[n] - home))
    low = high = nearest
    while low > 0 and is_lowest[low - 1]:
        low -= 1
    while high < len(grid) - 1 and is_lowest[high + 1]:
        high += 1
    is_interior = low > 0 and high < len(grid) - 1
    return float(grid[(low + high) // 2] if is_interior else grid[nearest])


@dataclass(frozen=True, kw_only=True)
class MovedLimit:
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

    base: Counts
    proposed: Counts
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
    moves: tuple[MovedLimit, ...]
    fitted: Half
    held_out: Half

    @property
    def is_silent(self) -> bool:
        """True if the proposal answers nothing in either half, because the aim makes silence cheapest."""
        halves = (self.fitted.proposed, self.held_out.proposed)
        return not any(t.right + t.fair + t.wrong + t.not_due_wrong for t in halves)


def propose(
    bank: OpenBank, base: Preset, aim: Aim, on_progress: Callable[[float], None] = lambda _: None,
    tuning: np.ndarray | None = None,
) -> Proposal:  # fmt: skip
    """Search all limits of `base` on the tuning half and report on the other half.

    on_progress: called now and then with the share of the search that is done; an exception it raises ends the search.
    tuning: mask of the cases to search on, (cases,) bool; by default as `halves` gives it.
    Raises CaseError if a half is too small.
    """
    searched, held_out = split_halves(bank, tuning)
    best = best_preset(searched, base, aim, on_progress)

    def cost(setting: Preset) -> float:
        return float(aim.costs(held_out.at(setting), held_out.should).mean())

    moves = []
    for d in differences(base, best):
        saves = cost(best.with_values({d.key: d.first})) - cost(best)
        moves.append(MovedLimit(key=d.key, before=d.first, after=d.second, saves=saves))
    fitted, reported = (half(own, base, best, aim) for own in (searched, held_out))
    return Proposal(aim=aim, base=base, preset=best, moves=tuple(moves), fitted=fitted, held_out=reported)


def split_halves(bank: OpenBank, tuning: np.ndarray | None = None) -> tuple[OpenBank, OpenBank]:
    """The half to search on and the half to report on. Raises CaseError if one of them is too small."""
    is_tuning = np.asarray(halves(bank.rows) if tuning is None else tuning, dtype=bool)
    parts = [np.flatnonzero(is_tuning == side) for side in (True, False)]
    if min(map(len, parts)) < FEWEST:
        raise CaseError(
            f"The set has {len(parts[0])} measured cases to search on and {len(parts[1])} to test the result on; each "
            f"half needs at least {FEWEST}. Add questions, or measure more of them."
        )
    return bank.some(parts[0]), bank.some(parts[1])


def halves(rows: Sequence[Mapping[str, Any]]) -> np.ndarray:
    """True for rows in the half that is searched on, (rows,); a hash of the question decides.

    A bank that is itself half of another (nearly all questions on one side) is split by a second hash.
    """
    is_tuning = np.array([for_fitting(row["query"]) for row in rows], dtype=bool)
    if len(rows) and _LEAST_SHARE <= is_tuning.mean() <= 1 - _LEAST_SHARE:
        return is_tuning
    hashes = (hashlib.sha256(f"again {row['query'].strip()}".encode()).digest() for row in rows)
    return np.array([digest[-1] % 2 == 0 for digest in hashes], dtype=bool)


def half(bank: OpenBank, base: Preset, proposed: Preset, aim: Aim) -> Half:
    base_costs, costs = (aim.costs(bank.at(preset), bank.should) for preset in (base, proposed))
    savings = base_costs - costs
    mean, margin = float(savings.mean()), Z * float(savings.std(ddof=1)) / len(savings) ** 0.5
    return Half(
        base=bank.counts(base), proposed=bank.counts(proposed), base_cost=float(base_costs.mean()),
        cost=float(costs.mean()), saved=(mean - margin, mean + margin),
    )  # fmt: skip


def row(proposal: Proposal) -> dict[str, Any]:
    """The row of the command line for a proposal: the moved thresholds, and the counts of both halves."""
    fitted, held_out = proposal.fitted, proposal.held_out
    return {
        "preset": {move.key: move.after for move in proposal.moves},
        "fitted_on": fitted.proposed.row() | {"mean_cost": fitted.cost},
        "held_out": held_out.proposed.row() | {"mean_cost": held_out.cost, "saved_per_case": list(held_out.saved)},
        "default_held_out": held_out.base.row() | {"mean_cost": held_out.base_cost},
    }


def calibration(bank: OpenBank) -> dict[str, Any]:
    """The sweep of source document C as JSON, with only its checks blocking: the accuracy at each of its values on one
    half of `bank`, the most accurate value, and the right outcomes with it on the other half.

    It reads the curve of one limit. Among equally good values, the one nearest to the document's own is chosen. Raises
    CaseError if a half is too small.
    """
    swept, held_out = split_halves(bank)
    base = preset("seed_c")
    counts, printed = curve(swept, base, SEED_C_KEY), values(base)[SEED_C_KEY]
    known = len(swept.rows) - counts.unsaid
    right = known - counts.wrong - counts.over_refused
    at = {value: counts.nearest_index(value) for value in SEED_C_VALUES}
    chosen = min(at, key=lambda value: (-right[at[value]], abs(value - printed)))
    reported = {"chosen": base.with_values({SEED_C_KEY: chosen}), "as_printed": base}
    return {
        "threshold": SEED_C_KEY, "chosen": chosen,
        "accuracy": {f"{value:g}": Rate(count=int(right[n]), n=int(known[n])).row() for value, n in at.items()},
        "held_out": {name: held_out.counts(setting).as_it_should_be.row() for name, setting in reported.items()},
    }  # fmt: skip
