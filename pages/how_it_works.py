"""What happens to a question: the chain as a live diagram, and each check in its own words."""

import streamlit as st

from core.chain import verdict
from pages.components.shared.chain_explained import checks_explained, overview, own_words
from pages.components.shared.limits import current_preset
from pages.components.shared.question_state import asked
from pages.components.shared.session import seed_page

seed_page()
now, preset = asked(), current_preset()
trace = now.trace if now else None
last = verdict(trace, preset) if trace and trace.rounds else None

st.title("How it works")
own_words()
st.subheader("The way of a question", anchor=False)
overview(trace, last, preset)
st.subheader("Every check", anchor=False)
checks_explained(last, preset)
