"""Tune page: move any threshold over a whole bank, see its outcomes and changes, and search for better thresholds."""

from functools import partial

import streamlit as st

from pages.components.ask.sparklines import OPENED, bank_strips, ticks_of
from pages.components.banks.measuring import open_bank
from pages.components.shared.limits import chosen_preset, current_preset
from pages.components.shared.resources import shared_explorer_of_banks
from pages.components.shared.session import notes, seed_page, stands
from pages.components.shared.sidebar import sidebar
from pages.components.tune.changed_questions import comparing, comparison, view
from pages.components.tune.outcomes import decided
from pages.components.tune.proposals import proposals, proposed

seed_page()
drawn_ticks = [ticks_of(bank) for bank in notes(OPENED)]
using = sidebar(partial(bank_strips, *(drawn_ticks or [None])), lambda: proposed() or comparing())

st.title("Tune")
explorer = shared_explorer_of_banks(*using)
bank = open_bank(explorer)
if [ticks_of(bank) for bank in notes(OPENED)] != drawn_ticks:
    st.rerun()  # the sidebar was already drawn, with the scores of another bank or none
if bank is None:
    st.stop()

decided(bank, using, lambda preset, key: view(bank, preset, chosen_preset(), key))
proposals(bank, current_preset())
comparison(bank, current_preset(), using)
stands()
