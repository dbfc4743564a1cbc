"""Decides measured questions at many points: where each ends, and why."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from core.decide.facts import Facts, objections
from core.decide.flow import Ends, decide
from core.decide.measured import NO_REASON, RANKS, MeasuredSet
from core.decide.points import Limits
from core.decide.routes import FIRST, NO_ROUND, NOWHERE, ROUND_KEYS, ROUTES, SPLIT, RoundKey, Route

_DELIVERS = np.array([route.startswith("deliver") for route in ROUTES] + [False, False])
_REFUSE, _PART, _CORRECTED, _DELIVER = (
    ROUTES.index(name) for name in ("refuse", "deliver_part", "deliver_corrected", "deliver")
)


class End(NamedTuple):
    """The end of a question: its route, the judged round, the delivered round, and the sentences of a partial answer.

    round_key: of the judged round. delivery_key: of the delivered round; None if nothing is delivered. sentences:
    indices of the sentences that are delivered as a partial answer, else ().
    """

    route: Route
    round_key: RoundKey
    delivery_key: RoundKey | None
    sentences: tuple[int, ...] = ()


class Decided:
    """The ends of a set at some points. routes: index into ROUTES, SPLIT or NOWHERE, (units, points); a question whose
    parts were decided has their joint route in `joint`.
    """

    def __init__(self, measured: MeasuredSet, limits: Limits, *, keep_trail: bool = False) -> None:
        self.measured, self._facts = measured, Facts(measured, limits)
        self.ends: Ends = decide(self._facts, keep_trail=keep_trail)
        self.ends.missing[measured.at(FIRST) < 0] = ROUND_KEYS.index(FIRST)
        self.routes = np.where(self.ends.missing >= 0, NOWHERE, self.ends.route)
        self.splits = self.routes == SPLIT

    def asks_nothing(self, unit: int) -> bool:
        """True if a unit is a turn that asks nothing of the books, at the first point."""
        return bool(np.broadcast_to(self._facts.talks, self.routes.shape)[unit, 0])

    def end(self, unit: int, point: int = 0) -> End:
        """The end of one unit; it may be that a round must be measured first."""
        ends, number = self.ends, self._facts.part_number[unit, point]
        route, delivers = ROUTES[ends.route[unit, point]], ends.delivers[unit, point]
        sentences = self._facts.part_sentences[number] if route == "deliver_part" else ()
        delivery_key = None if delivers == NO_ROUND else ROUND_KEYS[delivers]
        return End(route, ROUND_KEYS[ends.answer[unit, point]], delivery_key, sentences)

    def objections(self, unit: int) -> Sequence[str]:
        """For each sentence of the judged answer why it cannot be delivered, at the first point; "" if it can."""
        key = ROUND_KEYS[self.ends.answer[unit, 0]]
        if self.ends.route[unit, 0] == _DELIVER:
            return [""] * self.measured.columns[key]["sentences"][self.measured.at(key)[unit]]
        return objections(self.measured, key, self._facts.limits, unit)

    @property
    def end_keys(self) -> np.ndarray:
        """One number for each cell, equal where `end` is: (units, points)."""
        ends, first = self.ends, {}
        # Partial answers with the same sentences get one number; the last entry is that of NO_PART.
        numbers = [*(first.setdefault(sentences, len(first)) for sentences in self._facts.part_sentences), 0]
        number = np.where(ends.route == _PART, np.array(numbers, dtype=np.int64)[self._facts.part_number], 0)
        return ((number * len(ROUTES) + ends.route) * 16 + ends.answer) * 16 + ends.delivers + 1

    def reasons(self) -> np.ndarray:
        """The primary reason at each end, as an index into REASONS; NO_REASON without one: (units, points)."""
        ends, facts = self.ends, self._facts
        why = (self.routes != _DELIVER) & (self.routes < SPLIT)
        asked = why & (ends.query != NO_ROUND)
        judged = np.where(
            ends.claims, facts.reason("answer", ends.answer, why & ends.claims),
            facts.reason("interest", ends.answer, why & ~ends.claims),
        )  # fmt: skip
        ranks = np.minimum(judged, np.where(asked, facts.reason("query", ends.query, asked), NO_REASON))
        # An empty answer is never grounded, whichever checks are on.
        is_empty = (ends.route == _REFUSE) & (facts.column("sentences", ends.answer) == 0)
        ranks = np.where(is_empty, np.minimum(ranks, RANKS["low_grounding"]), ranks)
        ranks = np.where(why, ranks, NO_REASON).astype(np.uint8)
        return self._of_parts(ranks, np.minimum.reduce)

    @cached_property
    def joint_routes(self) -> np.ndarray:
        """The route of each unit; of a question in parts the one that follows from its parts: (units, points)."""
        return self._of_parts(self.routes, joint_route)

    def _of_parts(self, codes: np.ndarray, join: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """`codes` of each unit, with those of a question in parts joined from its parts: (units, points)."""
        out, units = codes.copy(), np.flatnonzero(self.splits.any(1))
        for count in np.unique(self.measured.parts[units]).tolist():  # questions of as many parts are joined together
            own = units[self.measured.parts[units] == count]
            joined = join(codes[own + 1 + np.arange(count)[:, None]])
            out[own] = np.where(self.splits[own], joined, out[own])
        return out


def joint_route(routes: np.ndarray) -> np.ndarray:
    """The route of a question from those of its parts, as codes: (parts, ...) -> (...).

    Every part is answered: "deliver_part" if that is the route of a part, else "deliver_corrected" if that is the route
    of a part, else "deliver". Some parts are answered: "deliver_part". None is: "refuse".
    """
    answered = _DELIVERS[routes]
    return np.select(
        [
            (routes == NOWHERE).any(0), ~answered.any(0), ~answered.all(0) | (routes == _PART).any(0),
            (routes == _CORRECTED).any(0),
        ],
        [NOWHERE, _REFUSE, _PART, _CORRECTED], _DELIVER,
    )  # fmt: skip
