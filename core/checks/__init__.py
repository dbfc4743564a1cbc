"""All checks and their thresholds. Each file is one check; a new file in this folder is found and runs."""

import importlib
import pkgutil
from functools import lru_cache

from core.check import Check
from core.thresholds import MODES, Preset, Threshold, ThresholdError


@lru_cache(maxsize=1)
def all_checks() -> tuple[Check, ...]:
    """Every check in this folder, query checks first, then by source document and name."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    checks = (c for c in Check.registry.values() if type(c).__module__.startswith(f"{__name__}."))
    return tuple(sorted(checks, key=lambda c: (c.stage != "query", c.source_document, c.name)))


@lru_cache(maxsize=1)
def all_thresholds() -> dict[str, Threshold]:
    """Every threshold of every check, by key."""
    return {t.key: t for check in all_checks() for t in check.thresholds().values()}


def threshold_of(key: str) -> Threshold:
    """The threshold with this key. Raises ThresholdError if there is none."""
    if key not in all_thresholds():
        raise ThresholdError(f"{key!r:.80} is no threshold; allowed are {', '.join(all_thresholds())}.")
    return all_thresholds()[key]


def check_of(key: str) -> Check:
    """The check with this name, or the check of the threshold with this key. Raises KeyError if there is none."""
    all_checks()
    return Check.registry[key.partition(".")[0]]


def validate_preset(preset: Preset) -> Preset:
    """Return `preset` if every name, value and mode in it is valid; otherwise raise ThresholdError with
    one sentence.
    """
    names = {c.name for c in all_checks()}
    for key, value in preset.thresholds.items():
        threshold_of(key).validate(value)
    for name, mode in preset.modes.items():
        if name not in names:
            raise ThresholdError(f"{name!r:.80} is no check; allowed are {', '.join(sorted(names))}.")
        if mode not in MODES:
            raise ThresholdError(f"the mode of {name} must be blocks, watches or off, got {mode!r:.80}.")
    return preset
