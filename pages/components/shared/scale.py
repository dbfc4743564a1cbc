"""A value on its scale: zones with their words, the limits between them, and where the value stands.

It is as wide as there is room, and its words keep their size on a narrow screen.
"""

from collections.abc import Sequence
from typing import Any

import streamlit as st

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


def scale(
    key: str, title: str, zones: Sequence[tuple[float, float, str, str]],
    marks: Sequence[tuple[float, str, str]], value: float,
) -> None:  # fmt: skip
    """Draws it, all places in percent of its width, 0 to 100.

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
