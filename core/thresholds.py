"""Thresholds: the numbers a person may move, each declared once, beside the check that uses it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

Mode = Literal["blocks", "watches", "off"]
MODES: tuple[Mode, ...] = ("blocks", "watches", "off")


class ThresholdError(ValueError):
    """A threshold was declared badly, named wrongly, or given a value that it cannot take."""


@dataclass(frozen=True, kw_only=True)
class Threshold:
    """One movable number. Slider, validation, sweep grid, preset field, docs row and tests all come from here.

    `stricter` says which way is safer; "neither" is for numbers that change the route, such as a count of rounds.
    """

    label: str
    default: float
    low: float
    high: float
    step: float
    unit: str
    stricter: Literal["higher", "lower", "neither"]
    seed: str
    help: str
    key: str = ""  # "<check>.<name>", filled in by Check

    def __post_init__(self) -> None:
        if not self.low <= self.default <= self.high:
            raise ThresholdError(f"{self.label}: default {self.default} lies outside [{self.low}, {self.high}]")
        if not self.step > 0:
            raise ThresholdError(f"{self.label}: step must be positive, got {self.step}")

    @property
    def whole(self) -> bool:
        """True when only whole numbers are meant, as for a number of passages."""
        return all(float(x).is_integer() for x in (self.low, self.high, self.step, self.default))

    @property
    def switch(self) -> bool:
        """True when it is off or on and nothing between."""
        return (self.low, self.high, self.step) == (0, 1, 1)

    def validate(self, value: Any) -> float:
        """`value` as a float, or ThresholdError when it is no number or out of bounds."""
        number = value if isinstance(value, int | float) and not isinstance(value, bool) else None
        if number is None or not self.low <= number <= self.high:
            raise ThresholdError(
                f"{self.key} must be a number from {self.low:g} to {self.high:g} ({self.unit}), got {value!r}."
            )
        return float(number)

    def grid(self, points: int | None = None) -> np.ndarray:
        """Values to sweep, ascending: every step, or `points` of them evenly spread; shape (points,).

        Rounded to 10 decimals, so that a swept 0.35 is the slider's 0.35 and not 0.35000000000000003.
        """
        n = points or round((self.high - self.low) / self.step) + 1
        return np.round(np.linspace(self.low, self.high, n), 10)


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A named set of thresholds and modes.

    What it does not name stays as the documents print it: a threshold at its declared default, a check blocking. So a
    preset that names nothing is `as_printed`, never the one that a user begins with (`preset("default")`).
    """

    name: str = "as_printed"
    help: str = ""
    thresholds: Mapping[str, float] = field(default_factory=dict)
    modes: Mapping[str, Mode] = field(default_factory=dict)

    def with_values(self, thresholds: Mapping[str, float], modes: Mapping[str, Mode] | None = None) -> "Preset":
        """This preset with some values moved; already validated by the caller."""
        return Preset(
            name=self.name, help=self.help,
            thresholds={**self.thresholds, **thresholds}, modes={**self.modes, **(modes or {})},
        )  # fmt: skip
