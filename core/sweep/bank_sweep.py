"""Decides all cases of a bank by the rules of the chain: at one preset, along a slider, over two, or at any points.

A point is one preset of a sweep.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.decide.engine import Decided
from core.decide.flow import NOWHERE
from core.decide.measured import NO_REASON, MeasuredSet
from core.decide.points import Columns, Points
from core.evaluation.cases import LabelledCase
from core.sweep.outcomes import (
    OUTCOMES,
    REASON_NAMES,
    REFUSE_INDEX,
    ROUTE_NAMES,
    RouteOutcomes,
    RowOutcome,
    SweepDecisions,
)
from core.thresholds import Preset

CELLS_PER_BLOCK = 400_000
"""Number of (case, point) pairs decided at a time; bounds the memory of a sweep."""


@dataclass(frozen=True, kw_only=True)
class CaseCounts:
    """Counts of cases at every point, by group.

    outcomes: (points, groups, OUTCOMES).
    reasons: primary reasons of refused cases, (points, groups, REASON_NAMES).
    falsehoods: altered answers that are delivered with something false, (points, groups).
    shape: the shape that `of` gives to the points, such as (values, values) for two sliders.
    """

    points: Points
    groups: tuple[str, ...]
    outcomes: np.ndarray
    reasons: np.ndarray
    falsehoods: np.ndarray
    shape: tuple[int, ...]

    def of(self, outcome: str, group: str = "all") -> np.ndarray:
        """Number of cases of a group with one outcome, in the layout `shape`."""
        return self.outcomes[:, self.groups.index(group), OUTCOMES.index(outcome)].reshape(self.shape)


@dataclass(frozen=True)
class Block:
    """Some cases at every point; each array is (cases, points). routes: indices into ROUTE_NAMES. reasons: indices into
    REASON_NAMES. outcome_codes: codes of RouteOutcomes.
    """

    routes: np.ndarray
    reasons: np.ndarray
    outcome_codes: np.ndarray


class Counter:
    """Sums the outcomes of the cases, block by block."""

    def __init__(
        self, points: Points, groups: Mapping[str, np.ndarray], cases: int, row_outcomes: Sequence[RowOutcome]
    ) -> None:
        """groups: for each name, a mask (cases,) of the cases to count."""
        self._points, self._names, self._outcome_codes = points, tuple(groups), row_outcomes
        self._groups = [np.asarray(mask, dtype=bool).reshape(cases) for mask in groups.values()]
        shape = (len(points), len(groups))
        self._outcomes = np.zeros((*shape, len(OUTCOMES)), dtype=np.int32)
        self._reasons = np.zeros((*shape, len(REASON_NAMES)), dtype=np.int32)
        self._falsehoods = np.zeros(shape, dtype=np.int32)

    def add(self, cases: slice, block: "Block") -> None:
        """Add a block of cases."""
        for group, mask in enumerate(self._groups):
            in_group = mask[cases]
            for code, count in _occurrences(block.outcome_codes[in_group], len(self._outcome_codes)):
                row_outcome = self._outcome_codes[code]
                self._outcomes[:, group, OUTCOMES.index(row_outcome.name)] += count
                self._falsehoods[:, group] += row_outcome.falsehood * count
            refusal_reasons = np.where(
                block.routes[in_group] == REFUSE_INDEX, block.reasons[in_group], len(REASON_NAMES)
            )
            for code, count in _occurrences(refusal_reasons, len(REASON_NAMES)):
                self._reasons[:, group, code] += count

    def totals(self, shape: tuple[int, ...]) -> CaseCounts:
        """The totals of all blocks added so far."""
        return CaseCounts(
            points=self._points, groups=self._names, outcomes=self._outcomes, reasons=self._reasons,
            falsehoods=self._falsehoods, shape=shape,
        )  # fmt: skip


def _occurrences(codes: np.ndarray, code_count: int) -> list[tuple[int, np.ndarray]]:
    """Each code below `code_count` that occurs in `codes` (cases, points), with its count per point: (points,)."""
    present = np.flatnonzero(np.bincount(codes.ravel(), minlength=code_count)[:code_count]).tolist()
    return [(code, (codes == code).sum(0, dtype=np.int32)) for code in present]


class BankSweep:
    """Measured cases with their labels, to be decided at any points without running a model.

    Each decision equals what `next_step` and `verdict` give for that case under that preset, and is named by `outcome`.
    The last decisions are cached, so that moving one slider decides only that slider's check. Not thread-safe.
    """

    def __init__(
        self, rows: Sequence[Mapping[str, Any]], measured: MeasuredSet, outcomes: RouteOutcomes | None = None,
        at_once: int = CELLS_PER_BLOCK,
    ) -> None:  # fmt: skip
        """rows: the row of each case with its labels. outcomes: the outcomes of the whole bank, if this set is a
        selection or they were stored; None to look them up.
        at_once: number of (case, point) pairs decided together."""
        self.measured, self._at_once, self._count = measured, at_once, len(measured.wholes)
        self._outcomes = outcomes or RouteOutcomes(rows, measured)

    @classmethod
    def of(cls, cases: Sequence[LabelledCase], at_once: int = CELLS_PER_BLOCK) -> "BankSweep":
        """The sweep of cases in memory."""
        return cls([case.row for case in cases], MeasuredSet.of([case.trace for case in cases]), at_once=at_once)

    def some(self, cases: np.ndarray) -> "BankSweep":
        """The sweep of a selection of the cases, by their indices."""
        return BankSweep((), self.measured.some(cases), self._outcomes, self._at_once)

    def at(self, preset: Preset) -> SweepDecisions:
        """Decide every case at one preset: arrays (1, cases)."""
        return self.decide(Points(base=preset))

    def along(self, preset: Preset, key: str, values: Sequence[float] | None = None) -> SweepDecisions:
        """Decide every case at each value of one threshold (default: its slider's steps): arrays (points, cases)."""
        return self.decide(Points.along(preset, key, values))

    def decide(self, points: Points) -> SweepDecisions:
        """Decide every case at every point: arrays (points, cases)."""
        shape = (len(points), self._count)
        routes, reasons, codes = (np.zeros(shape, dtype=np.uint8) for _ in range(3))
        for cases, block in self._blocks(points):
            routes[:, cases], reasons[:, cases], codes[:, cases] = (
                block.routes.T,
                block.reasons.T,
                block.outcome_codes.T,
            )
        return SweepDecisions.of(points, routes, reasons, codes, self._outcomes.row_outcomes)

    def count(
        self, points: Points, groups: Mapping[str, np.ndarray] | None = None,
        on_progress: Callable[[float], None] | None = None, shape: tuple[int, ...] = (),
    ) -> CaseCounts:  # fmt: skip
        """Count the outcomes at every point, without storing them case by case.

        groups: for each name, a mask (cases,) of the cases to count; by default one group "all".
        on_progress: called with the share done so far, 0 to 1; an exception that it raises ends the count.
        shape: the shape of the points in the result; by default (points,).
        """
        everyone = {"all": np.ones(self._count, dtype=bool)}
        counter = Counter(points, groups or everyone, self._count, self._outcomes.row_outcomes)
        block_count = -(-self._count // self._block_size(points))
        for block_number, (cases, block) in enumerate(self._blocks(points), 1):
            counter.add(cases, block)
            if on_progress:
                on_progress(block_number / block_count)
        return counter.totals(shape or (len(points),))

    def _blocks(self, points: Points) -> Iterator[tuple[slice, Block]]:
        """Yield the cases in blocks."""
        columns, size = Columns.of(points), self._block_size(points)
        for first in range(0, self._count, size):
            end = min(first + size, self._count)
            measured = self.measured if size >= self._count else self.measured.some(np.arange(first, end))
            decided, wholes = Decided(measured, columns), measured.wholes
            routes = decided.joint_routes[wholes]
            routes = np.where(routes == NOWHERE, len(ROUTE_NAMES) - 1, routes).astype(np.uint8)
            reasons = np.where(routes == len(ROUTE_NAMES) - 1, NO_REASON, decided.reasons()[wholes]).astype(np.uint8)
            yield slice(first, end), Block(routes, reasons, self._outcomes.of(decided))

    def _block_size(self, points: Points) -> int:
        return max(1, self._at_once // max(1, len(points)))
