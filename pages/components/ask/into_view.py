"""Brings a part of the Ask page into view once, after a button elsewhere on the page has changed it."""

from pathlib import Path

import streamlit as st

from pages.components.shared.session import ASK

VERDICT, SECTIONS = "verdict", "sections"
"""Keys of the containers that may be brought into view."""
_MARGIN = 70
"""Pixels that remain above the part, since the navigation bar covers them."""
_component = st.components.v2.component(
    "guardrail.into_view", js=Path(__file__).with_suffix(".js").read_text("utf-8"), isolate_styles=False
)


def request(part: str) -> None:
    """Bring a part, VERDICT or SECTIONS, into view when the page is drawn next; a callback, or part of one."""
    number, _ = ASK.into_view.value
    ASK.into_view.value = (number + 1, part)


def bring_into_view() -> None:
    """Scroll the page to the part that was last requested, unless that part is visible. Call it after the part is
    drawn."""
    number, part = ASK.into_view.value
    if part:
        _component(key="into view", data={"number": number, "part": part, "margin": _MARGIN})
        ASK.into_view.value = (number, "")
