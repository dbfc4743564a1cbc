"""What becomes of a row at each end that its question may come to. It depends on the text that goes out: found once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.case import Round
from core.chain.delivery import Delivery, corrected, whole, without
from core.chain.facts import Place
from core.chain.multi_part import joint_answer, joint_route
from core.chain.routing import Path, Route
from core.evaluation.cases import Labelled
from core.evaluation.outcomes import ANSWERS, QUESTIONS, ended
from core.sweep.bank import Unit
from core.sweep.check_batches import NOT_MEASURED

OUTCOMES: tuple[str, ...] = (*dict.fromkeys((*QUESTIONS, *ANSWERS)), NOT_MEASURED)
"""Everything that may become of a row of a bank."""
NO_WORTH = -2
"""The worth of what no label says anything about, and of what was never measured."""
_UNKNOWN = 255


@dataclass(frozen=True)
class Became:
    """What became of a row: a name of OUTCOMES, whether something false goes out, and its worth (Outcome.worth)."""

    name: str
    falsehood: bool = False
    worth: int = NO_WORTH


@dataclass(frozen=True)
class End:
    """Where a way ended: its route, the round that was judged, the one that goes out, and which sentences of it."""

    route: Route
    place: Place
    out: Place | None
    kept: tuple[int, ...] = ()

    @classmethod
    def of(cls, path: Path) -> "End":
        return cls(path.route, path.place, path.out)


@dataclass(frozen=True)
class _Part:
    """The end of one part, as core.chain.multi_part reads it."""

    round: Round
    delivery: Delivery | None

    @property
    def answered(self) -> bool:
        return self.delivery is not None


class RouteOutcomes:
    """What became of the rows of a bank, by end. A code is a place in `became`, 0 for what was never measured."""

    def __init__(self, cases: Sequence[Labelled], units: Sequence[Unit]) -> None:
        self._cases, self._units = cases, units
        self.became: list[Became] = [Became(NOT_MEASURED)]
        self._codes: dict[Became, int] = {self.became[0]: 0}
        self._plain: dict[End, np.ndarray] = {}
        self._single: dict[tuple[int, End], int] = {}
        self._joint: dict[tuple[int, tuple[End, ...]], tuple[Route, int]] = {}

    def of_all(self, end: End, units: np.ndarray) -> np.ndarray:
        """The codes of whole questions that came to one end: (pairs,)."""
        known = self._plain.setdefault(end, np.full(len(self._units), _UNKNOWN, dtype=np.uint8))
        found = known[units]
        for unit in np.unique(units[found == _UNKNOWN]).tolist():
            known[unit] = self.of_one(unit, end)
        return known[units] if (found == _UNKNOWN).any() else found

    def of_one(self, unit: int, end: End) -> int:
        """The code of one whole question at its end."""
        if (unit, end) not in self._single:
            delivery = _delivery(self._units[unit], end)
            self._single[unit, end] = self._code(self._units[unit].case, end.route, delivery.told if delivery else "")
        return self._single[unit, end]

    def of_parts(self, unit: int, ends: tuple[End, ...]) -> tuple[Route, int]:
        """The route and the code of a question whose parts came to these ends, all of them measured."""
        if (unit, ends) not in self._joint:
            route, trace = joint_route([end.route for end in ends]), self._units[unit].trace
            parts = [self._units[unit + 1 + n] for n in range(len(ends))]
            found = [_Part(p.trace.round(*e.place), _delivery(p, e)) for p, e in zip(parts, ends, strict=True)]
            answer = joint_answer(trace, found) if route.startswith("deliver") else ""
            self._joint[unit, ends] = (route, self._code(self._units[unit].case, route, answer))
        return self._joint[unit, ends]

    def _code(self, case: int, route: Route, answer: str) -> int:
        found = ended(self._cases[case].row, route, answer)
        worth = NO_WORTH if found.worth is None else found.worth
        became = Became(found.name, found.falsehood, worth)
        if became not in self._codes:
            self._codes[became] = len(self.became)
            self.became.append(became)
        return self._codes[became]


def _delivery(unit: Unit, end: End) -> Delivery | None:
    """What goes out at `end`, without the checks on it; None when nothing does."""
    if end.out is None:
        return None
    judged = unit.trace.round(*end.place)
    if end.route == "deliver_corrected":
        return corrected(judged, unit.trace.round(*end.out), {})
    return without(judged, end.kept) if end.route == "deliver_part" else whole(judged, {})
