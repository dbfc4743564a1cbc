"""What became of every case of a bank at every point, and what that changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.case import Round
from core.chain.check_results import REASONS
from core.chain.delivery import Delivery, corrected, whole, without
from core.chain.multi_part import joint_answer, joint_route
from core.chain.routing import ROUTES, Path, Place, Route
from core.evaluation.cases import Labelled
from core.evaluation.outcomes import ANSWERS, QUESTIONS, ended
from core.sweep.bank import Unit
from core.sweep.settings_grid import Points

NOT_MEASURED = "not measured yet"
"""What becomes of the cases whose route needs a round that was never measured."""
OUTCOMES: tuple[str, ...] = (*dict.fromkeys((*QUESTIONS, *ANSWERS)), NOT_MEASURED)
"""Everything that may become of a row of a bank."""
ROUTE_NAMES: tuple[str, ...] = (*ROUTES, NOT_MEASURED)
REASON_NAMES: tuple[str, ...] = (*REASONS, "")
"""Every primary reason, and last none at all."""
REFUSED = ROUTE_NAMES.index("refuse")
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


@dataclass(frozen=True, kw_only=True)
class Changed:
    """A case that something else becomes of than before. case: its place in the bank. way: by what its labels want."""

    case: int
    before: str
    after: str
    route_before: str
    route_after: str
    way: Literal["better", "worse", "other"]


@dataclass(frozen=True, kw_only=True)
class Decided:
    """Every case at every point; the arrays are (points, cases).

    routes, reasons, outcomes: places in ROUTE_NAMES, REASON_NAMES and OUTCOMES. falsehoods: where something false goes
    out of an altered answer. worths: 2 as it should be, 1 less than that, 0 refused without need, -1 something false
    or unfounded goes out, NO_WORTH where it cannot be said.
    """

    points: Points
    routes: np.ndarray
    reasons: np.ndarray
    outcomes: np.ndarray
    falsehoods: np.ndarray
    worths: np.ndarray

    @classmethod
    def of(
        cls, points: Points, routes: np.ndarray, reasons: np.ndarray, codes: np.ndarray, became: Sequence[Became]
    ) -> "Decided":
        """codes: places in `became`."""
        return cls(
            points=points, routes=routes, reasons=reasons,
            outcomes=np.array([OUTCOMES.index(b.name) for b in became], dtype=np.uint8)[codes],
            falsehoods=np.array([b.falsehood for b in became], dtype=bool)[codes],
            worths=np.array([b.worth for b in became], dtype=np.int8)[codes],
        )  # fmt: skip

    def counts(self, where: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """How many cases come to each outcome, of those of `where` only: by name (points,)."""
        return _counted(self.outcomes, OUTCOMES, where)

    def refusals(self, where: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """How many cases are refused for each primary reason, as seed A counts them: by reason (points,)."""
        refused = np.where(self.routes == REFUSED, self.reasons, len(REASON_NAMES))
        return _counted(refused, REASON_NAMES[:-1], where)

    def flips(self, before: "Decided") -> np.ndarray:
        """How many cases come to another outcome or route than at the first point of `before`: (points,)."""
        return self._moved(before).sum(1)

    def changed(self, before: "Decided", point: int = 0) -> list[Changed]:
        """The cases that come to something else at `point` than at the first point of `before`."""
        return [self._change(before, point, case) for case in np.flatnonzero(self._moved(before)[point]).tolist()]

    def _moved(self, before: "Decided") -> np.ndarray:
        return (self.outcomes != before.outcomes[0]) | (self.routes != before.routes[0])

    def _change(self, before: "Decided", point: int, case: int) -> Changed:
        worths = before.worths[0, case], self.worths[point, case]
        known = NO_WORTH not in worths and worths[0] != worths[1]
        return Changed(
            case=case, before=OUTCOMES[before.outcomes[0, case]], after=OUTCOMES[self.outcomes[point, case]],
            route_before=ROUTE_NAMES[before.routes[0, case]], route_after=ROUTE_NAMES[self.routes[point, case]],
            way="other" if not known else "better" if worths[1] > worths[0] else "worse",
        )  # fmt: skip


def _counted(codes: np.ndarray, names: Sequence[str], where: np.ndarray | None) -> dict[str, np.ndarray]:
    some = codes if where is None else codes[:, where]
    return {name: (some == code).sum(1) for code, name in enumerate(names)}
