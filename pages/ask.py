"""Ask page: ask a question, read why it was answered or refused, move a slider and see what changes."""

from functools import partial

import streamlit as st

from core.graph.startup import home_folder
from core.library import library_documents
from pages.components.ask.asking import measured, question_form
from pages.components.ask.conversation import examples, introduction, other_turns, title
from pages.components.ask.perturb_box import read_broken
from pages.components.ask.prepared import open_on_first_visit
from pages.components.ask.view import decided, needs_models, question_strips
from pages.components.shared.limits import current_preset
from pages.components.shared.question_state import asked, is_to_be_measured, sensitivity_of
from pages.components.shared.resources import ExplorerOnDemand, load_meanwhile, written_down
from pages.components.shared.session import seed_page, stands
from pages.components.shared.settings_box import chosen_settings, house
from pages.components.shared.sidebar import sidebar

seed_page()
open_on_first_visit()
is_new = is_to_be_measured()
draw_sidebar = partial(sidebar, question_strips, needs_models)
profile, settings = chosen_settings() if is_new else draw_sidebar()

with st.container(key="ask page"):  # its key lets the style sheet know the page
    title()
explorer = ExplorerOnDemand(profile, settings, draw_sidebar if is_new else None)
is_prepared = bool(asked() and asked().prepared)
documents = library_documents(home_folder()) if is_prepared else explorer.library.documents()
if not documents and asked() is None:
    st.info(house().words["empty"], icon=":material/menu_book:")
    st.page_link("pages/library.py", label="Go to the library", icon=":material/arrow_forward:")
    st.stop()

introduction(documents)
question_form(documents)
other_turns()
preset = current_preset()
status_area = st.container()
with status_area:  # the spinner appears and disappears here without moving the content below
    trace = measured(explorer, profile, settings, preset)
if is_new:
    draw_sidebar()  # slower than everything above, so users see their place in line first
if trace is not None:
    verdict_area, perturbation_area = st.container(), st.container()
    with perturbation_area:
        read_broken(trace, preset, explorer)
    with verdict_area:
        decided(trace, lambda trace, preset: sensitivity_of(trace).verdict(preset), explorer)
    with status_area:
        written_down(trace, preset, profile, explorer.settings)
if trace is None or is_prepared:
    examples(documents, lambda: explorer.library.passages())
if trace is not None:
    stands()
if is_prepared:
    load_meanwhile(profile)
