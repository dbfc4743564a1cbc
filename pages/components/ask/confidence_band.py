"""A value on its scale: zones with their words, the limits between them, and where it stands; and the evidence
confidence on one."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from core.chain import Verdict
from core.chain.facts import limits, zones
from core.chain.number_format import beside
from core.thresholds import Preset

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
    """True when the books were searched: a greeting, a question that is asked back, and one whose search broke have no
    evidence to draw."""
    found = "retrieve" in verdict.steps and verdict.confidence is not None
    return found or any(searched(part) for part in verdict.parts)


def band(verdict: Verdict, preset: Preset) -> None:
    """The picture; nothing where nothing was searched."""
    if searched(verdict):
        scale(title(verdict, preset), *band_parts(limits(preset)), verdict.confidence)


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


def scale(
    title: str, zones: Sequence[tuple[float, float, str, str]], marks: Sequence[tuple[float, str, str]], value: float
) -> None:
    """Draws it as wide as there is room, all places in percent of its width, 0 to 100; its words keep their size.

    title: what it shows, on hover and for those who cannot see it. zones: from, to, word and look (bad, quiet or good)
    of each, side by side. marks: place and words of each limit below the bar, and on which side of it they stand (left,
    middle or right).
    """
    bar = "".join(
        f'<span class="zone {look}" style="width:{high - low:g}%">{escape(word)}</span>'
        for low, high, word, look in zones if high > low
    )  # fmt: skip
    below = "".join(f'<span class="{side}" style="left:{at:g}%">{escape(text)}</span>' for at, text, side in marks)
    stands = f'<i class="value" style="left:{min(max(value, 0.0), 100.0):g}%"></i>'
    st.html(
        f'<div class="scale" role="img" aria-label="{escape(title)}" title="{escape(title)}">'
        f'<div class="bar">{bar}{stands}</div><div class="marks">{below}</div></div>'
    )
