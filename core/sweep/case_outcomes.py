"""What became of every case of a bank at every point, and what that changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.chain.refusal_reasons import REASONS
from core.chain.routing import ROUTES
from core.sweep.check_batches import NOT_MEASURED
from core.sweep.route_outcomes import NO_WORTH, OUTCOMES, Became
from core.sweep.settings_grid import Points

ROUTE_NAMES: tuple[str, ...] = (*ROUTES, NOT_MEASURED)
REASON_NAMES: tuple[str, ...] = (*REASONS, "")
"""Every primary reason, and last none at all."""

_REFUSED = ROUTE_NAMES.index("refuse")


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
        refused = np.where(self.routes == _REFUSED, self.reasons, len(REASON_NAMES))
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
