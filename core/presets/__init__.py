"""The built-in presets, changes of a preset, the difference between two presets, and a preset as a link."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from core.check import mode_of, source_title
from core.checks import all_checks, all_thresholds, threshold_of, validate_preset
from core.errors import UserError
from core.thresholds import DUST, MODES, Mode, Preset, ThresholdError
from core.words import count_of

FOLDER = Path(__file__).parents[2] / "data" / "presets"
_FIRST = ("default", "as_printed", "strict", "exam", "lenient")


class PresetError(UserError):
    """A preset cannot be found, read or written, or its name is invalid; the message says what is allowed."""


@lru_cache(maxsize=1)
def presets() -> dict[str, Preset]:
    """Every preset in data/presets by name, validated; the default, with which a user starts, comes first."""
    names = sorted(path.stem for path in FOLDER.glob("*.json"))
    return {n: _read_preset(n) for n in (*_FIRST, *(n for n in names if n not in _FIRST))}


def preset(name: str) -> Preset:
    """The preset called `name`. Raises ThresholdError if there is none."""
    if name not in presets():
        raise ThresholdError(f"{name!r:.80} is no preset; allowed are {', '.join(presets())}.")
    return presets()[name]


def with_settings(base: Preset, assignments: list[str]) -> Preset:
    """`base` with assignments such as "citations.min_citation_coverage=0.9" or "numbers.mode=watches"."""
    thresholds: dict[str, float] = {}
    modes: dict[str, Mode] = {}
    for assignment in assignments:
        key, text = (part.strip() for part in assignment.partition("=")[::2])
        name, _, field = key.partition(".")
        if field == "mode":
            modes[name] = text
            continue
        threshold = threshold_of(key)
        try:
            number = float(text)
        except ValueError as error:
            raise ThresholdError(f"{key} must be a number, got {text!r:.80}.") from error
        thresholds[key] = threshold.validate(number)
    return validate_preset(base.with_values(thresholds, modes))


def with_content(base: Preset, content: Mapping[str, Any]) -> Preset:
    """`base` with the thresholds and modes of an object that was read from a file, validated. Raises UserError."""
    fields = {field: content.get(field, {}) for field in ("thresholds", "modes")}
    for field, values_by_name in fields.items():
        if not isinstance(values_by_name, Mapping):
            raise PresetError(f"{field} must be a list of names with their values")
    return require_whole(base.with_values(**fields))


def values(base: Preset) -> dict[str, float]:
    """Every threshold under `base` by key, including defaults."""
    return {key: base.value(threshold) for key, threshold in all_thresholds().items()}


def modes_of(base: Preset) -> dict[str, Mode]:
    """The mode of every check under `base` by name, including defaults."""
    return {check.name: mode_of(check, base) for check in all_checks()}


def preset_row(base: Preset) -> dict[str, Any]:
    """A preset as it is stored and sent: with every threshold and mode, defaults included."""
    return {"name": base.name, "help": base.help, "thresholds": values(base), "modes": modes_of(base)}


def require_whole(base: Preset) -> Preset:
    """Validate `base`, and require whole numbers for thresholds that take only whole numbers. Raises ThresholdError."""
    for key, value in validate_preset(base).thresholds.items():
        if all_thresholds()[key].whole and not float(value).is_integer():
            raise ThresholdError(f"{key} must be a whole number, got {value!r:.80}.")
    return base


def _read_preset(name: str) -> Preset:
    """A built-in preset from its file, which holds help, thresholds, modes and reasons for the modes. on: the preset
    that it changes. seed: the source document whose checks alone may block."""
    content = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    base = _read_preset(content["on"]) if "on" in content else Preset()
    source_document = content.get("seed")
    other_modes = {c.name: "watches" for c in all_checks() if source_document and c.source_document != source_document}
    complete = base.with_values(content.get("thresholds", {}), {**other_modes, **content.get("modes", {})})
    return validate_preset(replace(complete, name=name, help=content["help"]))


def display_name(name: str) -> str:
    """A preset's display name: "A: Safety mechanism" for seed_a, "As printed"; a saved preset keeps its name."""
    if name not in presets():
        return name
    return source_title(name[-1].upper()) if name.startswith("seed_") else name.capitalize().replace("_", " ")


def preset_text(base: Preset, move_count: int) -> str:
    """A preset's display name with the number of moved limits: "Strict, with 2 changes"."""
    changes = f", with {count_of(move_count, 'change')}" if move_count else ""
    return display_name(base.name) + changes


Side = Literal["first", "second", "neither"]
PARAMETER = "limits"
"""The query parameter that holds the link text."""
LONGEST = 2500
"""Maximum length of a link text; with every threshold and mode moved it is shorter."""


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One threshold, or one mode (its key ends in ".mode"), that differs between two presets.

    stricter: the preset that lets fewer answers through; "neither" for a threshold that only changes the route.
    """

    key: str
    first: float | str
    second: float | str
    stricter: Side


def differences(first: Preset, second: Preset) -> tuple[Difference, ...]:
    """The differences of `second` from `first`: thresholds in the order of their checks, then modes."""
    first_values, second_values, thresholds = values(first), values(second), all_thresholds()
    moved_thresholds = [
        Difference(key=key, first=old, second=new, stricter=_stricter_side(new - old, threshold.stricter))
        for key, threshold in thresholds.items()
        if abs((old := first_values[key]) - (new := second_values[key])) > DUST
    ]
    first_modes, second_modes = modes_of(first), modes_of(second)
    moved_modes = [
        Difference(
            key=f"{name}.mode", first=old, second=new,
            stricter=_stricter_side(MODES.index(new) - MODES.index(old), "lower"),
        )
        for name, old in first_modes.items() if old != (new := second_modes[name])
    ]  # fmt: skip
    return (*moved_thresholds, *moved_modes)


def _stricter_side(change: float, stricter: str) -> Side:
    """The stricter of two presets in a value that is higher by `change` in the second. stricter: the direction."""
    if stricter == "neither":
        return "neither"
    return "second" if (change > 0) == (stricter == "higher") else "first"


def link_text(current: Preset) -> str:
    """`current` as "strict,confidence.min_confidence=45,numbers.mode=watches": a built-in preset and its differences.

    A saved preset is written by its values, since its name means nothing elsewhere.
    """
    base = presets().get(current.name, presets()["default"])
    return ",".join([base.name, *(f"{d.key}={_value_text(d.second)}" for d in differences(base, current))])


def read_link(text: str) -> Preset:
    """The preset written by `link_text`, validated. Raises PresetError if any part is invalid."""
    name, *assignments = text[:LONGEST].split(",")
    known_keys = {*all_thresholds(), *(f"{check.name}.mode" for check in all_checks())}
    keys = [assignment.partition("=")[0] for assignment in assignments]
    unknown = [a for key, a in zip(keys, assignments, strict=True) if key not in known_keys]
    twice = [key for index, key in enumerate(keys) if key in keys[:index]]
    try:
        if len(text) > LONGEST:
            raise PresetError(f"The link has {len(text)} letters, and at most {LONGEST} are read")
        if name not in presets():
            raise PresetError(f"The link asks for the preset {name!r:.60}, which is none of {', '.join(presets())}")
        if unknown:
            raise PresetError(f"The link sets {unknown[0]!r:.60}, but this app has no such limit")
        if twice:
            raise PresetError(f"The link sets {twice[0]} twice")
        return require_whole(with_settings(presets()[name], assignments))
    except UserError as error:
        raise PresetError(f"{str(error).rstrip('.')}; nothing was changed.") from error


def _value_text(value: float | str) -> str:
    """A number in the fewest digits that restore it, or a mode."""
    return value if isinstance(value, str) else repr(value).removesuffix(".0")
