"""Thresholds proposed from a bank: searched on one half of it, together or as seed C does, reported on the other."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.banks import half_of
from core.banks.scored_bank import Tally, ValuedBank, tally
from core.case import CaseError
from core.evaluation.cases import Labelled
from core.evaluation.outcomes import Rate
from core.presets import preset, values
from core.thresholds import Preset
from core.tuning.search import Aim, Search

FEWEST = 10
"""Fewest cases of either half: with fewer there is nothing to search on, or nothing to report."""
_LEAST_SHARE = 0.2
_Z = 1.959963984540054  # 95 %
SEED_C_KEY = "retrieval_score.min_retrieval_score"
SEED_C_VALUES = (0.2, 0.25, 0.3, 0.35, 0.4)
"""The seed's own."""
MOST_REFUSED = 0.1
"""The seed wants fewer false abstentions than this share."""


@dataclass(frozen=True, kw_only=True)
class Move:
    """One threshold that a proposal moves. saves: what that saves a case on the reporting half, beside the others."""

    key: str
    before: float
    after: float
    saves: float


@dataclass(frozen=True, kw_only=True)
class Half:
    """One half of a bank under today's preset and under the proposed one.

    saved: what the proposal saves a case, in the aim's unit, and its 95 % interval (paired, normal); negative is worse.
    """

    base: Tally
    proposed: Tally
    base_cost: float
    cost: float
    saved: tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """What is proposed, from what it started, and what becomes of both halves. No moves: nothing better was found."""

    aim: Aim
    base: Preset
    preset: Preset
    moves: tuple[Move, ...]
    fitted: Half
    held_out: Half

    @property
    def refuses_all(self) -> bool:
        """True when the proposal answers nothing of either half: the aim makes silence the cheapest."""
        halves = (self.fitted.proposed, self.held_out.proposed)
        return not any(t.right + t.fair + t.wrong + t.let_out for t in halves)


def propose(
    cases: Sequence[Labelled],
    base: Preset,
    aim: Aim,
    told: Callable[[float], None] | None = None,
    tuning: np.ndarray | None = None,
) -> Proposal:
    """Search all limits of `base` on the tuning half, and report on the other. CaseError when a half is too small.

    told: gets the share of the search that is done, now and then; an error that it raises ends the search.
    tuning: which cases are searched on, (cases,) bool; by default as `halves` says.
    """
    banks = parted(cases, tuning)
    found = Search(banks[0], base, aim, told or (lambda _: None)).found()
    before, after = values(base), values(found)
    keys = [key for key in before if before[key] != after[key]]
    saves = {key: _saves(banks[1], found, key, before[key], aim) for key in keys}
    moves = tuple(Move(key=k, before=before[k], after=after[k], saves=saves[k]) for k in keys)
    fitted, held_out = (half(bank, base, found, aim) for bank in banks)
    return Proposal(aim=aim, base=base, preset=found, moves=moves, fitted=fitted, held_out=held_out)


def parted(cases: Sequence[Labelled], tuning: np.ndarray | None = None) -> tuple[ValuedBank, ValuedBank]:
    """The half to search on and the half to report on; CaseError when one of them is too small."""
    on = halves(cases) if tuning is None else tuning
    parts = [[c for c, mine in zip(cases, on, strict=True) if bool(mine) is side] for side in (True, False)]
    if min(map(len, parts)) < FEWEST:
        raise CaseError(
            f"The bank has {len(parts[0])} measured cases to search on and {len(parts[1])} to report on; each half "
            f"needs at least {FEWEST}, so add questions or measure more of them."
        )
    return ValuedBank(parts[0]), ValuedBank(parts[1])


def halves(cases: Sequence[Labelled]) -> np.ndarray:
    """Which cases belong to the half that is searched on, by the hash of their question: (cases,) bool.

    A bank that is itself a half of another (nearly all of its questions fall on one side) is halved by another hash.
    """
    first = np.array([half_of(c.row["query"]) == "tuning" for c in cases], dtype=bool)
    if len(cases) and _LEAST_SHARE <= first.mean() <= 1 - _LEAST_SHARE:
        return first
    return np.array([_again(c.row["query"]) for c in cases], dtype=bool)


def half(bank: ValuedBank, base: Preset, proposed: Preset, aim: Aim) -> Half:
    """What becomes of the cases of `bank` under both presets."""
    should, n = bank.should, len(bank.cases)
    before, after = bank.at(base), bank.at(proposed)
    costs = aim.costs(before, should), aim.costs(after, should)
    saved = costs[0] - costs[1]
    reach = _Z * float(saved.std(ddof=1)) / n**0.5 if n > 1 else 0.0
    return Half(
        base=tally(before, should), proposed=tally(after, should), base_cost=float(costs[0].mean()),
        cost=float(costs[1].mean()), saved=(float(saved.mean()) - reach, float(saved.mean()) + reach),
    )  # fmt: skip


def _saves(bank: ValuedBank, found: Preset, key: str, back: float, aim: Aim) -> float:
    """What a case of `bank` costs more when one threshold of `found` goes back."""
    worths = (bank.at(found.with_values({key: back})), bank.at(found))
    without, with_it = (float(aim.costs(w, bank.should).mean()) for w in worths)
    return without - with_it


def row(proposal: Proposal) -> dict[str, Any]:
    """The contract's row of the command line: the moved thresholds, and the counts of both halves."""
    fitted, held_out = proposal.fitted, proposal.held_out
    cost = {"mean_cost": held_out.cost, "saved_per_case": list(held_out.saved)}
    return {
        "preset": {move.key: move.after for move in proposal.moves},
        "fitted_on": fitted.proposed.row() | {"mean_cost": fitted.cost},
        "held_out": held_out.proposed.row() | cost,
        "default_held_out": held_out.base.row() | {"mean_cost": held_out.base_cost},
    }


def _again(query: str) -> bool:
    return hashlib.sha256(f"again {query.strip()}".encode()).digest()[-1] % 2 == 0


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """accuracy: what is as it should be on the half that was swept, at each of SEED_C_VALUES; chosen: the best of them.

    held_out: the other half under the chosen value, default: under the seed's 0.3; both with only seed C blocking.
    """

    accuracy: tuple[Rate, ...]
    chosen: float
    preset: Preset
    held_out: Tally
    default: Tally

    @property
    def keeps(self) -> bool:
        """True when fewer good questions than the seed allows are refused on the half that was not swept."""
        share = self.held_out.over_refusal.share
        return share is not None and share < MOST_REFUSED


def calibration(cases: Sequence[Labelled]) -> Calibration:
    """The sweep on one half of `cases`, reported on the other. CaseError when a half is too small; no model is asked.

    Of equally accurate values the one nearest to the seed's default is taken.
    """
    swept, rest = parted(cases)
    base = preset("seed_c")
    points = [base.with_values({SEED_C_KEY: value}) for value in SEED_C_VALUES]
    accuracy = tuple(swept.tally(point).as_it_should_be for point in points)
    default = values(base)[SEED_C_KEY]
    place = min(range(len(SEED_C_VALUES)), key=lambda n: (-accuracy[n].count, abs(SEED_C_VALUES[n] - default)))
    return Calibration(
        accuracy=accuracy, chosen=SEED_C_VALUES[place], preset=points[place], held_out=rest.tally(points[place]),
        default=rest.tally(base),
    )  # fmt: skip
