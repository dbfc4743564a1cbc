"""Tune page, for tuners: the bench, the questions, the run and the diagnosis of a question set."""

from functools import partial

import streamlit as st

from core.banks.saved import SavedBanks
from core.models.profile import canonical_profile
from core.platform.home import home_folder
from core.presentation.set_words import set_line
from pages.components.ask.sparklines import SET_LEGEND, bank_strips, opened_ticks
from pages.components.shared.page_run import prepare_page
from pages.components.shared.presets import open_link
from pages.components.shared.safe_display import plain
from pages.components.shared.session import TABS, TUNE
from pages.components.shared.settings_box import chosen_settings
from pages.components.shared.sidebar import sidebar
from pages.components.tune.bench import bench
from pages.components.tune.diagnose import diagnose
from pages.components.tune.open_set import has_results, opened_set, run_box
from pages.components.tune.question_sets import choose_set
from pages.components.tune.questions import questions_tab

prepare_page()
open_link()
drawn_ticks = opened_ticks()
using = chosen_settings()
sidebar(partial(bank_strips, drawn_ticks), SET_LEGEND)

opened = opened_set(choose_set(SavedBanks(home_folder())), using)
if opened_ticks() != drawn_ticks:
    st.rerun()  # the sidebar was already drawn, with the scores of another set or none
TUNE.outcome.draw(once=True)  # only here, where this run can no longer be restarted
if opened is None:
    st.stop()
size = set_line(
    len(opened.rows), opened.states.count("measured"), canonical_profile(using[0]),
    of_sample_library=opened.measured_bank.is_of_sample_library,
)  # fmt: skip
st.caption(plain(size))

if not TUNE.tab.is_set:
    TUNE.tab.value = TUNE.last_tab.value
TUNE.last_tab.value = TUNE.tab.value
tabs = dict(zip(TABS, st.tabs(TABS, key=TUNE.tab.key, on_change="rerun"), strict=True))
for name, tab in tabs.items():
    if not tab.open:
        continue
    with tab:
        if name == "Questions":
            questions_tab(opened, using)
        elif name == "Run":
            run_box(opened, using)
        elif has_results(opened, using):
            (bench if name == "Bench" else diagnose)(opened, using)
