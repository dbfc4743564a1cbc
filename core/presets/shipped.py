"""Presets: those that come with the project, limits or modes set one by one, how any preset is called, where two of
them differ, limit by limit, and a preset as what a link says of it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from core.check import DUST, mode_of
from core.checks import all_checks, all_thresholds, threshold_of, validated
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
            modes[name] = text.strip()
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


def _number(key: str, text: str) -> float:
    known = threshold_of(key)
    try:
        number = float(text)
    except ValueError as error:
        raise ThresholdError(f"{key} must be a number, got {text!r}.") from error
    return known.validate(number)


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


Side = Literal["first", "second", "neither"]
PARAMETER = "limits"
"""The name under which the words stand in an address."""
LONGEST = 2500
"""Letters; with every threshold and every mode moved it takes fewer."""
_LONGEST_MOVE = 100


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One threshold, or one mode (its key ends in ".mode"), that two presets set otherwise.

    stricter: which of the two lets less through here; "neither" for a threshold that changes only the route.
    """

    key: str
    first: float | str
    second: float | str
    stricter: Side

    @property
    def check(self) -> str:
        """The name of the check that it belongs to."""
        return self.key.partition(".")[0]


def differences(first: Preset, second: Preset) -> tuple[Difference, ...]:
    """What `second` sets otherwise than `first`, thresholds in the order of their checks, then modes."""
    a, b, known = values(first), values(second), all_thresholds()
    moved = [
        Difference(key=key, first=a[key], second=b[key], stricter=_higher(b[key] - a[key], known[key].stricter))
        for key in known
        if abs(a[key] - b[key]) > DUST
    ]
    was, now = modes_of(first), modes_of(second)
    names = [check.name for check in all_checks() if was[check.name] != now[check.name]]
    return (*moved, *(_switched(name, was[name], now[name]) for name in names))


def _higher(change: float, stricter: str) -> Side:
    """The stricter side, of a second value that is higher by `change`."""
    if stricter == "neither":
        return "neither"
    return "second" if (change > 0) == (stricter == "higher") else "first"


def _switched(name: str, first: str, second: str) -> Difference:
    """Modes are ordered: what blocks is stricter than what only watches, and that is stricter than off."""
    side = "first" if MODES.index(first) < MODES.index(second) else "second"
    return Difference(key=f"{name}.mode", first=first, second=second, stricter=side)


class LinkError(ValueError):
    """A link that cannot be opened; the message says which part of it, and that nothing was changed."""


def link_text(current: Preset) -> str:
    """`current` as "strict,confidence.min_confidence=45,numbers.mode=watches": a built-in preset and what differs.

    A preset that somebody saved is told by its values, since its name means nothing elsewhere.
    """
    base = presets().get(current.name, presets()["default"])
    return ",".join([base.name, *(f"{d.key}={_written(d.second)}" for d in differences(base, current))])


def read_link(text: str) -> Preset:
    """The preset that `link_text` wrote, every value validated; LinkError when any of it is not right."""
    if len(text) > LONGEST:
        raise LinkError(f"The link has {len(text)} letters, and at most {LONGEST} are read; nothing was changed.")
    name, *assignments = text.split(",")
    if name not in presets():
        raise LinkError(
            f"The link asks for the preset {name!r:.60}, which is none of {', '.join(presets())}; nothing was changed."
        )
    for place, assignment in enumerate(assignments):
        _require_move(assignment, before=assignments[:place])
    try:
        return require_whole(with_settings(presets()[name], assignments))
    except ThresholdError as error:
        raise LinkError(f"{str(error).rstrip('.')}; the link has changed nothing.") from error


def _require_move(assignment: str, before: list[str]) -> None:
    """LinkError for a move of what is no limit, far too long, or of what was moved before."""
    key, known = assignment.partition("=")[0], {*all_thresholds(), *(f"{check.name}.mode" for check in all_checks())}
    if key not in known or len(assignment) > _LONGEST_MOVE:
        raise LinkError(f"The link holds {assignment!r:.60}, which moves no limit of this app; nothing was changed.")
    if key in (other.partition("=")[0] for other in before):
        raise LinkError(f"The link moves {key} twice; nothing was changed.")


def _written(value: float | str) -> str:
    """A number in as few digits as give it back, or a mode."""
    return value if isinstance(value, str) else repr(value).removesuffix(".0")
