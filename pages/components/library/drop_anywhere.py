"""Files may be dropped anywhere on the page: they go to its upload box, but for those that are too large."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

KEY = "drop_anywhere"
_JS = """
export default function ({data, setTriggerValue}) {
    document.dropAnywhere?.abort();  // one listener, however often the page is drawn
    const alive = document.dropAnywhere = new AbortController();
    const box = () => document.querySelector('[data-testid=stFileUploaderDropzoneInput]');
    const light = document.documentElement.classList;
    const hasFiles = event => event.dataTransfer?.types.includes('Files') && box();
    const refuse = files => {
        const large = [...files].filter(file => file.size > data.most).map(({name, size}) => ({name, size}));
        if (large.length) setTriggerValue('too_large', large);
    };
    const heard = {
        dragover: event => {
            if (!hasFiles(event)) return;
            event.preventDefault();
            light.add('dropping');
        },
        dragleave: event => { if (!event.relatedTarget) light.remove('dropping'); },
        drop: event => {
            light.remove('dropping');
            if (!hasFiles(event)) return;
            if (event.target.closest('[data-testid=stFileUploaderDropzone]')) return refuse(event.dataTransfer.files);
            event.preventDefault();
            box().files = event.dataTransfer.files;
            box().dispatchEvent(new Event('change', {bubbles: true}));
        },
        change: event => { if (event.target === box()) refuse(event.target.files); },
    };
    for (const [name, listener] of Object.entries(heard))
        document.addEventListener(name, listener, {capture: true, signal: alive.signal});
    return () => {
        light.remove('dropping');
        alive.abort();
        if (document.dropAnywhere === alive) delete document.dropAnywhere;
    };
}
"""
_CSS = """
[data-testid=stFileUploaderDropzone] { min-height: 8.25rem; align-items: center; }
.dropping [data-testid=stFileUploaderDropzone] { outline: 3px dashed #4f83e3; outline-offset: -4px; }
.dropping [data-testid=stMain] { box-shadow: inset 0 0 0 4px #4f83e3; }
"""
_component = st.components.v2.component("guardrail.drop_anywhere", js=_JS, css=_CSS, isolate_styles=False)


def drop_anywhere(most: int, on_too_large: Callable[[], None]) -> None:
    """To be called once on a page that has one upload box. most: bytes; the box itself says little of larger files."""
    _component(key=KEY, data={"most": most}, on_too_large_change=on_too_large)


def too_large(state: Mapping[str, Any]) -> Sequence[tuple[str, int]]:
    """Name and bytes of the files that were just dropped and are too large, from the state of the component."""
    return [(str(file["name"]), int(file["size"])) for file in state.get("too_large") or ()]
