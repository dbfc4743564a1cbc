"""The chain as a map: its boxes, what each is for, the lines between them (chain_map.json), what of it is lit.

Made in the browser (drawing.js): a text is set as text there, never read as markup.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import streamlit as st
from pydantic import TypeAdapter

from core.chain.messages import ENDS

WIDTH, HEIGHT = 404, 822
BOX = (140, 32)
Shape = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Leg:
    """One step: its place on the map, what it decided in a few words, and the same as a sentence."""

    place: str
    said: str
    told: str


@dataclass(frozen=True, kw_only=True)
class Place:
    """One box: its words, what happens there in a teacher's words, its left top corner. An end gives out a route."""

    name: str
    text: str
    about: str
    x: int
    y: int
    end: bool = False


@dataclass(frozen=True, kw_only=True)
class Line:
    """A line from one box to another: its corners, its words where it is not taken, and where they stand.

    anchor: start, middle or end, which part of the words stands there.
    """

    start: str
    end: str
    points: tuple[tuple[float, float], ...]
    word: str
    at: tuple[float, float]
    anchor: str


@dataclass(frozen=True, kw_only=True)
class Map:
    """Every box, those that a question passes to which nothing happens first and from top to bottom, and every line."""

    places: tuple[Place, ...]
    lines: tuple[Line, ...]


_MAP = TypeAdapter(Map).validate_json(Path(__file__).with_suffix(".json").read_bytes())
LINES = _MAP.lines
PLACES: Mapping[str, Place] = {place.name: place for place in _MAP.places}
SPINE = tuple(place for place in _MAP.places if place.x == _MAP.places[0].x)
_FILE = Path(__file__).with_name("drawing.js")
_component = st.components.v2.component(
    "guardrail.drawing", html='<div class="drawing"></div>', js=_FILE.read_text("utf-8"),
    css=_FILE.with_suffix(".css").read_text("utf-8"),
)  # fmt: skip
_ORDER = [place.name for place in SPINE]
_STRAIGHT = {(one.start, one.end) for one in LINES}
_PASSED = {"parts": "one thing asked"}
"""What stands at a box that a question passed without a step of its own."""
_COLOURS = {"refuse": "bad", "clarify": "back", "escalate": "back"}


def drawing(key: str, title: str, shapes: Sequence[Shape]) -> None:
    """Draws the map: `shapes` are boxes, lines with an arrow at their end, and words, each with its look.

    title: what the picture shows, said to those who cannot see it.
    """
    _component(key=key, data={"title": title, "width": WIDTH, "height": HEIGHT, "shapes": list(shapes)})


@dataclass(kw_only=True)
class Lit:
    """What is lit: the boxes that were visited or passed, the lines with their words, and the end with its route."""

    visited: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    lines: dict[tuple[str, str], str] = field(default_factory=dict)
    end: str = ""
    route: str = ""

    def go(self, start: str, end: str, said: str) -> None:
        """Light the line from one box to another, or all of the spine between them."""
        if (start, end) in _STRAIGHT:
            self.lines[start, end] = said
            return
        first, last = _ORDER.index(start), _ORDER.index(end)
        for one, other in zip(_ORDER[first:last], _ORDER[first + 1 : last + 1], strict=True):
            self.lines[one, other] = said if one == start else _PASSED.get(one, "not asked")
        for name in _ORDER[first + 1 : last]:
            (self.visited if name in _PASSED else self.passed).append(name)


def shapes(way: Lit | None = None, legs: Sequence[Leg] = ()) -> list[Shape]:
    """The whole map, with `way` lit up; nothing is without it."""
    way = way or Lit()
    told = {place: " ".join(leg.told for leg in legs if leg.place == place) for place in PLACES}
    pale = [one for one in LINES if (one.start, one.end) not in way.lines]
    taken = [one for one in LINES if (one.start, one.end) in way.lines]
    drawn = [{"shape": "line", "points": one.points, "look": "pale"} for one in pale]
    drawn += [{"shape": "line", "points": one.points, "look": "taken"} for one in taken]
    words = [_word(one, one.word, "pale") for one in pale]
    words += [_word(one, way.lines[one.start, one.end] or one.word, "taken") for one in taken]
    boxes = [_box(place, way, f"{place.about} {told[place.name]}".strip()) for place in PLACES.values()]
    return [*drawn, *(w for w in words if w["text"]), *boxes]


def _word(one: Line, words: str, look: str) -> Shape:
    x, y = one.at
    return {"shape": "text", "x": x, "y": y, "text": words, "look": look, "anchor": one.anchor}


def _box(place: Place, way: Lit, hover: str) -> Shape:
    ends = place.name == way.end
    words = ENDS[way.route] if ends else place.text
    look = "pale" if way.route else "passed" if place.end else ""
    if ends:
        look = _COLOURS.get(way.route, "good")
    elif place.name in way.visited:
        look = "taken"
    elif place.name in way.passed:
        look = "passed"
    width, height = BOX
    return {
        "shape": "box", "x": place.x, "y": place.y, "width": width, "height": height, "text": words, "look": look,
        "hover": hover, "round": 16 if place.end or place.name == "deliver" else 5,
    }  # fmt: skip
