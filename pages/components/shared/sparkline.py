"""A strip under a slider: ticks for scores, shaded ranges, and a line of words.

It is a picture and no component of its own: each of those is a widget, and so many would slow every slider down.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement, tostring

import streamlit as st

from pages.components.shared.plain_text import plain

WIDTH, HEIGHT = 288, 10
ACCENT, GREY = "#4f83e3", "#8a93a1"  # between their light and their dark shades: a picture does not know the theme
_LOOKS = {
    "other": {"fill": ACCENT, "fill-opacity": "0.35"},
    "unknown": {"fill": "none", "stroke": GREY, "stroke-dasharray": "3 3"},
}
"""A range in which a question ends otherwise, and one in which nobody knows."""


@dataclass(frozen=True, kw_only=True)
class Band:
    """A shaded range from `low` to `high`, 0 to 1; unknown: it is not known how a question ends there."""

    low: float
    high: float
    unknown: bool


@dataclass(frozen=True, kw_only=True)
class Strip:
    """What is drawn. title: what it shows, for those who cannot see it. question, bank: places of scores, 0 to 1."""

    title: str
    caption: str
    bands: tuple[Band, ...]
    question: tuple[float, ...]
    bank: tuple[float, ...]


def draw(strip: Strip) -> None:
    """The picture and the words under it."""
    st.image(svg(strip), width="stretch", alt=strip.title)
    st.caption(plain(strip.caption))


def svg(strip: Strip) -> str:
    """The picture: numbers only, so that there is nothing to escape."""
    size = {"width": str(WIDTH), "height": str(HEIGHT), "viewBox": f"0 0 {WIDTH} {HEIGHT}"}
    root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "preserveAspectRatio": "none", **size})
    _box(root, 0, 1, {"fill": GREY, "fill-opacity": "0.5"}, top=HEIGHT / 2 - 0.5, height=1)
    for band in strip.bands:
        _box(root, band.low, band.high, _LOOKS["unknown" if band.unknown else "other"])
    if strip.bank:  # one line for all of them, since a bank has many
        drawn = "".join(f"M{_across(place)} {HEIGHT / 2:g}v{HEIGHT / 2:g}" for place in strip.bank)
        SubElement(root, "path", {"d": drawn, "stroke": GREY})
    _ticks(root, strip.question, {"stroke": ACCENT, "stroke-width": "2"}, top=0)
    return tostring(root, encoding="unicode")


def _box(root: Element, low: float, high: float, look: dict[str, str], top: float = 0.5, height: float = 9) -> None:
    at = {"x": low * WIDTH, "y": top, "width": (high - low) * WIDTH, "height": height}
    SubElement(root, "rect", {name: f"{number:g}" for name, number in at.items()} | look)


def _ticks(root: Element, places: Sequence[float], look: dict[str, str], top: float) -> None:
    for place in places:
        x = _across(place)
        SubElement(root, "line", {"x1": x, "x2": x, "y1": f"{top:g}", "y2": f"{HEIGHT}"} | look)


def _across(place: float) -> str:
    return f"{1 + place * (WIDTH - 2):g}"
