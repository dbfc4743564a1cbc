"""A whole bank decided again by the same chain: at one preset, along a slider, over two, at thousands of settings."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from core.evaluation.cases import Labelled
from core.sweep.bank import Bank
from core.sweep.batch_routing import Routed, settled
from core.sweep.case_counts import CaseCounts, Counter
from core.sweep.case_outcomes import REASON_NAMES, ROUTE_NAMES, Changed, Decided
from core.sweep.route_outcomes import OUTCOMES, RouteOutcomes
from core.sweep.settings_grid import GRID, Points, stepped, threshold
from core.sweep.threshold_columns import Columns
from core.thresholds import Preset

__all__ = ["OUTCOMES", "REASON_NAMES", "ROUTE_NAMES", "BankSweep", "CaseCounts", "Changed", "Decided"]

AT_ONCE = 400_000
"""Pairs of a case and a point that are decided at a time, which bounds the memory of a search."""


class BankSweep:
    """Measured cases with their labels, ready to be decided at any settings. No model is asked, whatever is moved.

    Each cell is what `next_step` and `verdict` say of that case alone under that preset, and what `outcome` calls it.
    What was decided last is remembered, so that a slider decides its own check alone. Not for two threads.
    """

    def __init__(self, cases: Sequence[Labelled], at_once: int = AT_ONCE) -> None:
        """at_once: pairs of a case and a point that are decided together."""
        self.cases, self._at_once = tuple(cases), at_once
        self._bank = Bank.of([case.trace for case in self.cases])
        self._endings = RouteOutcomes(self.cases, self._bank.units)

    def at(self, preset: Preset) -> Decided:
        """Every case at one preset: arrays (1, cases)."""
        return self.decided(Points(base=preset))

    def along(self, preset: Preset, key: str, values: Sequence[float] | None = None) -> Decided:
        """Every case at each value of one threshold, by default at every step of its slider: arrays (points, cases)."""
        return self.decided(Points.along(preset, key, values))

    def decided(self, points: Points) -> Decided:
        """Every case at every point: arrays (points, cases)."""
        shape = (len(points), len(self.cases))
        routes, reasons, became = (np.zeros(shape, dtype=np.uint8) for _ in range(3))
        for cases, found in self._settled(points):
            routes[:, cases], reasons[:, cases], became[:, cases] = found.routes.T, found.reasons.T, found.became.T
        return Decided.of(points, routes, reasons, became, self._endings.became)

    def counted(
        self, points: Points, groups: Mapping[str, np.ndarray] | None = None,
        told: Callable[[float], None] | None = None, shape: tuple[int, ...] = (),
    ) -> CaseCounts:  # fmt: skip
        """How many cases come to what at every point, for very many points.

        groups: cases to count apart, by name, each (cases,) of True and False; by default "all". told: called with the
        share done so far; what it raises ends the count. shape: how the points are laid out.
        """
        everyone = {"all": np.ones(len(self.cases), dtype=bool)}
        counter = Counter(points, groups or everyone, len(self.cases), self._endings)
        for done, (cases, found) in enumerate(self._settled(points), 1):
            counter.add(cases, found)
            if told:
                told(done / self._blocks(points))
        return counter.counted(shape or (len(points),))

    def over(
        self, preset: Preset, key: str, other: str, values: Sequence[float] | None = None,
        others: Sequence[float] | None = None, groups: Mapping[str, np.ndarray] | None = None,
    ) -> CaseCounts:  # fmt: skip
        """How many cases come to what at each pair of values of two thresholds; its shape is (values, others)."""
        values, others = (stepped(threshold(k), GRID) if v is None else v for k, v in ((key, values), (other, others)))
        points = Points.over(preset, key, other, values, others)
        return self.counted(points, groups, shape=(len(values), len(others)))

    def _settled(self, points: Points) -> Iterator[tuple[slice, Routed]]:
        """The cases block by block."""
        columns, size = Columns(points), self._size(points)
        for first in range(0, len(self.cases), size):
            end = min(first + size, len(self.cases))
            bank = self._bank if size >= len(self.cases) else self._bank.narrowed(first, end)
            yield slice(first, end), settled(bank, columns, self._endings)

    def _size(self, points: Points) -> int:
        return max(1, self._at_once // max(1, len(points)))

    def _blocks(self, points: Points) -> int:
        return -(-len(self.cases) // self._size(points))
