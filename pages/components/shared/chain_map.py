"""The map of the chain: its boxes and lines (chain_map.json), and which of them are highlighted for a question.

The browser draws it (drawing.js) and sets every text as text, never as markup.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import streamlit as st
from pydantic import TypeAdapter

from core.words import ROUTES

WIDTH, HEIGHT = 404, 822
"""Size of the map in pixels."""
BOX = (140, 32)
"""Width and height of a box in pixels."""
Shape = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class PathStep:
    """One step of the path of a question.

    box: the name of its box on the map. label: its result in a few words. sentence: the result as a sentence.
    """

    box: str
    label: str
    sentence: str


@dataclass(frozen=True, kw_only=True)
class MapBox:
    """One box of the map.

    text: the words in the box. about: what happens there, in plain words. x, y: its top left corner in pixels.
    end: True for a box where the path ends with a route.
    """

    name: str
    text: str
    about: str
    x: int
    y: int
    end: bool = False


@dataclass(frozen=True, kw_only=True)
class Line:
    """A line of the map from the box `start` to the box `end`.

    points: its corners in pixels. word: its label while it is not highlighted. at: the position of the label. anchor:
    which end of the label is at that position: start, middle or end.
    """

    start: str
    end: str
    points: tuple[tuple[float, float], ...]
    word: str
    at: tuple[float, float]
    anchor: str


@dataclass(frozen=True, kw_only=True)
class Map:
    """The whole map. The boxes of the spine come first, from top to bottom. The spine is the column of boxes that a
    question passes if nothing stops it."""

    boxes: tuple[MapBox, ...]
    lines: tuple[Line, ...]


_MAP = TypeAdapter(Map).validate_json(Path(__file__).with_suffix(".json").read_bytes())
LINES = _MAP.lines
BOXES: Mapping[str, MapBox] = {place.name: place for place in _MAP.boxes}
SPINE = tuple(place for place in _MAP.boxes if place.x == _MAP.boxes[0].x)
"""The column of boxes that a question passes when nothing stops it, from top to bottom."""
_FILE = Path(__file__).with_name("drawing.js")
_component = st.components.v2.component(
    "guardrail.drawing", html='<div class="drawing"></div>', js=_FILE.read_text("utf-8"),
    css=_FILE.with_suffix(".css").read_text("utf-8"),
)  # fmt: skip
_ORDER = [place.name for place in SPINE]
_STRAIGHT = {(one.start, one.end) for one in LINES}
_PASS_LABELS = {"parts": "one thing asked"}
"""The labels of lines that leave a box in which no step happened, by the box; the label for all other boxes is "not
asked"."""
_COLOURS = {"refuse": "bad", "clarify": "back", "escalate": "back"}


def drawing(key: str, title: str, shapes: Sequence[Shape]) -> None:
    """Draw the map. title: the text alternative of the picture. shapes: its boxes, arrows and labels, from `shapes`."""
    _component(key=key, data={"title": title, "width": WIDTH, "height": HEIGHT, "shapes": list(shapes)})


@dataclass(kw_only=True)
class Lit:
    """The highlighted part of the map.

    visited: boxes in which a step of the path happened. passed: boxes that the path passed without a step. lines:
    (start, end) of each line of the path -> its label. end: the box in which the path ends. route: the route of the
    question.
    """

    visited: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    lines: dict[tuple[str, str], str] = field(default_factory=dict)
    end: str = ""
    route: str = ""

    def go(self, start: str, end: str, label: str) -> None:
        """Highlight the line from the box `start` to the box `end`. If the map has no such line, highlight the lines
        and boxes of the spine between the two."""
        if (start, end) in _STRAIGHT:
            self.lines[start, end] = label
            return
        first, last = _ORDER.index(start), _ORDER.index(end)
        for name, next_name in zip(_ORDER[first:last], _ORDER[first + 1 : last + 1], strict=True):
            self.lines[name, next_name] = label if name == start else _PASS_LABELS.get(name, "not asked")
        for name in _ORDER[first + 1 : last]:
            (self.visited if name in _PASS_LABELS else self.passed).append(name)


def shapes(path: Lit | None = None, steps: Sequence[PathStep] = ()) -> list[Shape]:
    """The boxes, lines and labels of the whole map as shapes for the browser. `path` is highlighted; None highlights
    nothing.

    steps: the steps of the question; their sentences appear when the pointer is on a box.
    """
    path = path or Lit()
    pale = [line for line in LINES if (line.start, line.end) not in path.lines]
    path_lines = [line for line in LINES if (line.start, line.end) in path.lines]
    arrows = [{"shape": "line", "points": line.points, "look": "pale"} for line in pale]
    arrows += [{"shape": "line", "points": line.points, "look": "taken"} for line in path_lines]
    labels = [_label(line, line.word, "pale") for line in pale]
    labels += [_label(line, path.lines[line.start, line.end] or line.word, "taken") for line in path_lines]
    sentences = {name: " ".join(step.sentence for step in steps if step.box == name) for name in BOXES}
    boxes = [_box(box, path, f"{box.about} {sentences[box.name]}".strip()) for box in BOXES.values()]
    return [*arrows, *(label for label in labels if label["text"]), *boxes]


def _label(line: Line, text: str, css_class: str) -> Shape:
    x, y = line.at
    return {"shape": "text", "x": x, "y": y, "text": text, "look": css_class, "anchor": line.anchor}


def _box(box: MapBox, path: Lit, hover: str) -> Shape:
    is_end = box.name == path.end
    text = ROUTES[path.route].title if is_end else box.text
    css_class = "pale" if path.route else "passed" if box.end else ""
    if is_end:
        css_class = _COLOURS.get(path.route, "good")
    elif box.name in path.visited:
        css_class = "taken"
    elif box.name in path.passed:
        css_class = "passed"
    width, height = BOX
    return {
        "shape": "box", "x": box.x, "y": box.y, "width": width, "height": height, "text": text, "look": css_class,
        "hover": hover, "round": 16 if box.end or box.name == "deliver" else 5,
    }  # fmt: skip
