"""Banks of labelled questions: made, imported, corrected in a table, measured in the background, taken away."""

import streamlit as st

from core.banks.measured import MeasuredBank, conditions_of
from core.banks.saved import SavedBanks
from core.opening import home_folder
from pages.components.bank_choice import chosen_bank, empty
from pages.components.bank_import import import_box
from pages.components.bank_measuring import measuring_box, standing
from pages.components.bank_table import bank_table
from pages.components.bank_taking import taking
from pages.components.errors import ERRORS, show
from pages.components.explorer import shared_explorer
from pages.components.session import seed
from pages.components.settings_box import chosen_settings

seed()
explorer = shared_explorer(*chosen_settings())
banks = SavedBanks(home_folder())

st.title("Banks")
if not banks.names():
    empty(banks)
    import_box(banks, "")
    st.stop()

name = chosen_bank(banks)
import_box(banks, name)
try:
    bank = MeasuredBank(home_folder(), banks.rows(name), conditions_of(explorer))
except ERRORS as error:
    show(error)
    st.stop()
now = standing(bank)
measuring_box(name, bank, now, explorer)
bank_table(banks, name, bank.rows, now.states)
taking(banks, name, bank.rows)
