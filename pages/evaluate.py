"""Evaluate page: ask a list of questions, measure the guardrail on a bank, and show the sample bank's figures."""

import streamlit as st

from pages.components.evaluate.bank_evaluation import evaluation, measured_figures
from pages.components.evaluate.list_table import list_table
from pages.components.evaluate.question_lists import list_form
from pages.components.shared.limits import chosen_preset, current_preset
from pages.components.shared.resources import shared_explorer_of_banks
from pages.components.shared.session import seed_page
from pages.components.shared.settings_box import chosen_settings

seed_page()
using, preset = chosen_settings(), current_preset()
explorer = shared_explorer_of_banks(*using)

st.title("Evaluate")
st.subheader("Ask a list of questions", anchor=False)
list_form(explorer, using, preset)
list_table(preset)
evaluation(explorer, preset, chosen_preset())
measured_figures()
