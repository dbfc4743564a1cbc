"""Banks page: create, import, edit, measure, download and delete banks of labelled questions."""

import streamlit as st

from core.banks.measured_bank import MeasuredBank, conditions_of
from core.banks.saved import OWN, SavedBanks
from core.graph.startup import home_folder
from core.platform.access import may
from pages.components.banks.chosen_bank import chosen_bank, empty, taking
from pages.components.banks.measuring import measuring_box, standing
from pages.components.banks.new_questions import drafting_box, import_box
from pages.components.banks.table import bank_table
from pages.components.shared.resources import shared_explorer_of_banks
from pages.components.shared.safe_display import ERRORS, show
from pages.components.shared.session import seed_page
from pages.components.shared.settings_box import chosen_settings

seed_page()
explorer = shared_explorer_of_banks(*chosen_settings())
banks = SavedBanks(home_folder())

st.title("Question sets")
if not banks.names():
    empty(banks)
    if may("banks"):
        import_box(banks)
        drafting_box(banks, OWN, explorer)
    st.stop()

name = chosen_bank(banks)
if may("banks"):
    import_box(banks)
    drafting_box(banks, name, explorer)
try:
    bank = MeasuredBank(home_folder(), banks.rows(name), conditions_of(explorer))
except ERRORS as error:
    show(error)
    st.stop()
progress = standing(bank)
measuring_box(name, bank, progress, explorer)
bank_table(banks, name, bank.rows, progress.states)
taking(banks, name, bank.rows)
