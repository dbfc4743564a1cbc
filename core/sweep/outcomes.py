"""The outcome of every case of a bank at every point, and what changes between settings."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from core.case import Round
from core.chain.delivery import Delivery
from core.chain.messages import partial_answer
from core.chain.multi_part import joint_answer, joint_route
from core.chain.routing import ROUTES, Route
from core.evaluation.outcomes import ANSWERS, QUESTIONS, outcome_of
from core.evaluation.stored_rows import labels_in
from core.evaluation.worth import UNSAID
from core.sweep.bank import Bank
from core.sweep.settings_grid import Points
from core.sweep.summaries import End
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
_NUMBER_BITS = 24
_LAST_NUMBER = (1 << _NUMBER_BITS) - 1
"""A key is the index of a unit, then the number of an end in so many bits."""


@dataclass(frozen=True)
class RowOutcome:
    """The outcome of a row: its name in OUTCOMES, whether something false is delivered, its worth (Outcome.worth)."""

    name: str
    falsehood: bool = False
    worth: int = UNSAID


@dataclass(frozen=True)
class _Part:
    """One part of a question that has ended, with the fields that core.chain.multi_part reads."""

    round: Round
    delivery: Delivery | None

    @property
    def answered(self) -> bool:
        return self.delivery is not None


Ended = End | tuple[End, ...]
"""The end of a question, or the ends of its parts."""


class RouteOutcomes:
    """Outcomes of the cases of a bank by the End that they reach (core.sweep.summaries), each looked up once.

    They are stored as codes, which index `row_outcomes`; code 0 means not measured.
    """

    def __init__(
        self, rows: Sequence[Mapping[str, Any]], bank: Bank, stored_outcomes: Sequence[RowOutcome] = (),
        codes: Mapping[End, np.ndarray] | None = None,
    ) -> None:  # fmt: skip
        """stored_outcomes, codes: outcomes that were stored, with UNKNOWN for units whose outcome was not."""
        self._rows, self._cases, self._summaries = rows, bank.cases, bank.summaries
        self.row_outcomes: list[RowOutcome] = [*stored_outcomes] or [RowOutcome(NOT_MEASURED)]
        self._codes: dict[RowOutcome, int] = {
            stored_outcomes: code for code, stored_outcomes in enumerate(self.row_outcomes)
        }
        self._codes_by_end: dict[End, np.ndarray] = dict(codes or {})
        self._numbers: dict[Ended, int] = {}
        self._known = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint8)
        self._lock = threading.RLock()  # selections of a bank share its outcomes
        self._codes_without_answer: dict[Route, np.ndarray] = {}

    def of_all(self, end: End, units: np.ndarray) -> np.ndarray:
        """The codes of whole questions that all reach the same end: (units,). units: their indices in the bank."""
        with self._lock:
            if end.delivery_key is None:
                return self._without_answer(end.route)[self._cases[units]]
            codes = self._codes_by_end.setdefault(end, np.full(len(self._cases), UNKNOWN, dtype=np.uint8))
            current = codes[units]
            for unit in np.unique(units[current == UNKNOWN]).tolist():
                codes[unit] = self.of_one(unit, end)
            return codes[units] if (current == UNKNOWN).any() else current

    def number(self, ended: Ended) -> int:
        """The number of an end, or of the ends of parts; assigned on first request."""
        with self._lock:
            return self._numbers.setdefault(ended, len(self._numbers))

    def of_numbers(self, units: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """The outcome code of each pair of a whole question and the end that it reaches, (pairs,).

        All parts of the questions must be measured. units: the questions. numbers: their ends, each as the number that
        `number` has assigned to it. Both (pairs,).
        """
        keys = units.astype(np.int64) << _NUMBER_BITS | numbers
        with self._lock:
            codes, is_known = self._look_up(keys)
            if not is_known.all():
                self._learn(np.unique(keys[~is_known]))
                codes, _ = self._look_up(keys)
            return codes

    def of_one(self, unit: int, ended: Ended) -> int:
        """The code of one whole question at an end where something is delivered, or at the ends of its parts."""
        if isinstance(ended, tuple):
            return self._of_parts(unit, ended)
        summary = self._summaries[unit]
        text = summary.delivery(ended).full_text
        answer = partial_answer(summary.head, text) if ended.route == "deliver_part" else text
        return self._code(self._row(unit), ended.route, answer)

    def _look_up(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The code of each key, and a mask of the keys that are known: two arrays (pairs,)."""
        known, codes = self._known
        if not len(known):
            return np.zeros(len(keys), dtype=np.uint8), np.zeros(len(keys), dtype=bool)
        index = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        return codes[index], known[index] == keys

    def _learn(self, keys: np.ndarray) -> None:
        """Add the codes of these ascending keys, none of which is known."""
        (known, codes), ends = self._known, list(self._numbers)
        new = [self.of_one(key >> _NUMBER_BITS, ends[key & _LAST_NUMBER]) for key in keys.tolist()]
        index = np.searchsorted(known, keys)
        self._known = np.insert(known, index, keys), np.insert(codes, index, np.array(new, dtype=np.uint8))

    def _of_parts(self, unit: int, ends: tuple[End, ...]) -> int:
        """The code of a question whose parts reach these ends."""
        route = joint_route([end.route for end in ends])
        if not route.startswith("deliver"):
            return int(self._without_answer(route)[self._cases[unit]])
        parts = [self._summaries[unit + 1 + n] for n in range(len(ends))]
        ended_parts = [
            _Part(part.round(end.round_key), part.delivery(end)) for part, end in zip(parts, ends, strict=True)
        ]
        return self._code(self._row(unit), route, joint_answer(self._summaries[unit].head, ended_parts))

    def _without_answer(self, route: Route) -> np.ndarray:
        """The code of each case if it gets no answer; that depends on its labels alone: (cases,)."""
        if route not in self._codes_without_answer:
            codes = labels_in(self._rows).of_each(lambda labels: self._code(labels, route, ""), np.uint8)
            self._codes_without_answer[route] = codes
        return self._codes_without_answer[route]

    def _row(self, unit: int) -> Mapping[str, Any]:
        return self._rows[self._cases[unit]]

    def _code(self, row: Mapping[str, Any], route: Route, answer: str) -> int:
        outcome = outcome_of(row, route, answer)
        row_outcome = RowOutcome(outcome.name, outcome.falsehood, outcome.worth)
        if row_outcome not in self._codes:
            self._codes[row_outcome] = len(self.row_outcomes)
            self.row_outcomes.append(row_outcome)
        return self._codes[row_outcome]


@dataclass(frozen=True, kw_only=True)
class ChangedCase:
    """A case whose outcome or route differs from the baseline.

    case: its index in the bank. direction: whether its labels rate the change as better, worse or neither.
    """

    case: int
    before: str
    after: str
    route_before: str
    route_after: str
    direction: Literal["better", "worse", "other"]


@dataclass(frozen=True, kw_only=True)
class SweepDecisions:
    """Every case at every point; each array is (points, cases).

    routes, reasons, outcomes: indices into ROUTE_NAMES, REASON_NAMES and OUTCOMES.
    falsehoods: True where an altered answer is delivered with something false.
    worths: RIGHT to UNSAID in core.evaluation.worth.
    """

    points: Points
    routes: np.ndarray
    reasons: np.ndarray
    outcomes: np.ndarray
    falsehoods: np.ndarray
    worths: np.ndarray

    @classmethod
    def of(
        cls,
        points: Points,
        routes: np.ndarray,
        reasons: np.ndarray,
        codes: np.ndarray,
        row_outcomes: Sequence[RowOutcome],
    ) -> "SweepDecisions":
        """Build the result from `codes`, indices into `row_outcomes`."""
        return cls(
            points=points, routes=routes, reasons=reasons,
            outcomes=np.array([OUTCOMES.index(b.name) for b in row_outcomes], dtype=np.uint8)[codes],
            falsehoods=np.array([b.falsehood for b in row_outcomes], dtype=bool)[codes],
            worths=np.array([b.worth for b in row_outcomes], dtype=np.int8)[codes],
        )  # fmt: skip

    @property
    def goes_out(self) -> np.ndarray:
        """True where an answer is delivered, whole, in part or corrected: (points, cases)."""
        return np.isin(self.routes, _DELIVERS)

    def counts(self, where: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """Number of cases with each outcome, among those of the mask `where`: name -> (points,)."""
        return _count_codes(self.outcomes, OUTCOMES, where)

    def refusals(self, where: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """Number of refused cases for each primary reason: reason -> (points,)."""
        refusal_reasons = np.where(self.routes == REFUSE_INDEX, self.reasons, len(REASON_NAMES))
        return _count_codes(refusal_reasons, REASON_NAMES[:-1], where)

    def flips(self, before: "SweepDecisions") -> np.ndarray:
        """Number of cases whose outcome or route differs from the first point of `before`: (points,)."""
        return self.differs(before).sum(1)

    def changed_cases(self, before: "SweepDecisions", point: int = 0) -> list[ChangedCase]:
        """The cases whose outcome or route at `point` differs from the first point of `before`."""
        cases = np.flatnonzero(self.differs(before)[point]).tolist()
        return [self._changed_case(before, point, case) for case in cases]

    def differs(self, before: "SweepDecisions") -> np.ndarray:
        """True where the outcome or the route differs from the first point of `before`: (points, cases)."""
        return (self.outcomes != before.outcomes[0]) | (self.routes != before.routes[0])

    def _changed_case(self, before: "SweepDecisions", point: int, case: int) -> ChangedCase:
        worths = before.worths[0, case], self.worths[point, case]
        comparable = UNSAID not in worths and worths[0] != worths[1]
        return ChangedCase(
            case=case, before=OUTCOMES[before.outcomes[0, case]], after=OUTCOMES[self.outcomes[point, case]],
            route_before=ROUTE_NAMES[before.routes[0, case]], route_after=ROUTE_NAMES[self.routes[point, case]],
            direction="other" if not comparable else "better" if worths[1] > worths[0] else "worse",
        )  # fmt: skip


def _count_codes(codes: np.ndarray, names: Sequence[str], where: np.ndarray | None) -> dict[str, np.ndarray]:
    selected = codes if where is None else codes[:, where]
    return {name: (selected == code).sum(1) for code, name in enumerate(names)}
