"""The evidence confidence of a verdict on its scale from 0 to 100."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from core.decide import Verdict
from core.decide.evidence import ZONE_NAMES, limits, zones
from core.reply.display_rounding import whole
from core.thresholds import Preset

ZONES = {"never": "bad", "named_only": "quiet", "answer": "good"}
"""CSS class of each zone of the evidence confidence."""
_NARROW = 20
"""Width of a zone, in percent of the scale, below which its words would be cut: it has none then."""
_TITLES = {
    "never": "below both limits: too low to answer",
    "named_only": "enough only if you choose the book or its pages",
    "answer": "above the limit for a search in any book",
}
"""The meaning of each zone, in the title of the picture."""


def confidence_text(verdict: Verdict) -> str:
    """The evidence confidence, 0 to 100, rounded down."""
    return str(whole(verdict.confidence))


def has_search(verdict: Verdict) -> bool:
    """True if the books were searched for the question or a part of it, and the search did not fail."""
    has_evidence = "retrieve" in verdict.steps and verdict.confidence is not None
    return has_evidence or any(has_search(part) for part in verdict.parts)


def band(verdict: Verdict, preset: Preset) -> None:
    """Draw the evidence confidence on its scale; nothing if there was no search. Where the answer is refused, the scale
    is grey: nothing green stands under a refusal."""
    if has_search(verdict):
        title = f"Evidence confidence {confidence_text(verdict)} of 100: {_TITLES[verdict.band]}"
        st.html(scale_html(title, *band_parts(limits(preset)), verdict.confidence, is_grey=not verdict.answered))


def band_parts(
    ends: tuple[float, float],
) -> tuple[list[tuple[float, float, str, str]], list[tuple[float, str, str]]]:
    """(zones, limits) of the evidence confidence, in the form in which `scale_html` draws them.

    ends: two limits, 0 to 100: that for a search in named documents, and that for any search.
    """
    named_limit, free = ends
    bands = [
        (low, high, ZONE_NAMES[name] if high - low >= _NARROW else "", ZONES[name])
        for name, (low, high) in zones(named_limit, free).items() if high > low
    ]  # fmt: skip
    marks = [(free, f"{free:g}: answer", "right" if free < 75 else "left")]
    if named_limit < free:
        marks.insert(0, (named_limit, f"{named_limit:g}", "left" if named_limit > 5 else "right"))
    return bands, marks


def scale_html(
    title: str, zones: Sequence[tuple[float, float, str, str]], marks: Sequence[tuple[float, str, str]],
    value: float, *, is_grey: bool = False,
) -> str:  # fmt: skip
    """A value on a scale of full width as HTML; all positions are in percent of the width, 0 to 100.

    title: shown on hover, and the text alternative. zones: (start, end, label, look) of each zone, side by side; a look
    is bad, quiet or good. marks: (position, label, side) of each limit below the bar; side is where its label is.
    """
    bar = "".join(
        f'<span class="zone {css_class}" style="width:{high - low:g}%">{escape(word)}</span>'
        for low, high, word, css_class in zones if high > low
    )  # fmt: skip
    below = "".join(
        f'<span class="{side}" style="left:{position:g}%">{escape(text)}</span>' for position, text, side in marks
    )
    pointer = f'<i class="value" style="left:{min(max(value, 0.0), 100.0):g}%"></i>'
    return (
        f'<div class="scale{" grey" * is_grey}" role="img" aria-label="{escape(title)}" title="{escape(title)}">'
        f'<div class="bar">{bar}{pointer}</div><div class="marks">{below}</div></div>'
    )
