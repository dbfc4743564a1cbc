"""Drawings of boxes, lines and words, made in the browser: a text is set as text there, never read as markup."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

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
