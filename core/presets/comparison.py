"""Two presets beside each other, threshold by threshold: only what differs, and which of the two is stricter."""

from dataclasses import dataclass
from typing import Literal

from core.check import DUST
from core.checks import all_checks, all_thresholds
from core.presets import modes_of, values
from core.thresholds import MODES, Preset

Side = Literal["first", "second", "neither"]


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
