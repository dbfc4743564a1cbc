"""Limits: the presets at which questions are decided together, and the thresholds of each check at all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import Any

import numpy as np

from core.check import Bound, Check, mode_of
from core.checks import all_thresholds, threshold_of, validate_preset
from core.thresholds import MODES, Mode, Preset, Threshold, ThresholdError


@dataclass(frozen=True, kw_only=True)
class Move:
    """One slider moved from `old` to `new`. share: the distance as a share of the slider's whole range."""

    key: str
    old: float
    new: float
    share: float

    @classmethod
    def of(cls, threshold: Threshold, old: float, new: float) -> "Move":
        """The move of `threshold` from `old` to `new`."""
        return cls(key=threshold.key, old=old, new=new, share=abs(new - old) / (threshold.high - threshold.low))


@dataclass(frozen=True, kw_only=True)
class Cells:
    """The distinct settings that one check has at a set of points.

    thresholds: each as an array (cells,). of_point: the cell of each point, (points,); None if there is one cell.
    """

    thresholds: Bound
    count: int
    of_point: np.ndarray | None = None

    @property
    def key(self) -> bytes:
        """Bytes that are equal for equal cells."""
        return b"|".join(values.tobytes() for values in vars(self.thresholds).values())

    def spread(self, table: np.ndarray) -> np.ndarray:
        """A table (rows, cells) as (rows, points), or as (rows, 1) if there is one cell."""
        return table if self.of_point is None else table.take(self.of_point, axis=1)


class Limits:
    """The limits and modes of many presets at once, each called a point. What `values` and `modes` do not name is as in
    `base`; without any column there is one point, `base` itself.

    values: threshold key -> array (points,). modes: check name -> one mode per point. count: the number of points.
    """

    def __init__(
        self, base: Preset = Preset(), values: Mapping[str, Any] = MappingProxyType({}),  # noqa: B008 - frozen
        modes: Mapping[str, Sequence[Mode]] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        self.base = base
        self._values = {key: np.asarray(column, dtype=float) for key, column in values.items()}
        self._modes = {name: np.array([MODES.index(m) for m in column]) for name, column in modes.items()}
        lengths = {len(column) for column in (*self._values.values(), *self._modes.values())}
        if len(lengths) > 1:
            raise ThresholdError(f"Every column of limits must be of one length, got {sorted(lengths)}.")
        self.count = next(iter(lengths), 1)
        self._cells: dict[str, Cells] = {}

    @classmethod
    def along(cls, base: Preset, key: str, values: Sequence[float] | None = None) -> "Limits":
        """One point for each of `values` of one threshold; by default every step of its slider."""
        return cls(base, {key: threshold_of(key).grid() if values is None else values}).validated()

    @classmethod
    def over(cls, base: Preset, key: str, other: str, values: Sequence[float], others: Sequence[float]) -> "Limits":
        """One point for each pair of values of two thresholds; the second threshold varies fastest."""
        pairs = np.array(list(product(values, others)), dtype=float).reshape(-1, 2)
        return cls(base, {key: pairs[:, 0], other: pairs[:, 1]}).validated()

    @classmethod
    def of_moves(cls, base: Preset, moves: Sequence[tuple[str, np.ndarray, np.ndarray]], count: int) -> "Limits":
        """`count` points at which some sliders are moved. moves: (threshold key, points that move it, its values)."""
        columns: dict[str, np.ndarray] = {}
        for key, points, values in moves:
            column = columns.setdefault(key, np.full(count, base.value(all_thresholds()[key])))
            column[points] = values
        return cls(base, columns)

    def validated(self) -> "Limits":
        """These limits. Raises ThresholdError for a value or a name that is not allowed."""
        validate_preset(self.base)
        for key, column in self._values.items():
            for value in np.unique(column):
                threshold_of(key).validate(float(value))
        for name in self._modes:
            validate_preset(Preset(modes={name: MODES[0]}))
        return self

    def value(self, key: str) -> np.ndarray:
        """The value of a threshold."""
        return self._values[key] if key in self._values else np.asarray(self.base.value(all_thresholds()[key]))

    def mode(self, check: Check) -> np.ndarray:
        """The mode of a check, as an index into MODES."""
        return self._modes.get(check.name, np.asarray(MODES.index(mode_of(check, self.base))))

    def blocks(self, check: Check) -> np.ndarray:
        """True where a check blocks."""
        return self.mode(check) == MODES.index("blocks")

    def is_on(self, key: str) -> np.ndarray:
        """True where a switch, a threshold that is 0 or 1, is 1."""
        return self.value(key) >= 1

    def cells(self, check: Check) -> Cells:
        """The distinct settings of a check."""
        if check.name not in self._cells:
            own = check.thresholds()
            base = np.array([self.base.value(t) for t in own.values()]).reshape(-1, 1)  # (thresholds, 1)
            columns = np.array([np.broadcast_to(self.value(t.key), self.count) for t in own.values()])
            moved = np.flatnonzero((columns != base).any(0))
            values, of_point = base, None
            if len(moved):
                distinct, index = np.unique(columns[:, moved], axis=1, return_inverse=True)
                values = np.concatenate([base, distinct], axis=1)  # cell 0 is the base
                of_point = np.zeros(self.count, dtype=np.int64)
                of_point[moved] = 1 + index.reshape(-1)
            thresholds = Bound(**dict(zip(own, values, strict=True)))
            self._cells[check.name] = Cells(thresholds=thresholds, count=values.shape[1], of_point=of_point)
        return self._cells[check.name]


@lru_cache(maxsize=1)
def grids() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """For each slider: its values, and the point at which it alone is moved there. At point 0 no slider is moved."""
    grid_by_key, end = {}, 1
    for key, threshold in all_thresholds().items():
        grid = threshold.grid()
        grid_by_key[key], end = (grid, np.arange(end, end + len(grid))), end + len(grid)
    return grid_by_key


def single_moves(base: Preset) -> Limits:
    """The limits of all moves of one slider: point 0 is `base`, the others are as in `grids`."""
    moves = [(key, points, grid) for key, (grid, points) in grids().items()]
    return Limits.of_moves(base, moves, 1 + sum(len(grid) for grid, _ in grids().values()))


def slider_points(threshold: Threshold, preset: Preset) -> tuple[np.ndarray, np.ndarray]:
    """The values of one slider, and for each the point of `single_moves` that holds it: two arrays (values,).

    The values ascend. The preset's own value is inserted if it lies between two steps; its point is 0.
    """
    grid, points, current = *grids()[threshold.key], preset.value(threshold)
    index = int(np.searchsorted(grid, current))
    if index < len(grid) and grid[index] == current:
        return grid, points
    return np.insert(grid, index, current), np.insert(points, index, 0)
