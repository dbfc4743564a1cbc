"""Guide page: the path of a question in four steps, each check, and examples; the rest is for developers."""

import streamlit as st

from core.decide import verdict
from pages.components.ask.verdict_words import headline
from pages.components.guide.explanations import draw_checks, introduction
from pages.components.guide.gallery import gallery, run_requested
from pages.components.shared.limits import current_preset
from pages.components.shared.page_run import prepare_page
from pages.components.shared.path import box_list, draw_map, draw_path
from pages.components.shared.question_state import current_question
from pages.components.shared.resources import shared_explorer
from pages.components.shared.safe_display import plain
from pages.components.shared.session import GUIDE
from pages.components.shared.settings_box import chosen_settings

prepare_page()
question, preset = current_question(), current_preset()
trace = question.trace if question else None
last_verdict = verdict(trace, preset) if trace and trace.rounds else None

st.title("Guide")
if GUIDE.requested_example.value:
    run_requested(shared_explorer(*chosen_settings()))
introduction()
checks_tab, examples_tab, developers_tab = st.tabs(
    ["Every check", "Examples", "For developers"], key="guide tab", on_change="rerun"
)
with checks_tab:
    if checks_tab.open:
        draw_checks(last_verdict, preset)
with examples_tab:
    if examples_tab.open:
        gallery()
with developers_tab:
    if developers_tab.open:
        if last_verdict:
            st.markdown(f"Your last question, “{plain(trace.question.query)}”: {headline(last_verdict)}")
            draw_path(trace, last_verdict, preset)
        st.markdown("**Every path that a question can take**")
        picture, words = st.columns(2, gap="medium")
        with picture:
            draw_map()
        words.markdown(box_list())
