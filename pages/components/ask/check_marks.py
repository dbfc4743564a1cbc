"""Marks and lines of the checks, made in the browser: a text is set as text there, never read as markup."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

_JS = """
const PATHS = {passed: 'M3 8.5l3.5 3.5L13 4.5', failed: 'M4 4l8 8M12 4l-8 8',
    watching: 'M2.5 9.5c2-4 4-4 5.5-1.5s3.5 2.5 5.5-1.5', not_run: 'M8 3.5a4.5 4.5 0 1 0 .01 0'};
const add = (parent, name, look = '', text = '') => {
    const node = parent.appendChild(document.createElement(name));
    if (look) node.className = look;
    if (text) node.textContent = text;
    return node;
};
const mark = (parent, {look, plain, state}) => {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    for (const [key, value] of Object.entries({viewBox: '0 0 16 16', role: 'img', class: `mark ${look}`,
        'aria-label': `${plain}: ${state}`})) svg.setAttribute(key, value);
    svg.appendChild(document.createElementNS(svg.namespaceURI, 'title')).textContent = `${plain}: ${state}`;
    svg.appendChild(document.createElementNS(svg.namespaceURI, 'path')).setAttribute('d', PATHS[look]);
    parent.appendChild(svg);
};
const bar = (cell, {value, limit, stricter}, look) => {
    const root = add(cell, 'div', 'bar');
    const bad = add(root, 'i', 'zone');
    bad.style.left = stricter === 'lower' ? `${limit}%` : 0;
    bad.style.width = `${stricter === 'lower' ? 100 - limit : limit}%`;
    add(root, 'i', 'limit').style.left = `${limit}%`;
    add(root, 'i', `value ${look}`).style.left = `${value}%`;
};
const line = (body, one, open) => {
    const row = add(body, 'tr', one.look);
    const name = add(row, 'td', 'plain');
    const button = add(name, 'button');
    mark(button, one);
    add(button, 'span', '', one.plain);
    button.title = one.name;
    add(row, 'td', 'state', one.state);
    add(row, 'td', 'number', one.value ?? '').title = one.unit ?? '';
    add(row, 'td', 'asked', one.limit ?? '').title = one.unit ?? '';
    const scale = add(row, 'td', 'scale');
    if (one.bar) bar(scale, one.bar, one.fails ? 'failed' : 'passed');
    add(row, 'td', `number ${one.fails ? 'failed' : ''}`, one.margin ?? '');
    add(row, 'td', 'why', one.why);
    const more = add(body, 'tr', 'more');
    const said = add(more, 'td', '', [one.name, one.unit, ...one.more].filter(Boolean).join(' · '));
    said.colSpan = 7;
    const show = () => {
        more.hidden = !open.has(one.name);
        button.setAttribute('aria-expanded', String(!more.hidden));
    };
    button.onclick = () => { open.has(one.name) ? open.delete(one.name) : open.add(one.name); show(); };
    show();
};
export default function ({data, parentElement}) {
    const root = parentElement.querySelector('.checks');
    const open = root.opened ??= new Set();
    root.replaceChildren();
    if (!data.table) {
        root.setAttribute('role', 'group');
        root.setAttribute('aria-label', data.title);
        for (const one of data.lines) mark(root, one);
        return;
    }
    const table = add(root, 'table');
    table.setAttribute('aria-label', data.title);
    const head = add(add(table, 'thead'), 'tr');
    const titles = ['check', 'state', 'value', 'asked', 'on its scale', 'margin', 'why'];
    for (const title of titles) add(head, 'th', '', title);
    const body = add(table, 'tbody');
    for (const one of data.lines) {
        if (!one.group) line(body, one, open);
        else add(add(body, 'tr', 'group'), 'th', '', one.group).colSpan = 7;
    }
}
"""
_CSS = """
.checks { font-family: var(--st-font, sans-serif); font-size: 14px; color: var(--st-text-color); overflow-x: auto;
  --faint: color-mix(in srgb, var(--st-text-color) 78%, var(--st-background-color));
  --line: color-mix(in srgb, var(--st-text-color) 15%, var(--st-background-color)); }
.mark { width: 18px; height: 18px; flex: none; fill: none; stroke: currentColor; stroke-width: 2.2;
  stroke-linecap: round; margin-right: 5px; vertical-align: middle; }
.passed { color: var(--st-green-text-color, #00695c); } .failed { color: var(--st-red-text-color, #b23a00); }
.watching, .not_run { color: var(--faint); }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-weight: 600; padding: 2px 8px 2px 0; color: var(--faint); font-size: 13px; }
.group th { padding-top: 8px; color: var(--st-text-color); }
td { padding: 1px 8px 1px 0; border-top: 1px solid var(--line); color: var(--st-text-color); vertical-align: top;
  line-height: 1.35; }
tr.passed .state, tr.passed .mark { color: var(--st-green-text-color, #00695c); }
tr.failed .state, tr.failed .mark, td.failed { color: var(--st-red-text-color, #b23a00); }
tr.watching .state, tr.not_run .state { color: var(--faint); }
button { all: unset; cursor: pointer; display: flex; align-items: flex-start; min-width: 170px; }
button:focus-visible { outline: 2px solid var(--st-primary-color); }
.state, .asked, .number { white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.more td { border: 0; color: var(--faint); padding: 0 0 4px 23px; font-size: 13px; }
.scale { min-width: 96px; } .why { min-width: 220px; }
.bar { position: relative; height: 8px; margin-top: 6px; background: var(--line); border-radius: 2px; }
.bar i { position: absolute; top: 0; height: 8px; }
.bar .zone { background: color-mix(in srgb, #b23a00 28%, var(--st-background-color)); border-radius: 2px; }
.bar .limit { width: 2px; margin-left: -1px; top: -3px; height: 14px; background: var(--st-text-color); }
.bar .value { width: 10px; height: 10px; margin-left: -5px; top: -1px; border-radius: 5px; background: currentColor; }
"""
_component = st.components.v2.component("guardrail.checks", html='<div class="checks"></div>', css=_CSS, js=_JS)


def marks(key: str, title: str, lines: Sequence[dict[str, Any]], *, table: bool) -> None:
    """Draws one mark for each line side by side, or with `table` a row for each. title: what it shows, in words."""
    _component(key=key, data={"title": title, "lines": list(lines), "table": table})
