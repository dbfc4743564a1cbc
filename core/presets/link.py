"""Limits in the address of a page: what differs from a built-in preset, as words that a person can read."""

from core.checks import all_checks, all_thresholds
from core.presets import presets, require_whole, with_settings
from core.presets.comparison import differences
from core.thresholds import Preset, ThresholdError

PARAMETER = "limits"
"""The name under which the words stand in an address."""
LONGEST = 2500
"""Letters; with every threshold and every mode moved it takes fewer."""
_LONGEST_MOVE = 100


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
