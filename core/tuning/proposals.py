"""Thresholds proposed from a bank: searched on one half, together or one at a time, and reported on the other half."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.banks import half_of
from core.banks.scored_bank import Tally, ValuedBank, tally
from core.case import CaseError
from core.evaluation.cases import LabelledCase
from core.evaluation.outcomes import Rate
from core.presets import preset, values
from core.thresholds import Preset
from core.tuning.search import Aim, Search

FEWEST = 10
"""Minimum number of cases in each half."""
_LEAST_SHARE = 0.2
_Z = 1.959963984540054  # 95 %
SEED_C_KEY = "retrieval_score.min_retrieval_score"
SEED_C_VALUES = (0.2, 0.25, 0.3, 0.35, 0.4)
"""The values that source document C sweeps."""
MOST_REFUSED = 0.1
"""Source document C requires a share of false abstentions below this."""


@dataclass(frozen=True, kw_only=True)
class Move:
    """One threshold that a proposal moves. saves: cost saved per case on the reporting half by this move alone."""

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
    """The base preset, the proposed one, and the results on both halves. No moves means that nothing better exists."""

    aim: Aim
    base: Preset
    preset: Preset
    moves: tuple[Move, ...]
    fitted: Half
    held_out: Half

    @property
    def refuses_all(self) -> bool:
        """True if the proposal answers nothing in either half, because the aim makes silence cheapest."""
        halves = (self.fitted.proposed, self.held_out.proposed)
        return not any(t.right + t.fair + t.wrong + t.let_out for t in halves)


def propose(
    cases: Sequence[LabelledCase],
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
    banks = parted(cases, tuning)
    proposed = Search(banks[0], base, aim, on_progress or (lambda _: None)).found()
    before, after = values(base), values(proposed)
    keys = [key for key in before if before[key] != after[key]]
    saves = {key: _saves(banks[1], proposed, key, before[key], aim) for key in keys}
    moves = tuple(Move(key=k, before=before[k], after=after[k], saves=saves[k]) for k in keys)
    fitted, held_out = (half(bank, base, proposed, aim) for bank in banks)
    return Proposal(aim=aim, base=base, preset=proposed, moves=moves, fitted=fitted, held_out=held_out)


def parted(cases: Sequence[LabelledCase], tuning: np.ndarray | None = None) -> tuple[ValuedBank, ValuedBank]:
    """The half to search on and the half to report on. Raises CaseError if one of them is too small."""
    is_tuning = halves(cases) if tuning is None else tuning
    parts = [
        [c for c, in_half in zip(cases, is_tuning, strict=True) if bool(in_half) is side] for side in (True, False)
    ]
    if min(map(len, parts)) < FEWEST:
        raise CaseError(
            f"The bank has {len(parts[0])} measured cases to search on and {len(parts[1])} to report on; each half "
            f"needs at least {FEWEST}, so add questions or measure more of them."
        )
    return ValuedBank(parts[0]), ValuedBank(parts[1])


def halves(cases: Sequence[LabelledCase]) -> np.ndarray:
    """True for cases in the half that is searched on, by the hash of their question: (cases,) bool.

    A bank that is itself half of another (nearly all questions on one side) is split by a second hash.
    """
    is_tuning = np.array([half_of(c.row["query"]) == "tuning" for c in cases], dtype=bool)
    if len(cases) and _LEAST_SHARE <= is_tuning.mean() <= 1 - _LEAST_SHARE:
        return is_tuning
    hashes = (hashlib.sha256(f"again {c.row['query'].strip()}".encode()).digest() for c in cases)
    return np.array([digest[-1] % 2 == 0 for digest in hashes], dtype=bool)


def half(bank: ValuedBank, base: Preset, proposed: Preset, aim: Aim) -> Half:
    """The results of `bank` under both presets."""
    should, count = bank.should, len(bank.cases)
    before, after = bank.at(base), bank.at(proposed)
    costs = aim.costs(before, should), aim.costs(after, should)
    saved = costs[0] - costs[1]
    margin = _Z * float(saved.std(ddof=1)) / count**0.5 if count > 1 else 0.0
    return Half(
        base=tally(before, should), proposed=tally(after, should), base_cost=float(costs[0].mean()),
        cost=float(costs[1].mean()), saved=(float(saved.mean()) - margin, float(saved.mean()) + margin),
    )  # fmt: skip


def _saves(bank: ValuedBank, proposed: Preset, key: str, base_value: float, aim: Aim) -> float:
    """The extra cost per case if one threshold of `found` is moved back."""
    worths = (bank.at(proposed.with_values({key: base_value})), bank.at(proposed))
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
    def keeps(self) -> bool:
        """True if the share of good questions refused on the other half is below the document's limit."""
        share = self.held_out.over_refusal.share
        return share is not None and share < MOST_REFUSED


def calibration(cases: Sequence[LabelledCase]) -> Calibration:
    """Sweep one half of `cases` and report on the other, without running a model. Among equals, nearest to the default.

    Raises CaseError if a half is too small.
    """
    swept, held_out = parted(cases)
    base = preset("seed_c")
    points = [base.with_values({SEED_C_KEY: value}) for value in SEED_C_VALUES]
    accuracy = tuple(swept.tally(point).as_it_should_be for point in points)
    default = values(base)[SEED_C_KEY]
    best = min(range(len(SEED_C_VALUES)), key=lambda n: (-accuracy[n].count, abs(SEED_C_VALUES[n] - default)))
    return Calibration(
        accuracy=accuracy, chosen=SEED_C_VALUES[best], preset=points[best], held_out=held_out.tally(points[best]),
        default=held_out.tally(base),
    )  # fmt: skip
