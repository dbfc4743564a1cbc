"""A button that asks before it removes something for good; for educators and tuners."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.components.shared.safe_display import plain
from pages.components.shared.session_values import Value


def confirm(label: str, question: str, yes: str, key: str, act: Callable[..., object], *args: Any, **look: Any) -> None:
    """Draw a button that opens a box with `question` and the button `yes`, which closes the box and calls `act` with
    `args`. look: of the first button."""
    box = Value(False, f"{key} box")

    def act_and_close() -> None:
        box.value = False  # Streamlit keeps a box open
        act(*args)

    with st.popover(label, icon=":material/delete:", key=box.key, on_change="rerun", **look):
        st.markdown(plain(question))
        st.button(yes, type="primary", key=key, on_click=act_and_close)
