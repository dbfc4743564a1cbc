"""The columns of a set of points, in the form in which each check reads them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np

from core.check import Bound, Check
from core.sweep.settings_grid import Points
from core.thresholds import MODES, Preset

_MOST_CELLS = 20_000_000


@dataclass(frozen=True, kw_only=True)
class Cells:
    """The distinct settings that one check sees: every combination of the distinct values of its thresholds.

    axes: threshold name -> its distinct values.
    cell_of_point: the cell of each point, (points,); None if there is one cell. The last threshold varies fastest.
    few: False if there are too many cells to decide them all.
    """

    axes: dict[str, np.ndarray]
    cell_of_point: np.ndarray | None = None
    few: bool = True
    listed: ClassVar[bool] = False

    @cached_property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(values) for values in self.axes.values())

    @cached_property
    def count(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    @cached_property
    def bound(self) -> Bound:
        """The thresholds, each along an axis of its own; the last axis is for the rows."""
        ones = [1] * (len(self.axes) + 1)
        thresholds = {}
        for index, (name, values) in enumerate(self.axes.items()):
            thresholds[name] = values.reshape([*ones[:index], -1, *ones[index + 1 :]])
        return Bound(**thresholds)

    def at(self, points: np.ndarray) -> np.ndarray:
        """The cell of each of the given points."""
        return np.zeros(len(points), dtype=np.int64) if self.cell_of_point is None else self.cell_of_point[points]

    @cached_property
    def fingerprint(self) -> bytes:
        """Bytes that are equal for equal cells; used as a cache key."""
        return b"|".join(values.tobytes() for values in self.axes.values())


@dataclass(frozen=True, kw_only=True)
class ListedCells(Cells):
    """Settings listed one after the other: each of `axes` holds one value per setting."""

    listed: ClassVar[bool] = True

    @cached_property
    def shape(self) -> tuple[int, ...]:
        return (next((len(values) for values in self.axes.values()), 1),)

    @cached_property
    def bound(self) -> Bound:
        return Bound(**{name: values[:, None] for name, values in self.axes.items()})


class Columns:
    """The columns of a set of points; each is (points,), or () if it is the same at every point."""

    def __init__(self, points: Points) -> None:
        self.points, self.count = points, len(points)
        self._cache: dict[str, Any] = {}

    def mode(self, check: Check) -> np.ndarray:
        """The mode of a check, as an index into MODES."""
        name = f"{check.name}:mode"
        if name not in self._cache:
            self._cache[name] = _collapse_constant(self.points.mode(check.name))
        return self._cache[name]

    def blocks(self, check: Check) -> np.ndarray:
        """True where a check blocks."""
        return self.mode(check) == MODES.index("blocks")

    def value(self, key: str) -> np.ndarray:
        """The value of a threshold."""
        if key not in self._cache:
            self._cache[key] = _collapse_constant(self.points.value(key))
        return self._cache[key]

    def cells(self, check: Check) -> Cells:
        """The distinct settings that a check sees."""
        if check.name not in self._cache:
            self._cache[check.name] = self._cells(check)
        return self._cache[check.name]

    def bound(self, check: Check) -> Bound:
        """The thresholds that a check reads."""
        return Bound(**{name: self.value(f"{check.name}.{name}") for name in reads(check)})

    def _cells(self, check: Check) -> Cells:
        axes, value_indices = {}, []
        for name in reads(check):
            axes[name], value_index = np.unique(self.value(f"{check.name}.{name}"), return_inverse=True)
            value_indices.append(value_index)
        shape = tuple(len(values) for values in axes.values())
        if np.prod(shape, dtype=np.float64) > _MOST_CELLS:
            return Cells(axes=axes, few=False)
        if np.prod(shape, dtype=np.int64) == 1:
            return Cells(axes=axes)
        spread = [np.broadcast_to(value_index.ravel(), self.count) for value_index in value_indices]
        return Cells(axes=axes, cell_of_point=np.ravel_multi_index(spread, shape))


class Moves:
    """Moves of sliders, and the moves made at each point, whatever preset they start from. Results are cached."""

    def __init__(self, keys: Sequence[str], values: np.ndarray, moved: np.ndarray) -> None:
        """keys, values: one slider move each, to a value on its grid.
        moved: the moves of each point as indices, (points, 1 or 2); -1 for none. No two moves of a point share a
        slider.
        """
        self.moved, self.values = moved, np.append(values, np.nan)
        self.keys: dict[str, list[int]] = {}
        for move, key in enumerate(keys):
            self.keys.setdefault(key, []).append(move)
        self._cache: dict[str, tuple[np.ndarray, np.ndarray | None]] = {}

    def distinct(self, check: Check) -> tuple[np.ndarray, np.ndarray | None]:
        """The distinct moves, or pairs of moves, of a check's own sliders, and the index among them of each point.

        The first entry is "no move". The index array is None if there is only one entry.
        """
        if check.name not in self._cache:
            self._cache[check.name] = self._distinct(check)
        return self._cache[check.name]

    def column(self, key: str, moved: np.ndarray, base: np.ndarray) -> np.ndarray:
        """The values of a threshold after these moves: (points,), or () if none of the moves is its own."""
        if key not in self.keys:
            return base
        is_own = np.zeros(len(self.values), dtype=bool)
        is_own[self.keys[key]] = True
        column = base
        for slot in moved.T:
            column = np.where(is_own[slot], self.values[slot], column)
        return column

    def _distinct(self, check: Check) -> tuple[np.ndarray, np.ndarray | None]:
        own_moves = [move for name in reads(check) for move in self.keys.get(f"{check.name}.{name}", ())]
        own_number = np.zeros(len(self.values), dtype=np.int64)
        own_number[own_moves] = np.arange(1, len(own_moves) + 1)
        radix, slots = len(own_moves) + 1, self.moved.shape[1]
        combined = own_number[self.moved] @ radix ** np.arange(slots)
        occurs = np.zeros(radix**slots, dtype=bool)
        occurs[combined] = occurs[0] = True
        codes = np.flatnonzero(occurs)
        moves = np.array([*own_moves, -1])[np.stack([codes // radix**n % radix for n in range(slots)], 1) - 1]
        return moves, (np.cumsum(occurs) - 1)[combined] if len(codes) > 1 else None


class MovedColumns(Columns):
    """The columns of settings that differ from a preset in at most a few sliders."""

    def __init__(self, base: Preset, moves: Moves) -> None:
        super().__init__(Points(base=base))
        self.count, self._moves = len(moves.moved), moves

    def value(self, key: str) -> np.ndarray:
        if key not in self._cache:
            self._cache[key] = self._moves.column(key, self._moves.moved, self.points.value(key))
        return self._cache[key]

    def _cells(self, check: Check) -> Cells:
        """One cell for each distinct move, or pair of moves, of the check's own sliders; the first is unmoved."""
        moves, cell_of_point = self._moves.distinct(check)
        axes = {}
        for name in reads(check):
            key = f"{check.name}.{name}"
            axes[name] = np.broadcast_to(self._moves.column(key, moves, self.points.value(key)), len(moves))
        return ListedCells(axes=axes, cell_of_point=cell_of_point)


@lru_cache(maxsize=64)
def reads(check: Check) -> tuple[str, ...]:
    """The thresholds that `check` compares with, by name. The set is fixed, because `decide` has no branches."""
    recorder = _ReadRecorder(check.bind(Preset()))
    check.decide(Bound(**{name: np.zeros((1,) * (1 + len(s.items))) for name, s in check.signals().items()}), recorder)
    return tuple(name for name in check.thresholds() if name in recorder.read)


class _ReadRecorder:
    """Thresholds that record which of them are read."""

    def __init__(self, bound: Bound) -> None:
        self._bound, self.read = bound, set()

    def __getattr__(self, name: str) -> np.ndarray:
        self.read.add(name)
        return getattr(self._bound, name)


def _collapse_constant(column: np.ndarray) -> np.ndarray:
    """A column with one value throughout as a scalar; any other column unchanged."""
    return column.reshape(-1)[0] if column.ndim and len(column) and (column == column[0]).all() else column
