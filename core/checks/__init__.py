"""One check a file; a file that appears here is a check that runs. All of them, and all of their thresholds."""

import importlib
import pkgutil
from functools import lru_cache

from core.check import Check
from core.thresholds import MODES, Preset, Threshold, ThresholdError


@lru_cache(maxsize=1)
def all_checks() -> tuple[Check, ...]:
    """Every check under core/checks/, query checks first, then by seed and name. Importing its file registers it."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    found = (c for c in Check.registry.values() if type(c).__module__.startswith(f"{__name__}."))
    return tuple(sorted(found, key=lambda c: (c.stage != "query", c.seed, c.name)))


@lru_cache(maxsize=1)
def all_thresholds() -> dict[str, Threshold]:
    """Every threshold of every check, by key."""
    return {t.key: t for check in all_checks() for t in check.thresholds().values()}


def threshold_of(key: str) -> Threshold:
    """The threshold with this key; ThresholdError when there is none."""
    if key not in all_thresholds():
        raise ThresholdError(f"{key!r} is no threshold; allowed are {', '.join(all_thresholds())}.")
    return all_thresholds()[key]


def check_of(key: str) -> Check:
    """The check of this name, or that the threshold with this key belongs to; KeyError where there is none."""
    all_checks()
    return Check.registry[key.partition(".")[0]]


def validated(preset: Preset) -> Preset:
    """`preset`, once every name, value and mode in it is known to be right; else ThresholdError with one sentence."""
    names = {c.name for c in all_checks()}
    for key, value in preset.thresholds.items():
        threshold_of(key).validate(value)
    for name, mode in preset.modes.items():
        if name not in names:
            raise ThresholdError(f"{name!r} is no check; allowed are {', '.join(sorted(names))}.")
        if mode not in MODES:
            raise ThresholdError(f"the mode of {name} must be blocks, watches or off, got {mode!r}.")
    return preset
