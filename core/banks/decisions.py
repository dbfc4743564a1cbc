"""The outcome of every case of a bank at every point. A point is one preset of many."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.case import Round, Trace
from core.decide.delivery import Delivery, whole, without
from core.decide.engine import Decided, End, joint_route
from core.decide.measured import MeasuredSet
from core.decide.messages import partial_answer
from core.decide.multi_part import joint_answer
from core.decide.routes import NOWHERE, ROUND_KEYS, ROUTES, Route
from core.evaluation.outcomes import ANSWERS, QUESTIONS, UNSAID, outcome_of
from core.evaluation.set_rows import labels_in
from core.words import REASONS

NOT_MEASURED = "not measured yet"
"""The outcome of cases whose route needs a round that was never measured."""
OUTCOMES: tuple[str, ...] = (*dict.fromkeys((*QUESTIONS, *ANSWERS)), NOT_MEASURED)
"""Every possible outcome of a row of a bank."""
ROUTE_NAMES: tuple[str, ...] = (*ROUTES, NOT_MEASURED)
_DELIVERS = tuple(n for n, name in enumerate(ROUTE_NAMES) if name.startswith("deliver"))
REASON_NAMES: tuple[str, ...] = (*REASONS, "")
"""Every primary reason; last "", for no reason."""
REFUSE_INDEX = ROUTE_NAMES.index("refuse")
UNKNOWN = 255
"""Code of an outcome that has not been looked up."""


@dataclass(frozen=True)
class RowOutcome:
    """The outcome of a row: its name in OUTCOMES, and its worth (Outcome.worth)."""

    name: str
    worth: int = UNSAID


@dataclass(frozen=True)
class _Part:
    """One part of a question that has ended, with the fields that core.decide.multi_part reads."""

    round: Round
    delivery: Delivery | None

    @property
    def answered(self) -> bool:
        return self.delivery is not None


Ended = End | tuple[End, ...]
"""The end of a question, or the ends of its parts."""


class BankOutcomes:
    """Outcomes of the cases of a set by the end that they reach, each looked up once and kept as a code.

    row_outcomes: the outcome of each code; code 0 means not measured.
    """

    def __init__(
        self, rows: Sequence[Mapping[str, Any]], measured: MeasuredSet, row_outcomes: Sequence[RowOutcome] = (),
        codes: Mapping[End, np.ndarray] | None = None,
    ) -> None:  # fmt: skip
        """row_outcomes, codes: outcomes that were stored, with UNKNOWN for units whose outcome was not."""
        self._rows, self._cases, self._summaries = rows, measured.cases, measured.summaries
        self.row_outcomes: list[RowOutcome] = [*row_outcomes] or [RowOutcome(NOT_MEASURED)]
        self._codes: dict[RowOutcome, int] = {outcome: code for code, outcome in enumerate(self.row_outcomes)}
        self._by_end: dict[End, np.ndarray] = dict(codes or {})
        self._by_unit: dict[tuple[int, Ended], int] = {}
        self._without: dict[Route, np.ndarray] = {}
        self._lock = threading.RLock()  # selections of a set share its outcomes

    def of(self, decided: Decided) -> np.ndarray:
        """The outcome code of every case at every point: (cases, points)."""
        measured, wholes = decided.measured, decided.measured.wholes
        units, routes, splits = measured.origin[wholes], decided.joint_routes[wholes], decided.splits[wholes]
        codes = np.zeros(routes.shape, dtype=np.uint8)
        ends = decided.ends
        answer, delivers = ends.answer[wholes], ends.delivers[wholes]
        with self._lock:
            for code in np.flatnonzero(np.bincount(routes.ravel(), minlength=NOWHERE)[:NOWHERE]).tolist():
                route, here = ROUTES[code], routes == code
                if not route.startswith("deliver"):
                    codes = np.where(here, self._without_answer(route)[self._cases[units]][:, None], codes)
                    continue
                if route != "deliver_part":
                    whole = here & ~splits
                    for judged, delivered in np.argwhere(_occurs(answer[whole], delivers[whole])).tolist():
                        there = whole & (answer == judged) & (delivers == delivered)
                        end = End(route, ROUND_KEYS[judged], ROUND_KEYS[delivered])
                        cases = np.flatnonzero(there.any(1))
                        found = np.zeros(len(wholes), dtype=np.uint8)
                        found[cases] = self._of_end(end, units[cases])
                        codes = np.where(there, found[:, None], codes)
                    here = here & splits
                if here.any():
                    codes[here] = self._one_by_one(decided, here)
        return codes

    def of_one(self, unit: int, ended: "Ended") -> int:
        """The code of one whole question at an end where something is delivered, or at the ends of its parts."""
        if not isinstance(ended, End):
            return self._of_parts(unit, ended)
        trace = self._summaries[unit]
        text = delivery_at(trace, ended).full_text
        answer = partial_answer(trace, text) if ended.route == "deliver_part" else text
        return self._code(self._row(unit), ended.route, answer)

    def _of_end(self, end: End, units: np.ndarray) -> np.ndarray:
        """The codes of whole questions that all reach the same end without parts: (units,)."""
        codes = self._by_end.setdefault(end, np.full(len(self._cases), UNKNOWN, dtype=np.uint8))
        for unit in np.unique(units[codes[units] == UNKNOWN]).tolist():
            codes[unit] = self.of_one(unit, end)
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
                self._by_unit[key] = self.of_one(*key)
            codes.append(self._by_unit[key])
        return np.array(codes, dtype=np.uint8)[index.reshape(-1)]

    def _of_parts(self, unit: int, ends: tuple[End, ...]) -> int:
        """The code of a question whose parts reach these ends."""
        route = ROUTES[joint_route(np.array([ROUTES.index(end.route) for end in ends]))]
        parts = [self._summaries[unit + 1 + n] for n in range(len(ends))]
        ended_parts = [
            _Part(part.round(*end.round_key), delivery_at(part, end)) for part, end in zip(parts, ends, strict=True)
        ]
        return self._code(self._row(unit), route, joint_answer(self._summaries[unit], ended_parts))

    def _without_answer(self, route: Route) -> np.ndarray:
        """The code of each case if it gets no answer; that depends on its labels alone: (cases,)."""
        if route not in self._without:
            codes = labels_in(self._rows).of_each(lambda labels: self._code(labels, route, ""), np.uint8)
            self._without[route] = codes
        return self._without[route]

    def _row(self, unit: int) -> Mapping[str, Any]:
        return self._rows[self._cases[unit]]

    def _code(self, row: Mapping[str, Any], route: Route, answer: str) -> int:
        outcome = outcome_of(row, route, answer)
        row_outcome = RowOutcome(outcome.name, outcome.worth)
        if row_outcome not in self._codes:
            self._codes[row_outcome] = len(self.row_outcomes)
            self.row_outcomes.append(row_outcome)
        return self._codes[row_outcome]


def _occurs(judged: np.ndarray, delivered: np.ndarray) -> np.ndarray:
    """True for each pair of rounds that occurs: (judged round, delivered round)."""
    count = len(ROUND_KEYS)
    pairs = judged.astype(np.int64) * count + delivered
    return np.bincount(pairs, minlength=count**2).reshape(count, count) > 0


def delivery_at(trace: Trace, end: End) -> Delivery | None:
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

    routes, reasons, outcomes: indices into ROUTE_NAMES, REASON_NAMES and OUTCOMES.
    worths: RIGHT to UNSAID in core.evaluation.outcomes.
    """

    routes: np.ndarray
    reasons: np.ndarray
    outcomes: np.ndarray
    worths: np.ndarray

    @classmethod
    def of(
        cls, routes: np.ndarray, reasons: np.ndarray, codes: np.ndarray, row_outcomes: Sequence[RowOutcome]
    ) -> "Decisions":
        """Build the result from `codes`, indices into `row_outcomes`."""
        return cls(
            routes=routes, reasons=reasons,
            outcomes=np.array([OUTCOMES.index(b.name) for b in row_outcomes], dtype=np.uint8)[codes],
            worths=np.array([b.worth for b in row_outcomes], dtype=np.int8)[codes],
        )  # fmt: skip

    @property
    def goes_out(self) -> np.ndarray:
        """True where an answer is delivered, whole, in part or corrected: (points, cases)."""
        return np.isin(self.routes, _DELIVERS)

    def refusals(self, where: np.ndarray) -> dict[str, np.ndarray]:
        """Number of refused cases among those of the mask `where`, for each primary reason: reason -> (points,)."""
        reasons, is_refused = self.reasons[:, where], self.routes[:, where] == REFUSE_INDEX
        return {name: (is_refused & (reasons == code)).sum(1) for code, name in enumerate(REASON_NAMES[:-1])}

    def flips(self, before: "Decisions") -> np.ndarray:
        """Number of cases whose outcome or route differs from the first point of `before`: (points,)."""
        return self.differs(before).sum(1)

    def differs(self, before: "Decisions") -> np.ndarray:
        """True where the outcome or the route differs from the first point of `before`: (points, cases)."""
        return (self.outcomes != before.outcomes[0]) | (self.routes != before.routes[0])
