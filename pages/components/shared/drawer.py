"""On a phone, the drawer with the pages closes once one of them is chosen; Streamlit leaves it open over the page."""

from pathlib import Path

import streamlit as st

_component = st.components.v2.component(
    "guardrail.drawer", js=Path(__file__).with_suffix(".js").read_text("utf-8"),
    css=".st-key-drawer { position: absolute; }", isolate_styles=False,
)  # fmt: skip


def closing_drawer() -> None:
    """Make the drawer close after a choice; call it once a run."""
    _component(key="drawer")
