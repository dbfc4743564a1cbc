"""Tune page: the questions, the run and the results of a question set, and better limits for it, in four tabs."""

from functools import partial

import streamlit as st

from core.banks.saved import SavedBanks
from core.graph.startup import home_folder
from pages.components.ask.sparklines import SET_LEGEND, bank_strips, opened_ticks
from pages.components.shared.page_run import mark_page_rendered, prepare_page
from pages.components.shared.session import TABS, TUNE
from pages.components.shared.sidebar import sidebar
from pages.components.tune.limits_tab import limits_tab
from pages.components.tune.open_set import opened_set
from pages.components.tune.question_sets import choose_set, messages
from pages.components.tune.questions_tab import questions_tab
from pages.components.tune.results_tab import results
from pages.components.tune.running import has_results, run_box, state_line


def needs_whole_page() -> bool:
    """True if a moved limit changes more than the fragment of the open tab, so that the whole page must run."""
    tab, has_more = TUNE.tab.value, TUNE.proposal.value is not None or TUNE.is_comparing.value
    return tab not in ("Results", "Limits") or (tab == "Limits" and has_more)


prepare_page()
drawn_ticks = opened_ticks()
using = sidebar(partial(bank_strips, drawn_ticks), needs_whole_page, SET_LEGEND)

st.title("Tune")
opened = opened_set(choose_set(SavedBanks(home_folder())), using)
if opened_ticks() != drawn_ticks:
    st.rerun()  # the sidebar was already drawn, with the scores of another set or none
messages()
if opened is None:
    st.stop()
state_line(opened, using)

tabs = dict(zip(TABS, st.tabs(TABS, key=TUNE.tab.key, on_change="rerun"), strict=True))
if tabs["Questions"].open:
    with tabs["Questions"]:
        questions_tab(opened, using)
if tabs["Run"].open:
    with tabs["Run"]:
        run_box(opened, using)
if tabs["Results"].open:
    with tabs["Results"]:
        if has_results(opened, using):
            results(opened, using)
if tabs["Limits"].open:
    with tabs["Limits"]:
        if has_results(opened, using):
            limits_tab(opened, using)
mark_page_rendered()
