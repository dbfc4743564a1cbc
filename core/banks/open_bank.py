"""A bank that is open: its measured rows, decided and counted under any limits without running a model."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from core.banks.decisions import ROUTE_NAMES, BankOutcomes, Decisions
from core.banks.row import SetRows
from core.case import Trace
from core.decide.engine import Decided
from core.decide.measured import NO_REASON, MeasuredSet
from core.decide.points import Limits
from core.decide.routes import NOWHERE
from core.evaluation.cases import LabelledCase
from core.evaluation.counts import Counts, count_worths
from core.evaluation.outcomes import is_due
from core.presets import modes_of, values
from core.thresholds import Preset

_CACHE_SIZE = 300
_CELLS = 400_000
"""Number of (case, point) pairs decided together; it bounds the memory of a long sweep."""
_AT_ONCE = 200
"""Number of traces that are read together."""


class OpenBank:
    """Measured cases with their labels. Thread-safe.

    rows: of each case. should: (cases,), True where an answer is due. measured: the signals.
    """

    def __init__(
        self, rows: Sequence[Mapping[str, Any]], measured: MeasuredSet,
        read: Callable[[Sequence[int]], Iterable[Trace]], outcomes: BankOutcomes | None = None,
    ) -> None:  # fmt: skip
        """read: a function from indices of cases to their traces, in the same order. outcomes: those of the whole bank,
        if this one is a selection or they were stored.
        """
        self.rows, self.measured, self._read = SetRows.of(rows), measured, read
        self.should = self.rows.of_each(is_due, bool)
        self._outcomes, self._lock = outcomes or BankOutcomes(self.rows, measured), threading.RLock()
        self._cache: OrderedDict[Hashable, Any] = OrderedDict()

    @classmethod
    def of(cls, cases: Sequence[LabelledCase]) -> "OpenBank":
        """The bank of cases in memory."""
        traces = [case.trace for case in cases]
        return cls([case.row for case in cases], MeasuredSet.of(traces), lambda indices: [traces[n] for n in indices])

    def some(self, cases: np.ndarray) -> "OpenBank":
        """Return a bank of only the cases at these indices."""
        indices = cases.tolist()
        with self._lock:
            return OpenBank(
                self.rows.some(indices), self.measured.some(cases),
                lambda own: self._read([indices[n] for n in own]), self._outcomes,
            )  # fmt: skip

    def cases(self, indices: Sequence[int] | None = None) -> Iterator[LabelledCase]:
        """The cases at these indices, by default all; their traces are read from the disk if they are there."""
        indices = range(len(self.rows)) if indices is None else indices
        for first in range(0, len(indices), _AT_ONCE):
            own = indices[first : first + _AT_ONCE]
            for n, trace in zip(own, self._read(own), strict=True):
                yield LabelledCase(row=self.rows[n], trace=trace)

    def decide(self, limits: Limits) -> Decisions:
        """Decide every case at every point of `limits`: arrays (points, cases).

        Each decision equals what `next_step` and `verdict` give for that case under that preset.
        """
        size, count = max(1, _CELLS // limits.validated().count), len(self.rows)
        shape = (limits.count, count)
        routes, reasons, codes = (np.zeros(shape, dtype=np.uint8) for _ in range(3))
        with self._lock:
            for first in range(0, count, size):
                block = slice(first, min(first + size, count))
                measured = self.measured if size >= count else self.measured.some(np.arange(first, block.stop))
                decided, wholes = Decided(measured, limits), measured.wholes
                own = decided.joint_routes[wholes]
                is_known = own != NOWHERE
                routes[:, block] = np.where(is_known, own, len(ROUTE_NAMES) - 1).T
                reasons[:, block] = np.where(is_known, decided.reasons()[wholes], NO_REASON).T
                codes[:, block] = self._outcomes.of(decided).T
        return Decisions(routes=routes, reasons=reasons, codes=codes)

    def decided_at(self, preset: Preset) -> Decisions:
        """Decide every case under `preset`: arrays (1, cases)."""
        return self.cached(("at", state_of(preset)), lambda: self.decide(Limits(base=preset)))

    def at(self, preset: Preset) -> np.ndarray:
        """The worth of each case under `preset`: (cases,)."""
        return self.decided_at(preset).worths[0]

    def counts(self, preset: Preset) -> Counts:
        """The counts of all cases under `preset`."""
        return count_worths(self.at(preset), self.should)

    def cached(self, key: Hashable, work: Callable[[], Any]) -> Any:
        """The result of `work`, cached under `key`; the cache keeps the _CACHE_SIZE most recently used results."""
        with self._lock:
            if key not in self._cache:
                self._cache[key] = work()
                while len(self._cache) > _CACHE_SIZE:
                    self._cache.popitem(last=False)
            self._cache.move_to_end(key)
            return self._cache[key]


def state_of(preset: Preset, *without: str) -> Hashable:
    """Everything in `preset` that affects decisions, except the thresholds with the keys `without`. Presets with equal
    states give equal decisions.
    """
    threshold_values = values(preset)
    modes = tuple(sorted(modes_of(preset).items()))
    return tuple((key, threshold_values[key]) for key in sorted(threshold_values) if key not in without), modes, without
