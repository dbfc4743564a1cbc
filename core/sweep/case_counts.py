"""How many cases of a bank come to what, where there are too many points to keep every case of each."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.sweep.batch_routing import Routed
from core.sweep.case_outcomes import REASON_NAMES, ROUTE_NAMES
from core.sweep.route_outcomes import OUTCOMES, RouteOutcomes
from core.sweep.settings_grid import Points

_REFUSED = ROUTE_NAMES.index("refuse")


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

    def __init__(self, points: Points, groups: Mapping[str, np.ndarray], cases: int, endings: RouteOutcomes) -> None:
        """groups: by name which cases to count, each (cases,) of True and False."""
        self._points, self._names, self._endings = points, tuple(groups), endings
        self._groups = [np.asarray(mask, dtype=bool).reshape(cases) for mask in groups.values()]
        shape = (len(points), len(groups))
        self._outcomes = np.zeros((*shape, len(OUTCOMES)), dtype=np.int32)
        self._reasons = np.zeros((*shape, len(REASON_NAMES)), dtype=np.int32)
        self._falsehoods = np.zeros(shape, dtype=np.int32)

    def add(self, cases: slice, found: Routed) -> None:
        """What became of a block of cases."""
        for group, mask in enumerate(self._groups):
            mine = mask[cases]
            for code, count in _tallied(found.became[mine], len(self._endings.became)):
                became = self._endings.became[code]
                self._outcomes[:, group, OUTCOMES.index(became.name)] += count
                self._falsehoods[:, group] += became.falsehood * count
            refused = np.where(found.routes[mine] == _REFUSED, found.reasons[mine], len(REASON_NAMES))
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
