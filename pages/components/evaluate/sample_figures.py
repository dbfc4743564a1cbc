"""The stored figures of the sample bank."""

import streamlit as st

from core.reports.sample_figures import FiguresError, sample_marks
from pages.components.shared.plain_text import plain


def measured_figures() -> None:
    """What the sample bank was counted to, where that is stored."""
    try:
        about, table = sample_marks()
    except FiguresError as error:
        st.caption(plain(str(error)))
        return
    if table:
        st.subheader("Measured on the sample bank", anchor=False)
        st.markdown(table)
        st.caption(f"{plain(about)} Beside each share its interval at 95 %.")
