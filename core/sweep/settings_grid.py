"""The points of a sweep (each is one preset), and the values of each check's thresholds at all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import product
from typing import Any, ClassVar

import numpy as np

from core.check import Bound, Check, mode_of
from core.checks import all_thresholds, check_of, threshold_of, validate_preset
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
class Points:
    """Many presets at once, each called a point; what `values` and `modes` do not name is as in `base`. Validated.

    values: threshold key -> array (points,). modes: check name -> one mode per point. Without any column there is one
    point, `base` itself.
    """

    base: Preset = Preset()  # noqa: RUF009 - frozen
    values: Mapping[str, np.ndarray] = field(default_factory=dict)
    modes: Mapping[str, Sequence[Mode]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        validate_preset(self.base)
        lengths = {len(column) for column in (*self.values.values(), *self.modes.values())}
        if len(lengths) > 1:
            raise ThresholdError(f"Every column of points must be of one length, got {sorted(lengths)}.")
        for key, column in self.values.items():
            for value in np.unique(np.asarray(column, dtype=float)):
                threshold_of(key).validate(float(value))
        for name, column in self.modes.items():
            for mode in set(column):
                validate_preset(Preset(modes={name: mode}))

    def __len__(self) -> int:
        return next((len(column) for column in (*self.values.values(), *self.modes.values())), 1)

    def value(self, key: str) -> np.ndarray:
        """The threshold `key` at each point: (points,), or () if it is the same at every point."""
        return np.asarray(self.values.get(key, self.base.thresholds.get(key, all_thresholds()[key].default)), float)

    def mode(self, name: str) -> np.ndarray:
        """The mode of check `name` at each point, as an index into MODES: (points,); () if always the same."""
        if name not in self.modes:
            return np.asarray(MODES.index(mode_of(check_of(name), self.base)))
        return np.array([MODES.index(mode) for mode in self.modes[name]])

    def preset(self, point: int) -> Preset:
        """The preset at one point."""
        values = {key: float(column[point]) for key, column in self.values.items()}
        return self.base.with_values(values, {name: column[point] for name, column in self.modes.items()})

    @classmethod
    def along(cls, base: Preset, key: str, values: Sequence[float] | None = None) -> "Points":
        """One point for each of `values` of one threshold; by default every step of its slider."""
        grid = threshold_of(key).grid() if values is None else np.asarray(values, dtype=float)
        return cls(base=base, values={key: grid})

    @classmethod
    def over(cls, base: Preset, key: str, other: str, values: Sequence[float], others: Sequence[float]) -> "Points":
        """One point for each pair of values of two thresholds; the second threshold varies fastest."""
        pairs = np.array(list(product(values, others)), dtype=float).reshape(-1, 2)
        return cls(base=base, values={key: pairs[:, 0], other: pairs[:, 1]})

    @classmethod
    def random_points(cls, base: Preset, count: int, random_seed: int, keys: Sequence[str] | None = None) -> "Points":
        """`count` random presets: each of the thresholds `keys` (default: all) has a random step of its slider as its
        value."""
        generator = np.random.default_rng(random_seed)
        drawn_keys = list(all_thresholds()) if keys is None else keys
        return cls(base=base, values={key: generator.choice(threshold_of(key).grid(), count) for key in drawn_keys})


def limit(preset: Preset, threshold: Threshold) -> float:
    """The value of `threshold` under `preset`."""
    return float(preset.thresholds.get(threshold.key, threshold.default))


def slider_points(threshold: Threshold, preset: Preset) -> tuple[np.ndarray, np.ndarray]:
    """The values of one slider, and for each the point that holds it in the layout of `grids`: two arrays (points,).

    The values ascend. The preset's own value is inserted if it lies between two steps; its point is 0.
    """
    grid, points, current = *grids()[threshold.key], limit(preset, threshold)
    index = int(np.searchsorted(grid, current))
    if index < len(grid) and grid[index] == current:
        return grid, points
    return np.insert(grid, index, current), np.insert(points, index, 0)


@lru_cache(maxsize=1)
def grids() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """For each slider: its values, and the index of the point at which it has each value while no other slider is
    moved.

    Point 0 is the setting in which no slider is moved.
    """
    grid_by_key, end = {}, 1
    for key, threshold in all_thresholds().items():
        grid = threshold.grid()
        grid_by_key[key], end = (grid, np.arange(end, end + len(grid))), end + len(grid)
    return grid_by_key


_MOST_CELLS = 20_000_000


@dataclass(frozen=True, kw_only=True)
class Cells:
    """The distinct settings that one check reads: every combination of the distinct values of its thresholds.

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
    """Cells that are listed one by one, not as all combinations of values: each array of `axes` holds one value per
    cell."""

    listed: ClassVar[bool] = True

    @cached_property
    def shape(self) -> tuple[int, ...]:
        return (next((len(values) for values in self.axes.values()), 1),)

    @cached_property
    def bound(self) -> Bound:
        return Bound(**{name: values[:, None] for name, values in self.axes.items()})


class Columns:
    """The thresholds and modes at a set of points, as columns: each is (points,), or () if the same at every point."""

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
    """Moves of sliders, and which of them are made at each point. They apply to any preset. Results are cached."""

    def __init__(self, keys: Sequence[str], values: np.ndarray, moved: np.ndarray) -> None:
        """keys, values: one slider move each, to a value on its grid.
        moved: the moves of each point as indices, (points, 1 or 2); -1 for none. No two moves of a point share a
        slider.
        """
        self.indices, self.values = moved, np.append(values, np.nan)
        self.keys: dict[str, list[int]] = {}
        for move, key in enumerate(keys):
            self.keys.setdefault(key, []).append(move)
        self._cache: dict[str, tuple[np.ndarray, np.ndarray | None]] = {}

    def distinct(self, check: Check) -> tuple[np.ndarray, np.ndarray | None]:
        """The distinct moves (or pairs of moves) of a check's own sliders, and for each point the index of its move
        among them.

        The first move is "no move". The index array is None if "no move" is the only entry.
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
        radix, slots = len(own_moves) + 1, self.indices.shape[1]
        combination_codes = own_number[self.indices] @ radix ** np.arange(slots)
        occurs = np.zeros(radix**slots, dtype=bool)
        occurs[combination_codes] = occurs[0] = True
        codes = np.flatnonzero(occurs)
        moves = np.array([*own_moves, -1])[np.stack([codes // radix**n % radix for n in range(slots)], 1) - 1]
        return moves, (np.cumsum(occurs) - 1)[combination_codes] if len(codes) > 1 else None


class MovedColumns(Columns):
    """The columns of points at which at most a few sliders are moved away from one preset."""

    def __init__(self, base: Preset, moves: Moves) -> None:
        super().__init__(Points(base=base))
        self.count, self._moves = len(moves.indices), moves

    def value(self, key: str) -> np.ndarray:
        if key not in self._cache:
            self._cache[key] = self._moves.column(key, self._moves.indices, self.points.value(key))
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
    """The names of the thresholds that `check.decide` reads: always the same ones, since it has no branches."""
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
