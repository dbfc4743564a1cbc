"""A value on its scale: zones with their words, the limits between them, and where it stands; and the evidence
confidence on one."""

from collections.abc import Sequence
from typing import Any

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

_JS = """
const add = (parent, name, look, text) => {
    const node = parent.appendChild(document.createElement(name));
    node.className = look;
    if (text) node.textContent = text;
    return node;
};
export default function ({data, parentElement}) {
    const root = parentElement.querySelector('.scale');
    root.replaceChildren();
    root.setAttribute('role', 'img');
    root.setAttribute('aria-label', data.title);
    root.title = data.title;
    const bar = add(root, 'div', 'bar');
    for (const {low, high, text, look} of data.zones) {
        const zone = add(bar, 'span', `zone ${look}`);
        zone.style.width = `${high - low}%`;
        add(zone, 'span', 'word', text);
    }
    const value = add(bar, 'i', 'value');
    value.style.left = `${data.value}%`;
    const marks = add(root, 'div', 'marks');
    for (const {at, text, side} of data.marks) add(marks, 'span', side, text).style.left = `${at}%`;
}
"""
_CSS = """
.scale { font-family: var(--st-font, sans-serif); font-size: 12px; color: var(--st-text-color); padding-top: 9px; }
.scale .bar { display: flex; position: relative; height: 20px; }
.scale .zone { overflow: hidden; text-overflow: ellipsis; color: #ffffff; text-align: center; line-height: 20px;
  white-space: nowrap; min-width: 0; }
.scale .zone + .zone { border-left: 2px solid var(--st-background-color); box-sizing: border-box; }
.scale .bad { background: #b23a00; } .scale .quiet { background: #5a6370; } .scale .good { background: #00796b; }
.scale .value { position: absolute; top: -9px; width: 0; height: 29px; border-left: 2px solid var(--st-text-color);
  margin-left: -1px; }
.scale .value::before { content: ''; position: absolute; left: -7px; top: 0; border: 6px solid transparent;
  border-top: 9px solid var(--st-text-color); }
.scale .marks { position: relative; height: 16px; }
.scale .marks span { position: absolute; white-space: nowrap; }
.scale .marks .left { transform: translateX(-100%); } .scale .marks .middle { transform: translateX(-50%); }
"""
# Not isolated, so that its words are those of the page: the benchmark waits for the limit to be another.
_component = st.components.v2.component(
    "guardrail.scale", html='<div class="scale"></div>', css=_CSS, js=_JS, isolate_styles=False
)


def confidence_drawn(verdict: Verdict, preset: Preset) -> str:
    """The evidence confidence in as many digits as it takes not to contradict its band."""
    return beside(verdict.confidence, *limits(preset), least=0)


def searched(verdict: Verdict) -> bool:
    """True when the books were searched: a greeting, a question that is asked back, and one whose search broke have no
    evidence to draw."""
    found = "retrieve" in verdict.steps and verdict.confidence is not None
    return found or any(searched(part) for part in verdict.parts)


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


def scale(
    key: str, title: str, zones: Sequence[tuple[float, float, str, str]],
    marks: Sequence[tuple[float, str, str]], value: float,
) -> None:  # fmt: skip
    """Draws it as wide as there is room, all places in percent of its width, 0 to 100; its words keep their size.

    title: what it shows, on hover and for those who cannot see it. zones: from, to, word and look (bad, quiet or good)
    of each, side by side. marks: place and words of each limit below the bar, and on which side of it they stand (left,
    middle or right).
    """
    data: dict[str, Any] = {
        "title": title, "value": min(max(value, 0.0), 100.0),
        "zones": [{"low": a, "high": b, "text": word, "look": look} for a, b, word, look in zones if b > a],
        "marks": [{"at": at, "text": text, "side": side} for at, text, side in marks],
    }  # fmt: skip
    _component(key=key, data=data)
