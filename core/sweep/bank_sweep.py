"""A whole bank decided again by the same chain: at one preset, along a slider, over two, at thousands of settings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.evaluation.cases import Labelled
from core.sweep.bank import Bank
from core.sweep.outcomes import OUTCOMES, REASON_NAMES, REFUSED, Became, Decided, RouteOutcomes
from core.sweep.settings_grid import Points
from core.sweep.threshold_columns import Columns
from core.sweep.vectorized_routing import Routed, routed
from core.thresholds import Preset

AT_ONCE = 400_000
"""Pairs of a case and a point that are decided at a time, which bounds the memory of a search."""


@dataclass(frozen=True, kw_only=True)
class CaseCounts:
    """Cases counted at every point, in groups.

    outcomes: (points, groups, OUTCOMES). reasons: primary reasons of what was refused, (points, groups, REASON_NAMES).
    falsehoods: altered answers of which something false goes out, (points, groups). shape: how the points are laid out.
    """

    points: Points
    groups: tuple[str, ...]
    outcomes: np.ndarray
    reasons: np.ndarray
    falsehoods: np.ndarray
    shape: tuple[int, ...]

    def of(self, outcome: str, group: str = "all") -> np.ndarray:
        """How many cases of a group come to one outcome, laid out as `shape`."""
        return self.outcomes[:, self.groups.index(group), OUTCOMES.index(outcome)].reshape(self.shape)


class Counter:
    """Adds up what became of the cases, block by block."""

    def __init__(self, points: Points, groups: Mapping[str, np.ndarray], cases: int, became: Sequence[Became]) -> None:
        """groups: by name which cases to count, each (cases,) of True and False."""
        self._points, self._names, self._became = points, tuple(groups), became
        self._groups = [np.asarray(mask, dtype=bool).reshape(cases) for mask in groups.values()]
        shape = (len(points), len(groups))
        self._outcomes = np.zeros((*shape, len(OUTCOMES)), dtype=np.int32)
        self._reasons = np.zeros((*shape, len(REASON_NAMES)), dtype=np.int32)
        self._falsehoods = np.zeros(shape, dtype=np.int32)

    def add(self, cases: slice, found: Routed) -> None:
        """What became of a block of cases."""
        for group, mask in enumerate(self._groups):
            mine = mask[cases]
            for code, count in _tallied(found.became[mine], len(self._became)):
                became = self._became[code]
                self._outcomes[:, group, OUTCOMES.index(became.name)] += count
                self._falsehoods[:, group] += became.falsehood * count
            refused = np.where(found.routes[mine] == REFUSED, found.reasons[mine], len(REASON_NAMES))
            for code, count in _tallied(refused, len(REASON_NAMES)):
                self._reasons[:, group, code] += count

    def counted(self, shape: tuple[int, ...]) -> CaseCounts:
        """All that was added."""
        return CaseCounts(
            points=self._points, groups=self._names, outcomes=self._outcomes, reasons=self._reasons,
            falsehoods=self._falsehoods, shape=shape,
        )  # fmt: skip


def _tallied(codes: np.ndarray, most: int) -> list[tuple[int, np.ndarray]]:
    """Each code below `most` that occurs in (cases, points), with how often at every point: (points,)."""
    there = np.flatnonzero(np.bincount(codes.ravel(), minlength=most)[:most]).tolist()
    return [(code, (codes == code).sum(0, dtype=np.int32)) for code in there]


class BankSweep:
    """Measured cases with their labels, ready to be decided at any settings. No model is asked, whatever is moved.

    Each cell is what `next_step` and `verdict` say of that case alone under that preset, and what `outcome` calls it.
    What was decided last is remembered, so that a slider decides its own check alone. Not for two threads.
    """

    def __init__(self, cases: Sequence[Labelled], at_once: int = AT_ONCE) -> None:
        """at_once: pairs of a case and a point that are decided together."""
        self.cases, self._at_once = tuple(cases), at_once
        self._bank = Bank.of([case.trace for case in self.cases])
        self._outcomes = RouteOutcomes(self.cases, self._bank.units)

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
        for cases, found in self._routed(points):
            routes[:, cases], reasons[:, cases], became[:, cases] = found.routes.T, found.reasons.T, found.became.T
        return Decided.of(points, routes, reasons, became, self._outcomes.became)

    def counted(
        self, points: Points, groups: Mapping[str, np.ndarray] | None = None,
        told: Callable[[float], None] | None = None, shape: tuple[int, ...] = (),
    ) -> CaseCounts:  # fmt: skip
        """How many cases come to what at every point, for very many points.

        groups: cases to count apart, by name, each (cases,) of True and False; by default "all". told: called with the
        share done so far; what it raises ends the count. shape: how the points are laid out.
        """
        everyone = {"all": np.ones(len(self.cases), dtype=bool)}
        counter = Counter(points, groups or everyone, len(self.cases), self._outcomes.became)
        for done, (cases, found) in enumerate(self._routed(points), 1):
            counter.add(cases, found)
            if told:
                told(done / -(-len(self.cases) // self._size(points)))
        return counter.counted(shape or (len(points),))

    def _routed(self, points: Points) -> Iterator[tuple[slice, Routed]]:
        """The cases block by block."""
        columns, size = Columns(points), self._size(points)
        for first in range(0, len(self.cases), size):
            end = min(first + size, len(self.cases))
            bank = self._bank if size >= len(self.cases) else self._bank.narrowed(first, end)
            yield slice(first, end), routed(bank, columns, self._outcomes)

    def _size(self, points: Points) -> int:
        return max(1, self._at_once // max(1, len(points)))
