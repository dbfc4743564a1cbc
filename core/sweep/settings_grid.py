"""Settings at which a whole bank is decided: thresholds and modes by column, so that many thousands cost little."""

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
    """One slider moved from `old` to `new`. share: how far that is, as a share of the slider's whole range."""

    key: str
    old: float
    new: float
    share: float

    @classmethod
    def of(cls, threshold: Threshold, old: float, new: float) -> "Move":
        """The move of one slider."""
        return cls(key=threshold.key, old=old, new=new, share=abs(new - old) / (threshold.high - threshold.low))


@dataclass(frozen=True, kw_only=True)
class Points:
    """Presets side by side: what `values` and `modes` do not name is as in `base`; validated when it is made.

    values: by threshold key, shape (points,). modes: by check name, one for each point. Without either it is one
    point, `base` itself.
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
        """What the threshold `key` is at each point: (points,), or () where it is the same at all."""
        return np.asarray(self.values.get(key, self.base.thresholds.get(key, all_thresholds()[key].default)), float)

    def mode(self, name: str) -> np.ndarray:
        """The place in MODES of the check `name` at each point: (points,), or () where it is the same at all."""
        if name not in self.modes:
            return np.asarray(MODES.index(mode_of(check_of(name), self.base)))
        return np.array([MODES.index(mode) for mode in self.modes[name]])

    def preset(self, point: int) -> Preset:
        """The preset at one place."""
        values = {key: float(column[point]) for key, column in self.values.items()}
        return self.base.with_values(values, {name: column[point] for name, column in self.modes.items()})

    @classmethod
    def along(cls, base: Preset, key: str, values: Sequence[float] | None = None) -> "Points":
        """One threshold at each of `values`, by default at every step of its slider."""
        found = threshold_of(key).grid() if values is None else np.asarray(values, dtype=float)
        return cls(base=base, values={key: found})

    @classmethod
    def over(cls, base: Preset, key: str, other: str, values: Sequence[float], others: Sequence[float]) -> "Points":
        """Two thresholds at each pair of their values, the first one's row by row."""
        pairs = np.array(list(product(values, others)), dtype=float).reshape(-1, 2)
        return cls(base=base, values={key: pairs[:, 0], other: pairs[:, 1]})

    @classmethod
    def drawn(cls, base: Preset, count: int, seed: int, keys: Sequence[str] | None = None) -> "Points":
        """`count` random settings of the thresholds `keys`, of all by default, each on a step of its slider."""
        generator = np.random.default_rng(seed)
        wanted = list(all_thresholds()) if keys is None else keys
        return cls(base=base, values={key: generator.choice(threshold_of(key).grid(), count) for key in wanted})


def limit(preset: Preset, threshold: Threshold) -> float:
    """Where the slider stands under `preset`."""
    return float(preset.thresholds.get(threshold.key, threshold.default))


def stand_points(threshold: Threshold, preset: Preset) -> tuple[np.ndarray, np.ndarray]:
    """The slider's grid, and where it stands should that lie between, ascending; and which point each is where every
    slider is moved in turn (`grids`): both (points,).
    """
    grid, places, now = *grids()[threshold.key], limit(preset, threshold)
    at = int(np.searchsorted(grid, now))
    if at < len(grid) and grid[at] == now:
        return grid, places
    return np.insert(grid, at, now), np.insert(places, at, 0)


@lru_cache(maxsize=1)
def grids() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Every slider's values, and which points they are after the one at which no slider is moved."""
    found, end = {}, 1
    for key, threshold in all_thresholds().items():
        grid = threshold.grid()
        found[key], end = (grid, np.arange(end, end + len(grid))), end + len(grid)
    return found
