"""The columns of some points as each check reads them."""

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
    """The distinct settings of what one check reads: every combination of the distinct values of each threshold.

    axes: these values by name. place: (points,), the combination of each point, the last threshold fastest; None when
    there is only one. few: False where they are too many ever to be decided all.
    """

    axes: dict[str, np.ndarray]
    place: np.ndarray | None = None
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
        found = {}
        for n, (name, values) in enumerate(self.axes.items()):
            found[name] = values.reshape([*ones[:n], -1, *ones[n + 1 :]])
        return Bound(**found)

    def at(self, points: np.ndarray) -> np.ndarray:
        """The cell of each of some points."""
        return np.zeros(len(points), dtype=np.int64) if self.place is None else self.place[points]

    @cached_property
    def mark(self) -> bytes:
        """The same for the same values."""
        return b"|".join(values.tobytes() for values in self.axes.values())


@dataclass(frozen=True, kw_only=True)
class ListedCells(Cells):
    """Settings of what one check reads, one after the other: each of `axes` holds a value for each of them."""

    listed: ClassVar[bool] = True

    @cached_property
    def shape(self) -> tuple[int, ...]:
        return (next((len(values) for values in self.axes.values()), 1),)

    @cached_property
    def bound(self) -> Bound:
        return Bound(**{name: values[:, None] for name, values in self.axes.items()})


class Columns:
    """The columns of some points: each is (points,), or () where it is the same at all."""

    def __init__(self, points: Points) -> None:
        self.points, self.count = points, len(points)
        self._known: dict[str, Any] = {}

    def mode(self, check: Check) -> np.ndarray:
        """The place in MODES of a check's mode."""
        name = f"{check.name}:mode"
        if name not in self._known:
            self._known[name] = _reduced(self.points.mode(check.name))
        return self._known[name]

    def blocks(self, check: Check) -> np.ndarray:
        """Where a check blocks."""
        return self.mode(check) == MODES.index("blocks")

    def value(self, key: str) -> np.ndarray:
        """A threshold."""
        if key not in self._known:
            self._known[key] = _reduced(self.points.value(key))
        return self._known[key]

    def cells(self, check: Check) -> Cells:
        """The distinct settings of what a check reads."""
        if check.name not in self._known:
            self._known[check.name] = self._cells(check)
        return self._known[check.name]

    def bound(self, check: Check) -> Bound:
        """The thresholds that a check reads."""
        return Bound(**{name: self.value(f"{check.name}.{name}") for name in reads(check)})

    def _cells(self, check: Check) -> Cells:
        axes, places = {}, []
        for name in reads(check):
            axes[name], place = np.unique(self.value(f"{check.name}.{name}"), return_inverse=True)
            places.append(place)
        shape = tuple(len(values) for values in axes.values())
        if np.prod(shape, dtype=np.float64) > _MOST_CELLS:
            return Cells(axes=axes, few=False)
        if np.prod(shape, dtype=np.int64) == 1:
            return Cells(axes=axes)
        spread = [np.broadcast_to(place.ravel(), self.count) for place in places]
        return Cells(axes=axes, place=np.ravel_multi_index(spread, shape))


class Moves:
    """Moves of sliders, and the moves of each point, whatever preset they begin from: what is known of them is kept."""

    def __init__(self, keys: Sequence[str], values: np.ndarray, moved: np.ndarray) -> None:
        """keys, values: moves of one slider each, on its grid. moved: (points, 1 or 2), the moves of each point.

        -1 stands for none; no two moves of a point are of one slider.
        """
        self.moved, self.values = moved, np.append(values, np.nan)
        self.keys: dict[str, list[int]] = {}
        for move, key in enumerate(keys):
            self.keys.setdefault(key, []).append(move)
        self._known: dict[str, tuple[np.ndarray, np.ndarray | None]] = {}

    def distinct(self, check: Check) -> tuple[np.ndarray, np.ndarray | None]:
        """The moves, and pairs of moves, of a check's own sliders, first none; and the place of each point in them.

        None for the place where there is only one.
        """
        if check.name not in self._known:
            self._known[check.name] = self._distinct(check)
        return self._known[check.name]

    def column(self, key: str, moved: np.ndarray, base: np.ndarray) -> np.ndarray:
        """A threshold where these moves are made: (points,), or () where none of them is its own."""
        if key not in self.keys:
            return base
        mine = np.zeros(len(self.values), dtype=bool)
        mine[self.keys[key]] = True
        found = base
        for slot in moved.T:
            found = np.where(mine[slot], self.values[slot], found)
        return found

    def _distinct(self, check: Check) -> tuple[np.ndarray, np.ndarray | None]:
        mine = [move for name in reads(check) for move in self.keys.get(f"{check.name}.{name}", ())]
        of_mine = np.zeros(len(self.values), dtype=np.int64)
        of_mine[mine] = np.arange(1, len(mine) + 1)
        radix, slots = len(mine) + 1, self.moved.shape[1]
        combined = of_mine[self.moved] @ radix ** np.arange(slots)
        there = np.zeros(radix**slots, dtype=bool)
        there[combined] = there[0] = True
        found = np.flatnonzero(there)
        moves = np.array([*mine, -1])[np.stack([found // radix**n % radix for n in range(slots)], 1) - 1]
        return moves, (np.cumsum(there) - 1)[combined] if len(found) > 1 else None


class MovedColumns(Columns):
    """The columns of settings in which a few sliders at most stand elsewhere than in a preset."""

    def __init__(self, base: Preset, moves: Moves) -> None:
        super().__init__(Points(base=base))
        self.count, self._moves = len(moves.moved), moves

    def value(self, key: str) -> np.ndarray:
        if key not in self._known:
            self._known[key] = self._moves.column(key, self._moves.moved, self.points.value(key))
        return self._known[key]

    def _cells(self, check: Check) -> Cells:
        """What a check reads at the moves, and at the pairs of moves, of its own sliders; first as it is unmoved."""
        moves, place = self._moves.distinct(check)
        axes = {}
        for name in reads(check):
            key = f"{check.name}.{name}"
            axes[name] = np.broadcast_to(self._moves.column(key, moves, self.points.value(key)), len(moves))
        return ListedCells(axes=axes, place=place)


@lru_cache(maxsize=64)
def reads(check: Check) -> tuple[str, ...]:
    """The thresholds that `check` compares with, by name; `decide` has no branches, so they are the same for all."""
    noted = _Noted(check.bind(Preset()))
    check.decide(Bound(**{name: np.zeros((1,) * (1 + len(s.items))) for name, s in check.signals().items()}), noted)
    return tuple(name for name in check.thresholds() if name in noted.read)


class _Noted:
    """Thresholds that note which of them are read."""

    def __init__(self, bound: Bound) -> None:
        self._bound, self.read = bound, set()

    def __getattr__(self, name: str) -> np.ndarray:
        self.read.add(name)
        return getattr(self._bound, name)


def _reduced(column: np.ndarray) -> np.ndarray:
    """A column that holds one value throughout as that value."""
    return column.reshape(-1)[0] if column.ndim and len(column) and (column == column[0]).all() else column
