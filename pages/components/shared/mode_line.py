"""What whoever opens a page may do here, on every page."""

import streamlit as st

from core.access import MODES, AccessError, mode
from pages.components.shared.safe_display import plain, show


def mode_line() -> None:
    """Draws it; the page ends here with one sentence where the mode is none."""
    try:
        now = mode()
    except AccessError as error:
        show(error)
        st.stop()
    st.caption(f":material/{'lock_open' if now == 'open' else 'lock'}: {plain(MODES[now])}")
