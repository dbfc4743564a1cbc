"""Move any threshold over a whole bank: what becomes of it, what changed, and which thresholds would do better."""

import streamlit as st

from pages.components.explorer import shared_explorer
from pages.components.limits import chosen_preset, current_preset
from pages.components.session import seed
from pages.components.sidebar import sidebar
from pages.components.strips import bank_strips
from pages.components.tune_bank import open_bank
from pages.components.tune_compare import comparison
from pages.components.tune_page import drawn_threshold, top
from pages.components.tune_pictures import pictures
from pages.components.tune_proposals import proposals
from pages.components.tune_view import view

seed()
using = sidebar()

st.title("Tune")
explorer = shared_explorer(*using)
bank = open_bank(explorer)
if bank is None:
    st.stop()

preset = current_preset()
key = drawn_threshold()
now = view(bank, preset, chosen_preset(), key)
top(bank.cases, now, using)
pictures(bank, preset, key, now.spread, using[0])
bank_strips(bank)
proposals(bank, preset)
comparison(bank, preset, using)
