"""Settings at which a whole bank is decided, stored as columns of thresholds and modes so that thousands are cheap."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product

import numpy as np

from core.check import mode_of
from core.checks import all_thresholds, check_of, threshold_of, validated
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
    """Many presets side by side. Whatever `values` and `modes` do not name is as in `base`. Validated when created.

    values: threshold key -> array (points,).
    modes: check name -> one mode per point.
    Without any column there is one point, `base` itself.
    """

    base: Preset = Preset()  # noqa: RUF009 - frozen
    values: Mapping[str, np.ndarray] = field(default_factory=dict)
    modes: Mapping[str, Sequence[Mode]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        validated(self.base)
        lengths = {len(column) for column in (*self.values.values(), *self.modes.values())}
        if len(lengths) > 1:
            raise ThresholdError(f"Every column of points must be of one length, got {sorted(lengths)}.")
        for key, column in self.values.items():
            for value in np.unique(np.asarray(column, dtype=float)):
                threshold_of(key).validate(float(value))
        for name, column in self.modes.items():
            for mode in set(column):
                validated(Preset(modes={name: mode}))

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
    def drawn(cls, base: Preset, count: int, seed: int, keys: Sequence[str] | None = None) -> "Points":
        """`count` random settings of the thresholds `keys` (default: all), each value a step of its slider."""
        generator = np.random.default_rng(seed)
        drawn_keys = list(all_thresholds()) if keys is None else keys
        return cls(base=base, values={key: generator.choice(threshold_of(key).grid(), count) for key in drawn_keys})


def limit(preset: Preset, threshold: Threshold) -> float:
    """The value of `threshold` under `preset`."""
    return float(preset.thresholds.get(threshold.key, threshold.default))


def stand_points(threshold: Threshold, preset: Preset) -> tuple[np.ndarray, np.ndarray]:
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
