"""Thresholds: the numbers that a user may change, each declared once, beside the check that uses it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from core.errors import UserError

Mode = Literal["blocks", "watches", "off"]
MODES: tuple[Mode, ...] = ("blocks", "watches", "off")
MODE_NAMES: Mapping[Mode, str] = {"blocks": "Block", "watches": "Monitor", "off": "Off"}
"""Each mode as people read it."""
DUST = 1e-9
"""Differences below this count as 0, because floats are rounded: 0.3 - 0.2 must meet a limit of 0.1."""


class ThresholdError(UserError):
    """A threshold has an invalid declaration, an unknown name, or a value out of bounds."""


@dataclass(frozen=True, kw_only=True)
class Threshold:
    """One adjustable number. Slider, validation, sweep grid, preset field, docs row and tests all derive from it.

    By default it is a share or a probability, in steps of a hundredth. `stricter` is the direction that lets fewer
    answers through; "neither" is for numbers that change the route, such as a number of rounds.
    """

    label: str
    default: float
    low: float = 0.0
    high: float = 1.0
    step: float = 0.01
    unit: str
    stricter: Literal["higher", "lower", "neither"]
    source_document: str
    help: str
    key: str = ""  # "<check>.<name>", filled in by Check

    def __post_init__(self) -> None:
        if not self.low <= self.default <= self.high:
            raise ThresholdError(f"{self.label}: the default {self.default} is not between {self.low} and {self.high}")
        if not self.step > 0:
            raise ThresholdError(f"{self.label}: step must be positive, got {self.step}")

    @property
    def whole(self) -> bool:
        """True if the threshold takes whole numbers only, such as a number of passages."""
        return all(float(x).is_integer() for x in (self.low, self.high, self.step, self.default))

    @property
    def switch(self) -> bool:
        """True if the threshold has two values only: 0 (off) and 1 (on)."""
        return (self.low, self.high, self.step) == (0, 1, 1)

    def validate(self, value: Any) -> float:
        """Return `value` as a float. Raises ThresholdError if it is not a number or is out of bounds."""
        number = value if isinstance(value, int | float) and not isinstance(value, bool) else None
        if number is None or not self.low <= number <= self.high:
            raise ThresholdError(
                f"{self.key} must be a number from {self.low:g} to {self.high:g} ({self.unit}), got {value!r:.80}."
            )
        return float(number)

    def grid(self, points: int | None = None) -> np.ndarray:
        """Values to sweep, ascending, shape (points,): every step of the slider, or `points` values evenly spaced.

        They are rounded to 10 decimals, so that a swept 0.35 equals the slider's 0.35 and not 0.35000000000000003.
        """
        count = points or round((self.high - self.low) / self.step) + 1
        return np.round(np.linspace(self.low, self.high, count), 10)


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A named set of thresholds and modes.

    Anything that it does not name keeps the value of the source documents: a threshold its declared default, a check
    its default mode. So a preset that names nothing is `as_printed`, not the preset that a user starts with
    (`preset("default")`).
    """

    name: str = "as_printed"
    help: str = ""
    thresholds: Mapping[str, float] = field(default_factory=dict)
    modes: Mapping[str, Mode] = field(default_factory=dict)

    def value(self, threshold: Threshold) -> float:
        """The value of `threshold` under this preset."""
        return float(self.thresholds.get(threshold.key, threshold.default))

    def with_values(self, thresholds: Mapping[str, float], modes: Mapping[str, Mode] | None = None) -> "Preset":
        """Return this preset with some values replaced. The caller has validated them."""
        return Preset(
            name=self.name, help=self.help,
            thresholds={**self.thresholds, **thresholds}, modes={**self.modes, **(modes or {})},
        )  # fmt: skip
