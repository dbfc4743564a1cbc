"""The evidence confidence in its band: the zones, the two limits, and where this question stands."""

from core.chain import Verdict
from core.chain.facts import limits, zones
from core.chain.number_format import beside
from core.thresholds import Preset
from pages.components.shared.scale import scale

ZONES = {"never": ("never", "bad"), "named_only": ("named only", "quiet"), "answer": ("answer", "good")}
"""What each zone is called, and its look."""
_ROOM = (36, 75)
"""From the first on there is room for the words of a limit to the left of it, up to the second one to the right."""
_TITLES = {
    "never": "below both limits: too low to answer",
    "named_only": "enough only when documents or pages are named",
    "answer": "above the limit for any search",
}


def confidence_drawn(verdict: Verdict, preset: Preset) -> str:
    """The evidence confidence in as many digits as it takes not to contradict its band."""
    return beside(verdict.confidence, *limits(preset), least=0)


def searched(verdict: Verdict) -> bool:
    """True when the books were searched: a greeting, or a question that is asked back, has no evidence to draw."""
    return "retrieve" in verdict.steps or any(searched(part) for part in verdict.parts)


def band(verdict: Verdict, preset: Preset, key: str = "band") -> None:
    """The picture; nothing where nothing was searched."""
    if searched(verdict):
        scale(key, title(verdict, preset), *band_parts(limits(preset)), verdict.confidence)


def title(verdict: Verdict, preset: Preset) -> str:
    """What the picture shows."""
    return f"Evidence confidence {confidence_drawn(verdict, preset)} of 100: {_TITLES[verdict.band]}"


def band_parts(
    ends: tuple[float, float],
) -> tuple[list[tuple[float, float, str, str]], list[tuple[float, str, str]]]:
    """The zones side by side, and the limits below them, as `scale` takes both. ends: documents named, any search."""
    named, free = ends
    found = [(low, high, *ZONES[name]) for name, (low, high) in zones(named, free).items() if high > low]
    marks = [(free, f"{free:g} any search" if free < _ROOM[1] else f"{free:g}", "right" if free < 95 else "left")]
    if named < free:
        words = f"documents named {named:g}" if named > _ROOM[0] else f"{named:g}"
        marks.insert(0, (named, words, "left" if named > 5 else "right"))
    return found, marks
