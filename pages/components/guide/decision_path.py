"""The decision path on the Guide page: every path that a question can take, and that of the last question."""

import streamlit as st

from core.case import Trace
from core.decide import Verdict
from core.thresholds import Preset
from pages.components.ask.verdict_words import headline
from pages.components.shared.path import box_list, draw_map, draw_path
from pages.components.shared.safe_display import plain


def decision_path(trace: Trace | None, verdict: Verdict | None, preset: Preset) -> None:
    """Draw the path of the last question, if there is one, and the map with what happens in each of its boxes."""
    if verdict:
        st.markdown(f"Your last question, “{plain(trace.question.query)}”: {headline(verdict)}")
        draw_path(trace, verdict, preset)
    st.markdown("**Every path that a question can take**")
    picture, words = st.columns(2, gap="medium")
    with picture:
        draw_map()
    with words:
        st.markdown(box_list())
