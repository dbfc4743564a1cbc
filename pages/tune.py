"""Tune page: a question set from its questions over its run and its results to better limits, in four tabs."""

from functools import partial

import streamlit as st

from core.banks.saved import SavedBanks
from core.graph.startup import home_folder
from pages.components.ask.sparklines import BANK_SWITCH, bank_strips, ticks_of
from pages.components.shared.session import TAB, TABS, mark_page_rendered, notes, seed_page, value
from pages.components.shared.sidebar import sidebar
from pages.components.tune.changed_questions import comparing
from pages.components.tune.limits_tab import limits_tab
from pages.components.tune.open_set import opened_set
from pages.components.tune.proposals import has_proposal
from pages.components.tune.question_sets import choose_set, messages
from pages.components.tune.questions_tab import questions_tab
from pages.components.tune.results_tab import results
from pages.components.tune.running import has_results, run_box, state_line


def needs_whole_page() -> bool:
    """True if a moved limit changes more than the fragment of the open tab."""
    return value(TAB) not in ("Results", "Limits") or (value(TAB) == "Limits" and (has_proposal() or comparing()))


seed_page()
drawn_ticks = [ticks_of(bank) for bank in notes(BANK_SWITCH)]
using = sidebar(partial(bank_strips, *(drawn_ticks or [None])), needs_whole_page)

st.title("Tune")
open_tune_page = opened_set(choose_set(SavedBanks(home_folder())), using)
if [ticks_of(bank) for bank in notes(BANK_SWITCH)] != drawn_ticks:
    st.rerun()  # the sidebar was already drawn, with the scores of another set or none
messages()
if open_tune_page is None:
    st.stop()
state_line(open_tune_page, using)

tabs = dict(zip(TABS, st.tabs(TABS, key=TAB, on_change="rerun"), strict=True))
if tabs["Questions"].open:
    with tabs["Questions"]:
        questions_tab(open_tune_page, using)
if tabs["Run"].open:
    with tabs["Run"]:
        run_box(open_tune_page, using)
if tabs["Results"].open:
    with tabs["Results"]:
        if has_results(open_tune_page, using):
            results(open_tune_page, using)
if tabs["Limits"].open:
    with tabs["Limits"]:
        if has_results(open_tune_page, using):
            limits_tab(open_tune_page, using)
mark_page_rendered()
