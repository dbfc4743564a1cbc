"""Ask page: ask a question, read why it was answered or refused, move a slider and see what changes."""

import streamlit as st

from core.library import library_documents
from core.platform.home import home_folder
from pages.components.ask.asking import measure_current, question_form
from pages.components.ask.conversation import (
    examples,
    introduction,
    open_on_first_visit,
    other_turns,
    present_button,
    title,
)
from pages.components.ask.sparklines import QUESTION_LEGEND
from pages.components.ask.verdict_actions import open_linked_question
from pages.components.ask.view import draw_verdict, measure_shown, question_strips
from pages.components.shared.limits import current_preset
from pages.components.shared.page_run import prepare_page
from pages.components.shared.presets import open_link
from pages.components.shared.resources import ExplorerOnDemand, load_meanwhile, record_decision
from pages.components.shared.session import ASK, LIMITS
from pages.components.shared.settings_box import chosen_settings, current_domain
from pages.components.shared.sidebar import sidebar


def draw_sidebar() -> None:
    sidebar(question_strips, QUESTION_LEGEND)


prepare_page()
open_linked_question()
open_on_first_visit()
open_link()  # last: the limits of a link win over those of the class of its question
asked = ASK.current.value
profile, settings = chosen_settings()

explorer = ExplorerOnDemand(profile, settings, draw_sidebar)
if ASK.presents.value:
    from pages.components.present.present import present  # only here, like every section that is not open

    present(explorer, profile, settings, draw_sidebar)
present_button()
is_prepared = bool(asked and asked.prepared)
documents = library_documents(home_folder()) if is_prepared else explorer.library.documents()
left, beside = st.columns([3, 2], gap="medium") if asked else (st.container(), st.container())
below = st.container()
with left:
    with st.container(key="ask page"):  # its key lets the style sheet recognise the page
        title()
    if not documents and not asked:
        st.info(current_domain().words["empty"], icon=":material/menu_book:")
        st.page_link("pages/library.py", label="Go to the library", icon=":material/arrow_forward:")
        draw_sidebar()
        st.stop()
    if not asked:
        introduction(documents)
    question_form(documents)
    LIMITS.class_outcome.draw(once=True)
    other_turns()
    preset = current_preset()
    status_area = st.container()
    with status_area:  # the spinner appears and disappears here without moving the content below
        trace = measure_current(explorer, profile, settings, preset)
    if trace is not None:
        verdict_area = st.container()
        with below:
            measure_shown(trace, preset, explorer)
        with status_area:
            record_decision(trace, preset, profile, explorer.settings)
        with verdict_area:
            draw_verdict(trace, preset, explorer, beside, below)
if trace is None:
    with below:
        examples(documents, lambda: explorer.library.passages())
draw_sidebar()  # its strips take as long as the rest of the page: the position in the queue and the verdict come first
if is_prepared:
    load_meanwhile(profile)
