"""The chain as a map: its boxes, what each is for, the lines between them, and how they are drawn.

Made in the browser: a text is set as text there, never read as markup.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

WIDTH, HEIGHT = 404, 822
BOX = (140, 32)
_LEFT, _RIGHT = 36, 260
_MIDDLE = _LEFT + BOX[0] / 2
_BUS = 218
"""Where a line that leads to several ends turns off."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """One box: its words, what happens there in a teacher's words, and where it stands. An end gives out a route."""

    name: str
    text: str
    about: str
    y: int
    side: bool = False
    end: bool = False

    @property
    def x(self) -> int:
        return _RIGHT if self.side else _LEFT

    @property
    def center(self) -> float:
        return self.y + BOX[1] / 2


_ABOUT = {
    "kind": "Is this a question, or small talk, or about what was just said? Only questions are looked up.",
    "clear": "Does the question say what it asks about? If not, it is answered with a question back.",
    "parts": "A question that asks several things is taken apart, and each part goes this way alone.",
    "retrieve": "The passages closest to the question are found, by their meaning and by their words.",
    "critic": "How surely does a passage answer the question, from 0 to 100? If too little, it is asked again "
    "in other words.",
    "query": "Is the question on a topic of the library, and did the search find enough to answer from?",
    "write": "An answer is put together from the passages, each sentence with its source.",
    "stage 1": "Does the answer keep to what belongs here, and invent nothing and no rule?",
    "answer": "Is every sentence said by the passages, cited, with the right numbers and without hedging?",
    "stage 2": "One score for how well the passages bear the answer out: high, medium or low.",
    "deliver": "The answer goes out.",
    "clarify": "A question back names what it could mean.",
    "split": "Every part has a verdict of its own; they are put together.",
    "refine": "The question is put in other words and searched again, a few times at most.",
    "refuse query": "It says why, and what can be answered instead.",
    "refuse write": "There is nothing to say.",
    "stop 1": "It goes to a person, or is refused where nobody is there.",
    "deliver 1": "A greeting states nothing that could be wrong.",
    "correct": "The answer is said again from the passages alone, and checked again.",
    "corrected": "What goes out is what was said again, with what was changed.",
    "part": "The sentences that hold go out; what is left out is named.",
    "refuse answer": "No sentence holds.",
    "recheck": "The answer is checked once more against more passages.",
    "stop 2": "It goes to a person, or is refused where nobody is there.",
}  # fmt: skip
"""What happens at each box, in a teacher's words."""


def _on(name: str, text: str, y: int) -> Place:
    """A box of the spine."""
    return Place(name=name, text=text, y=y, about=_ABOUT[name])


def _beside(name: str, text: str, y: int, *, end: bool = True) -> Place:
    """A box to the right of the spine."""
    return Place(name=name, text=text, y=y, about=_ABOUT[name], side=True, end=end)


SPINE = (
    _on("kind", "Kind of turn", 6), _on("clear", "Clear?", 64), _on("parts", "One question?", 122),
    _on("retrieve", "Search the library", 180), _on("critic", "Good enough?", 238),
    _on("query", "Question checks", 296), _on("write", "Write the answer", 354),
    _on("stage 1", "Stage 1: say it?", 412), _on("answer", "Answer checks", 512),
    _on("stage 2", "Stage 2: how sure?", 698), _on("deliver", "Answered", 782),
)  # fmt: skip
"""The way of a question to which nothing happens, from top to bottom."""
SIDES = (
    _beside("clarify", "Ask back", 64), _beside("split", "Each part alone", 122),
    _beside("refine", "Ask again", 209, end=False), _beside("refuse query", "Refused", 296),
    _beside("refuse write", "Refused", 354), _beside("stop 1", "Handed over", 412),
    _beside("deliver 1", "Answered", 454), _beside("correct", "Correct it", 512, end=False),
    _beside("corrected", "Answered, corrected", 564), _beside("part", "Answered in part", 608),
    _beside("refuse answer", "Refused", 650), _beside("recheck", "Look again", 698, end=False),
    _beside("stop 2", "Handed over", 750),
)  # fmt: skip
PLACES: Mapping[str, Place] = {place.name: place for place in (*SPINE, *SIDES)}


@dataclass(frozen=True, kw_only=True)
class Line:
    """A line from one box to another: its corners, its words where it is not taken, and where they stand."""

    start: str
    end: str
    points: tuple[tuple[float, float], ...]
    word: str
    at: tuple[float, float]
    anchor: str = "start"


def _down(start: str, end: str, word: str, at: float = 0) -> Line:
    """Straight down the spine."""
    top, bottom = PLACES[start].y + BOX[1], PLACES[end].y
    points = ((_MIDDLE, top), (_MIDDLE, bottom))
    return Line(start=start, end=end, points=points, word=word, at=(_MIDDLE + 8, at or (top + bottom) / 2))


def _across(start: str, end: str, word: str, dy: float = 0) -> Line:
    """Straight from a box of the spine to the one beside it."""
    y = PLACES[start].center + dy
    points = ((_LEFT + BOX[0], y), (_RIGHT, y))
    return Line(start=start, end=end, points=points, word=word, at=(_BUS, y - 9), anchor="middle")


def _aside(start: str, end: str, word: str) -> Line:
    """From a box of the spine to one further down on the right."""
    y, to = PLACES[start].center, PLACES[end].center
    points = ((_LEFT + BOX[0], y), (_BUS, y), (_BUS, to), (_RIGHT, to))
    return Line(start=start, end=end, points=points, word=word, at=(_BUS - 6, to), anchor="end")


def _bent(start: str, end: str, points: tuple[tuple[float, float], ...], word: str, at: tuple[float, float]) -> Line:
    return Line(start=start, end=end, points=points, word=word, at=at, anchor="middle")


_EAST, _AWAY = _LEFT + BOX[0], _RIGHT + BOX[0] / 2
LINES = (
    _down("kind", "clear", "a question"),
    Line(start="kind", end="write", points=((_LEFT, 22), (14, 22), (14, 370), (_LEFT, 370)), word="other", at=(20, 51)),
    _down("clear", "parts", "yes"), _across("clear", "clarify", "no"),
    _down("parts", "retrieve", "yes"), _across("parts", "split", "several"),
    _down("retrieve", "critic", "passages"),
    _bent("critic", "refine", ((_EAST, 254), (_AWAY, 254), (_AWAY, 241)), "too little", (_BUS, 263)),
    _bent("refine", "retrieve", ((_AWAY, 209), (_AWAY, 196), (_EAST, 196)), "", (_BUS, 187)),
    _down("critic", "query", "enough, or no use to go on"),
    _down("query", "write", "all pass"), _across("query", "refuse query", "one fails"),
    _down("write", "stage 1", "sentences"), _across("write", "refuse write", "nothing"),
    _down("stage 1", "answer", "nothing against it", 499), _across("stage 1", "stop 1", "blocks"),
    _aside("stage 1", "deliver 1", "claims nothing"),
    _down("answer", "stage 2", "all pass", 572), _across("answer", "correct", "one fails"),
    Line(
        start="correct", end="corrected", points=((_AWAY, 544), (_AWAY, 564)), word="holds", at=(_AWAY + 8, 553),
    ),
    _aside("answer", "part", "some hold"), _aside("answer", "refuse answer", "none holds"),
    _down("stage 2", "deliver", "high", 745), _across("stage 2", "recheck", "medium", -7),
    _bent("recheck", "stage 2", ((_RIGHT, 722), (_EAST, 722)), "", (_BUS, 732)),
    _aside("stage 2", "stop 2", "low"),
)  # fmt: skip

Shape = dict[str, Any]
Pair = tuple[float, float]

_HTML = '<div class="drawing"></div>'
_JS = """
const make = (name, attributes, parent) => {
    const node = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return parent.appendChild(node);
};
const word = (text, attributes, parent) => { make('text', attributes, parent).textContent = text; };
const drawn = {
    box: ({x, y, width, height, text, look, hover, round}, svg) => {
        const group = make('g', {class: `box ${look}`}, svg);
        if (hover) make('title', {}, group).textContent = hover;
        make('rect', {x, y, width, height, rx: round}, group);
        word(text, {x: x + width / 2, y: y + height / 2, 'text-anchor': 'middle'}, group);
    },
    line: ({points, look}, svg) => {
        const group = make('g', {class: `line ${look}`}, svg);
        make('polyline', {points: points.map(p => p.join(',')).join(' ')}, group);
        const [[a, b], [x, y]] = points.slice(-2), turn = Math.atan2(y - b, x - a) * 180 / Math.PI;
        make('path', {d: 'M0,0 L-8,-4.5 L-8,4.5 Z', transform: `translate(${x},${y}) rotate(${turn})`}, group);
    },
    text: ({x, y, text, look, anchor}, svg) => word(text, {x, y, class: look, 'text-anchor': anchor}, svg),
};
export default function ({data, parentElement}) {
    const {width, height, title, shapes} = data;
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', title);
    svg.style.maxWidth = `${width}px`;
    for (const shape of shapes) drawn[shape.shape](shape, svg);
    parentElement.querySelector('.drawing').replaceChildren(svg);
}
"""
_CSS = """
svg { width: 100%; height: auto; display: block; font-family: var(--st-font, sans-serif); font-size: 13px; }
text { fill: var(--st-text-color); dominant-baseline: central; }
svg > text { paint-order: stroke; stroke: var(--st-background-color); stroke-width: 4px; stroke-linejoin: round;
  font-size: 12px; }
rect { fill: var(--st-background-color); stroke: var(--st-text-color); stroke-width: 1px; }
polyline { fill: none; stroke: var(--st-text-color); stroke-width: 1.25px; }
path { fill: var(--st-text-color); }
svg { --pale: color-mix(in srgb, var(--st-text-color) 30%, var(--st-background-color));
  --faint: color-mix(in srgb, var(--st-text-color) 70%, var(--st-background-color)); }
.pale rect, .pale polyline { stroke: var(--pale); }
.pale path { fill: var(--pale); }
.pale text, text.pale { fill: var(--faint); }
.passed rect { stroke-dasharray: 4 3; stroke-opacity: .7; }
.taken rect, .taken polyline { stroke: var(--st-primary-color); stroke-width: 2.5px; }
.taken path { fill: var(--st-primary-color); }
.taken text, text.taken { font-weight: 600; }
.good rect { fill: #00796b; stroke: #00796b; }
.bad rect { fill: #b23a00; stroke: #b23a00; }
.back rect { fill: #2556b8; stroke: #2556b8; }
.quiet rect { fill: #5a6370; stroke: #5a6370; }
.good text, .bad text, .back text, .quiet text { fill: #ffffff; font-weight: 600; }
"""
_component = st.components.v2.component("guardrail.drawing", html=_HTML, css=_CSS, js=_JS)


def drawing(key: str, title: str, size: tuple[int, int], shapes: Sequence[Shape]) -> None:
    """Draws `shapes`. size: width and height in the units of their coordinates, pixels where there is room for them.

    title: what the picture shows, said to those who cannot see it.
    """
    width, height = size
    _component(key=key, data={"title": title, "width": width, "height": height, "shapes": list(shapes)})


def box(at: Pair, size: Pair, words: str, look: str, hover: str = "", round_: int = 5) -> Shape:
    """A box with its left top corner `at`. look: pale, passed or taken; good, bad, back or quiet for a filled one."""
    (x, y), (width, height) = at, size
    return {
        "shape": "box", "x": x, "y": y, "width": width, "height": height, "text": words, "look": look, "hover": hover,
        "round": round_,
    }  # fmt: skip


def line(points: Sequence[Pair], look: str) -> Shape:
    """A line through `points` with an arrow at its end. look: pale or taken."""
    return {"shape": "line", "points": [list(p) for p in points], "look": look}


def text(x: float, y: float, words: str, look: str, anchor: str = "start") -> Shape:
    """Words beside the point (x, y); anchor: start, middle or end, which part of them stands there."""
    return {"shape": "text", "x": x, "y": y, "text": words, "look": look, "anchor": anchor}
