"""The presets that come with the project, thresholds or modes set one by one, and how any preset is called."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.check import mode_of
from core.checks import all_checks, all_thresholds, validated
from core.thresholds import MODES, Mode, Preset, ThresholdError

FOLDER = Path(__file__).parents[2] / "data" / "presets"
_FIRST = ("default", "as_printed", "strict", "exam", "lenient")


@lru_cache(maxsize=1)
def presets() -> dict[str, Preset]:
    """Every preset of data/presets by name, first the default, which a user begins with; each one validated."""
    names = sorted(path.stem for path in FOLDER.glob("*.json"))
    return {n: _read(n) for n in (*_FIRST, *(n for n in names if n not in _FIRST))}


def preset(name: str) -> Preset:
    """The preset called `name`; ThresholdError when there is none."""
    if name not in presets():
        raise ThresholdError(f"{name!r} is no preset; allowed are {', '.join(presets())}.")
    return presets()[name]


def built_on(name: str) -> Preset:
    """What the built-in preset `name` goes out from and moves further; as printed where it says nothing."""
    return preset(_stored(name).get("on", "as_printed"))


def why() -> dict[str, str]:
    """For every check one sentence on why it blocks or only watches under the default, by name."""
    return dict(_stored("default")["why"])


def with_settings(base: Preset, assignments: list[str]) -> Preset:
    """`base` with assignments such as "citations.min_citation_coverage=0.9" or "numbers.mode=watches" applied."""
    thresholds: dict[str, float] = {}
    modes: dict[str, Mode] = {}
    for assignment in assignments:
        key, _, text = assignment.partition("=")
        name, _, what = key.strip().partition(".")
        if what == "mode":
            modes[name] = _mode(name, text.strip())
        else:
            thresholds[key.strip()] = _number(key.strip(), text.strip())
    return validated(base.with_values(thresholds, modes))


def values(base: Preset) -> dict[str, float]:
    """Every threshold under `base`, by key, defaults filled in."""
    return {key: float(base.thresholds.get(key, t.default)) for key, t in all_thresholds().items()}


def modes_of(base: Preset) -> dict[str, Mode]:
    """The mode of every check under `base`, by name, those that it does not name filled in."""
    return {check.name: mode_of(check, base) for check in all_checks()}


def require_whole(base: Preset) -> Preset:
    """`base`, validated, once each of its numbers is known to be one that a slider can stand at."""
    for key, value in validated(base).thresholds.items():
        if all_thresholds()[key].whole and not float(value).is_integer():
            raise ThresholdError(f"{key} must be a whole number, got {value!r}.")
    return base


def _read(name: str) -> Preset:
    stored = _stored(name)
    base = _read(stored["on"]) if "on" in stored else Preset()
    seed = stored.get("seed")
    others = {c.name: "watches" for c in all_checks() if seed and c.seed != seed}
    own = base.with_values(stored.get("thresholds", {}), {**others, **stored.get("modes", {})})
    return validated(replace(own, name=name, help=stored["help"]))


@lru_cache
def _stored(name: str) -> Mapping[str, Any]:
    """The file of a built-in preset: help, on, seed, thresholds, modes, why."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def _mode(name: str, text: str) -> Mode:
    if text not in MODES:
        raise ThresholdError(f"the mode of {name} must be blocks, watches or off, got {text!r}.")
    return text


def _number(key: str, text: str) -> float:
    if key not in all_thresholds():
        raise ThresholdError(f"{key!r} is no threshold; allowed are {', '.join(all_thresholds())}.")
    try:
        return all_thresholds()[key].validate(float(text))
    except ValueError as error:
        if isinstance(error, ThresholdError):
            raise
        raise ThresholdError(f"{key} must be a number, got {text!r}.") from error


def titled(name: str) -> str:
    """A preset's name as people say it: seed_a is Seed A, as_printed As printed; a saved one is called as it is."""
    if name not in presets():
        return name
    words = name.capitalize().split("_")
    return " ".join(word.upper() if len(word) == 1 else word for word in words)


def told(base: Preset, moved: int) -> str:
    """A preset and how far it is from there: "Strict, with 2 limits moved"."""
    limits = "1 limit" if moved == 1 else f"{moved} limits"
    return f"{titled(base.name)}, with {limits} moved" if moved else titled(base.name)
