"""Points: presets at which questions are decided together; the thresholds of each check at all of them as arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from types import MappingProxyType

import numpy as np

from core.check import Bound, Check, mode_of
from core.checks import all_thresholds, threshold_of, validate_preset
from core.thresholds import MODES, Mode, Preset, Threshold, ThresholdError


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
        value.
        """
        generator = np.random.default_rng(random_seed)
        drawn_keys = list(all_thresholds()) if keys is None else keys
        return cls(base=base, values={key: generator.choice(threshold_of(key).grid(), count) for key in drawn_keys})


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


def limit(preset: Preset, threshold: Threshold) -> float:
    """The value of `threshold` under `preset`."""
    return float(preset.thresholds.get(threshold.key, threshold.default))


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


class Columns:
    """The thresholds and modes at a set of points: each is (points,), or () if it is the same at every point."""

    def __init__(
        self, base: Preset, count: int = 1, values: Mapping[str, np.ndarray] = MappingProxyType({}),
        modes: Mapping[str, np.ndarray] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        """values, modes: what differs from `base` somewhere, by threshold key and by name of a check, (points,)."""
        self.base, self.count, self._values, self._modes = base, count, values, modes
        self._cells: dict[str, Cells] = {}

    @classmethod
    def of(cls, points: Points) -> "Columns":
        """The columns of these points."""
        values = {key: np.asarray(column, dtype=float) for key, column in points.values.items()}
        modes = {name: np.array([MODES.index(m) for m in column]) for name, column in points.modes.items()}
        return cls(points.base, len(points), values, modes)

    @classmethod
    def of_moves(cls, base: Preset, moves: Sequence[tuple[str, np.ndarray, np.ndarray]], count: int) -> "Columns":
        """The columns of `count` points at which some sliders are moved away from `base`.

        moves: (threshold key, the points that move it, its value at each of them).
        """
        columns: dict[str, np.ndarray] = {}
        for key, points, values in moves:
            column = columns.setdefault(key, np.full(count, limit(base, all_thresholds()[key])))
            column[points] = values
        return cls(base, count, columns)

    def value(self, key: str) -> np.ndarray:
        """The value of a threshold."""
        return self._values[key] if key in self._values else np.asarray(limit(self.base, all_thresholds()[key]))

    def mode(self, check: Check) -> np.ndarray:
        """The mode of a check, as an index into MODES."""
        return self._modes.get(check.name, np.asarray(MODES.index(mode_of(check, self.base))))

    def blocks(self, check: Check | None) -> np.ndarray:
        """True where a check blocks; False if there is no such check."""
        return np.asarray(False) if check is None else self.mode(check) == MODES.index("blocks")

    def is_on(self, key: str) -> np.ndarray:
        """True where a switch, a threshold that is 0 or 1, is 1; False if there is no such check."""
        return self.value(key) >= 1 if key in all_thresholds() else np.asarray(False)

    def cells(self, check: Check) -> Cells:
        """The distinct settings of a check."""
        if check.name not in self._cells:
            self._cells[check.name] = self._find_cells(check)
        return self._cells[check.name]

    def _find_cells(self, check: Check) -> Cells:
        own = {name: self.value(t.key) for name, t in check.thresholds().items()}
        varying = [name for name, column in own.items() if column.ndim]
        base = {name: np.atleast_1d(limit(self.base, t)) for name, t in check.thresholds().items()}
        moved = np.zeros(self.count, dtype=bool)
        for name in varying:
            moved |= own[name] != base[name]
        if not moved.any():
            return Cells(thresholds=Bound(**base), count=1)
        points = np.flatnonzero(moved)
        distinct, index = np.unique(np.stack([own[n][points] for n in varying]), axis=1, return_inverse=True)
        of_point = np.zeros(self.count, dtype=np.int64)  # cell 0 is the base
        of_point[points] = 1 + index.reshape(-1)
        count = 1 + distinct.shape[1]
        values = {name: np.append(base[name], distinct[n]) for n, name in enumerate(varying)}
        fixed = {name: np.broadcast_to(base[name], count) for name in own if name not in values}
        return Cells(thresholds=Bound(**{n: (values | fixed)[n] for n in own}), count=count, of_point=of_point)


@lru_cache(maxsize=1)
def grids() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """For each slider: its values, and the point at which it has each value while no other slider is moved.

    Point 0 is the setting in which no slider is moved.
    """
    grid_by_key, end = {}, 1
    for key, threshold in all_thresholds().items():
        grid = threshold.grid()
        grid_by_key[key], end = (grid, np.arange(end, end + len(grid))), end + len(grid)
    return grid_by_key


def single_moves(base: Preset) -> Columns:
    """The columns of all moves of one slider: point 0 is `base`, the others are as in `grids`."""
    moves = [(key, points, grid) for key, (grid, points) in grids().items()]
    return Columns.of_moves(base, moves, 1 + sum(len(grid) for grid, _ in grids().values()))


def slider_points(threshold: Threshold, preset: Preset) -> tuple[np.ndarray, np.ndarray]:
    """The values of one slider, and for each the point of `single_moves` that holds it: two arrays (values,).

    The values ascend. The preset's own value is inserted if it lies between two steps; its point is 0.
    """
    grid, points, current = *grids()[threshold.key], limit(preset, threshold)
    index = int(np.searchsorted(grid, current))
    if index < len(grid) and grid[index] == current:
        return grid, points
    return np.insert(grid, index, current), np.insert(points, index, 0)
