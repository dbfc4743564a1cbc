"""Where two presets differ, limit by limit, and a preset as what a link says of it."""

from dataclasses import dataclass
from typing import Literal

from core.check import DUST
from core.checks import all_checks, all_thresholds
from core.presets import modes_of, presets, require_whole, values, with_settings
from core.thresholds import MODES, Preset, ThresholdError

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
    key = assignment.partition("=")[0]
    if key not in _known() or len(assignment) > _LONGEST_MOVE:
        raise LinkError(f"The link holds {assignment!r:.60}, which moves no limit of this app; nothing was changed.")
    if key in (other.partition("=")[0] for other in before):
        raise LinkError(f"The link moves {key} twice; nothing was changed.")


def _known() -> set[str]:
    return {*all_thresholds(), *(f"{check.name}.mode" for check in all_checks())}


def _written(value: float | str) -> str:
    """A number in as few digits as give it back, or a mode."""
    return value if isinstance(value, str) else repr(value).removesuffix(".0")
