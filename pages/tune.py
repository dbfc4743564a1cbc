"""Move any threshold over a whole bank: what becomes of it, what changed, and which thresholds would do better."""

import streamlit as st

from pages.components.ask.sparklines import bank_strips
from pages.components.shared.limits import chosen_preset, current_preset
from pages.components.shared.resources import shared_explorer
from pages.components.shared.session import seed_page
from pages.components.shared.sidebar import sidebar
from pages.components.tune.bank import open_bank, view
from pages.components.tune.outcomes import drawn_threshold, top
from pages.components.tune.pictures import pictures
from pages.components.tune.preset_comparison import comparison
from pages.components.tune.proposals import proposals

seed_page()
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
