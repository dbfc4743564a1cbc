"""Where sliders and modes stand under a preset, as their widgets hold it."""

from functools import lru_cache
from typing import Any

from core.checks import all_thresholds
from core.presets import modes_of, preset, values
from core.thresholds import Preset, Threshold


def mode_key(check: str) -> str:
    return f"{check}.mode"


def as_widget(threshold: Threshold, number: float) -> float:
    """A number as a slider holds it: whole where only whole numbers are meant."""
    return int(number) if threshold.whole else float(number)


def positions(base: Preset) -> dict[str, Any]:
    """Every slider and mode under `base`, by key."""
    known = all_thresholds()
    sliders = {key: as_widget(known[key], v) for key, v in values(base).items()}
    return sliders | {mode_key(name): mode for name, mode in modes_of(base).items()}


@lru_cache(maxsize=1)
def limit_keys() -> tuple[str, ...]:
    """The keys of the preset, of every slider and of every mode: what undo takes back."""
    return "preset", *positions(preset("default"))
