"""The outcome of every case of a bank at every point. A point is one preset of many."""

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from core.banks.row import SetRows
from core.case import Round, Trace
from core.decide.delivery import Delivery, whole, without
from core.decide.engine import Decided, End, joint_route
from core.decide.measured import MeasuredSet
from core.decide.messages import partial_answer
from core.decide.multi_part import joint_answer
from core.decide.routes import NOWHERE, ROUND_KEYS, ROUTES, RoundKey, Route
from core.evaluation.outcomes import ANSWERS, QUESTIONS, RIGHT, UNSAID, outcome_of
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


@dataclass(frozen=True)
class _Part:
    """One part of a question that has ended, with the fields that core.decide.multi_part reads."""

    round: Round
    delivery: Delivery | None

    @property
    def answered(self) -> bool:
        return self.delivery is not None


class BankOutcomes:
    """Outcomes of the cases of a set by the end that they reach, each looked up once and kept as a code.

    by_round: the codes of all units, (units,), for each round that is delivered as it is, by route and round key.
    """

    def __init__(
        self, rows: Sequence[Mapping[str, Any]], measured: MeasuredSet,
        by_round: Mapping[tuple[Route, RoundKey], np.ndarray] = MappingProxyType({}),
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
        delivers = decided.ends.delivers[wholes]
        with self._lock:
            for code in np.flatnonzero(np.bincount(routes.ravel(), minlength=NOWHERE)[:NOWHERE]).tolist():
                route, here = ROUTES[code], routes == code
                if not route.startswith("deliver"):
                    codes = np.where(here, self._without_answer(route)[self._cases[units]][:, None], codes)
                    continue
                one_by_one = here & (splits | (route == "deliver_part"))
                as_it_is = here & ~one_by_one
                for delivered in np.flatnonzero(np.bincount(delivers[as_it_is])).tolist():
                    there = as_it_is & (delivers == delivered)
                    cases = np.flatnonzero(there.any(1))
                    found = np.zeros(len(wholes), dtype=np.uint8)
                    found[cases] = self.of_round(route, ROUND_KEYS[delivered], units[cases])
                    codes = np.where(there, found[:, None], codes)
                if one_by_one.any():
                    codes[one_by_one] = self._one_by_one(decided, one_by_one)
        return codes

    def of_round(self, route: Route, key: RoundKey, units: np.ndarray) -> np.ndarray:
        """The codes of whole questions of which this round is delivered as it is: (units,)."""
        codes = self.by_round.setdefault((route, key), np.full(len(self._cases), UNKNOWN, dtype=np.uint8))
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
        parts = [(self._summaries[unit + n], end) for n, end in enumerate(ended, 1)]
        ends = [_Part(part.round(*end.round_key), _delivery_at(part, end)) for part, end in parts]
        return _code(row, route, joint_answer(trace, ends))

    def _without_answer(self, route: Route) -> np.ndarray:
        """The code of each case if it gets no answer; that depends on its labels alone: (cases,)."""
        if route not in self._without:
            self._without[route] = self._rows.of_each(lambda labels: _code(labels, route, ""), np.uint8)
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
