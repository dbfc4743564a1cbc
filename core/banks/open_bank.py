"""A bank that is open: its measured rows, decided and counted under any limits without running a model."""

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType, SimpleNamespace
from typing import Any

import numpy as np

from core.banks.row import SetRows
from core.case import Trace
from core.decide.delivery import Delivery, whole, without
from core.decide.engine import Decided, End, joint_route
from core.decide.measured import NO_REASON, MeasuredSet
from core.decide.messages import partial_answer
from core.decide.multi_part import joint_answer
from core.decide.points import Limits
from core.decide.routes import NOWHERE, ROUND_KEYS, ROUTES, RoundKey, Route
from core.evaluation.cases import LabelledCase
from core.evaluation.counts import Counts, count_worths
from core.evaluation.outcomes import ANSWERS, QUESTIONS, RIGHT, UNSAID, is_due, outcome_of
from core.presets import modes_of, values
from core.thresholds import Preset
from core.words import REASONS

NOT_MEASURED = "not measured yet"
"""The outcome of cases whose route needs a round that was never measured."""
OUTCOMES: tuple[str, ...] = (*dict.fromkeys((*QUESTIONS, *ANSWERS)), NOT_MEASURED)
"""Every possible outcome of a row of a bank."""
ROUTE_NAMES: tuple[str, ...] = (*ROUTES, NOT_MEASURED)
_DELIVERS = tuple(n for n, name in enumerate(ROUTE_NAMES) if name.startswith("deliver"))
REASON_NAMES: tuple[str, ...] = (*REASONS, "")
"""Every primary reason; last "", for no reason."""
UNKNOWN = 255
"""Code of an outcome that has not been looked up."""
_WORTHS = RIGHT - UNSAID + 1
"""Number of different worths. The code of an outcome is its index in OUTCOMES times this, plus its worth above
UNSAID."""


class BankOutcomes:
    """Outcomes of the cases of a set by the end that they reach, each looked up once and kept as a code.

    by_round: the codes of all units, (units,), for each round that is delivered as it is.
    """

    def __init__(
        self, rows: Sequence[Mapping[str, Any]], measured: MeasuredSet,
        by_round: Mapping[RoundKey, np.ndarray] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        """by_round: outcomes that were stored, with UNKNOWN for units whose outcome was not."""
        self._rows, self._cases, self._summaries = SetRows.of(rows), measured.cases, measured.summaries
        self.by_round = dict(by_round)
        self._by_unit: dict[tuple[int, End | tuple[End, ...]], int] = {}
        self._without: dict[Route, np.ndarray] = {}
        self._lock = threading.RLock()  # selections of a set share its outcomes

    def of(self, decided: Decided) -> np.ndarray:
        """The outcome code of every case at every point: (cases, points)."""
        measured, wholes = decided.measured, decided.measured.wholes
        units, routes, splits = measured.origin[wholes], decided.joint_routes[wholes], decided.splits[wholes]
        codes = np.full(routes.shape, OUTCOMES.index(NOT_MEASURED) * _WORTHS, dtype=np.uint8)
        goes_out, delivers = np.isin(routes, _DELIVERS), decided.ends.delivers[wholes]
        one_by_one = goes_out & (splits | (routes == ROUTES.index("deliver_part")))
        as_it_is = goes_out & ~one_by_one
        with self._lock:
            for code in np.flatnonzero(np.bincount(routes[~goes_out], minlength=NOWHERE)[:NOWHERE]).tolist():
                without_answer = self._without_answer(ROUTES[code])[self._cases[units]]
                codes = np.where(routes == code, without_answer[:, None], codes)
            for delivered in np.flatnonzero(np.bincount(delivers[as_it_is])).tolist():
                there = as_it_is & (delivers == delivered)
                cases = np.flatnonzero(there.any(1))
                found = np.zeros(len(wholes), dtype=np.uint8)
                found[cases] = self.of_round(ROUND_KEYS[delivered], units[cases])
                codes = np.where(there, found[:, None], codes)
            if one_by_one.any():
                codes[one_by_one] = self._one_by_one(decided, one_by_one)
        return codes

    def of_round(self, key: RoundKey, units: np.ndarray) -> np.ndarray:
        """The codes of whole questions of which this round is delivered as it is: (units,)."""
        route = "deliver_corrected" if key[0] == "corrected" else "deliver"
        codes = self.by_round.setdefault(key, np.full(len(self._cases), UNKNOWN, dtype=np.uint8))
        for unit in np.unique(units[codes[units] == UNKNOWN]).tolist():
            draft = self._summaries[unit].round(*key).case.draft
            codes[unit] = _code(self._rows[self._cases[unit]], route, draft.text if draft else "")
        return codes[units]

    def _one_by_one(self, decided: Decided, where: np.ndarray) -> np.ndarray:
        """The codes of the cells `where`, (cases, points), whose answer is made of sentences or of parts: (cells,)."""
        measured, keys = decided.measured, decided.end_keys
        cases, points = np.nonzero(where)
        units = measured.wholes[cases]
        split = decided.splits[units, points]
        columns = [units, np.where(split, -1, keys[units, points])]
        for n in range(1, 1 + int(measured.parts[units].max(initial=0))):
            has_part = split & (measured.parts[units] >= n)
            columns.append(np.where(has_part, keys[np.where(has_part, units + n, 0), points], -1))
        rows = columns[0]
        for column in columns[1:]:  # one number for each row of the columns; dense, so that it stays small
            rows = np.unique(rows, return_inverse=True)[1] * (int(column.max()) + 2) + column + 1
        _, first, index = np.unique(rows, return_index=True, return_inverse=True)
        codes = []
        for cell in first.tolist():
            unit, point = int(units[cell]), int(points[cell])
            part_units = range(unit + 1, unit + 1 + measured.parts[unit])
            ended = tuple(decided.end(p, point) for p in part_units) if split[cell] else decided.end(unit, point)
            key = int(measured.origin[unit]), ended
            if key not in self._by_unit:
                self._by_unit[key] = self._of_one(*key)
            codes.append(self._by_unit[key])
        return np.array(codes, dtype=np.uint8)[index.reshape(-1)]

    def _of_one(self, unit: int, ended: End | tuple[End, ...]) -> int:
        """The code of one question that is delivered in part at this end, or whose parts reach these ends."""
        trace, row = self._summaries[unit], self._rows[self._cases[unit]]
        if isinstance(ended, End):
            delivery = _delivery_at(trace, ended)
            return _code(row, ended.route, partial_answer(trace, delivery.full_text))
        route = ROUTES[joint_route(np.array([ROUTES.index(end.route) for end in ended]))]
        parts = []
        for n, end in enumerate(ended, 1):
            part = self._summaries[unit + n]
            delivery = _delivery_at(part, end)
            parts.append(
                SimpleNamespace(round=part.round(*end.round_key), delivery=delivery, answered=delivery is not None)
            )
        return _code(row, route, joint_answer(trace, parts))

    def _without_answer(self, route: Route) -> np.ndarray:
        """The code of each case if it gets no answer; that depends on its labels alone: (cases,)."""
        if route not in self._without:
            self._without[route] = np.array([_code(row, route, "") for row in self._rows], dtype=np.uint8)
        return self._without[route]


def _code(row: Mapping[str, Any], route: Route, answer: str) -> int:
    """The code of the outcome of a row for this route and answer."""
    outcome = outcome_of(row, route, answer)
    return OUTCOMES.index(outcome.name) * _WORTHS + outcome.worth - UNSAID


def _delivery_at(trace: Trace, end: End) -> Delivery | None:
    """The delivery at `end`, without check results; None if nothing is delivered. trace: a trace, or its summary."""
    if end.delivery_key is None:
        return None
    if end.route == "deliver_corrected":  # a correction with a sentence leaves none out
        return Delivery(round=trace.round(*end.delivery_key), changes=(), checks={})
    judged = trace.round(*end.round_key)
    return without(judged, end.sentences) if end.route == "deliver_part" else whole(judged, {})


@dataclass(frozen=True, kw_only=True)
class Decisions:
    """Every case at every point; each array is (points, cases).

    routes, reasons: indices into ROUTE_NAMES and REASON_NAMES. codes: of the outcomes.
    """

    routes: np.ndarray
    reasons: np.ndarray
    codes: np.ndarray

    @cached_property
    def outcomes(self) -> np.ndarray:
        """Indices into OUTCOMES."""
        return self.codes // _WORTHS

    @cached_property
    def worths(self) -> np.ndarray:
        """RIGHT to UNSAID in core.evaluation.outcomes."""
        return (self.codes % _WORTHS).astype(np.int8) + np.int8(UNSAID)

    @property
    def goes_out(self) -> np.ndarray:
        """True where an answer is delivered, whole, in part or corrected: (points, cases)."""
        return np.isin(self.routes, _DELIVERS)

    def refusals(self, where: np.ndarray) -> dict[str, int]:
        """Number of refused cases at the first point among those of the mask `where`, by primary reason; the most
        frequent first."""
        is_refused = where & (self.routes[0] == ROUTE_NAMES.index("refuse"))
        counts = Counter(self.reasons[0, is_refused].tolist())
        return {REASON_NAMES[reason]: count for reason, count in counts.most_common()}

    def differs(self, before: "Decisions") -> np.ndarray:
        """True where the outcome or the route differs from the first point of `before`: (points, cases)."""
        return (self.outcomes != before.outcomes[0]) | (self.routes != before.routes[0])


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
        self.should = self.rows.mask(is_due)
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
