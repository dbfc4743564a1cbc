"""Guide page: the chain as a live diagram, and an explanation of each check."""

import streamlit as st

from core.chain import verdict
from pages.components.guide.explanations import checks_explained, overview, own_words
from pages.components.shared.limits import current_preset
from pages.components.shared.question_state import asked
from pages.components.shared.session import seed_page

seed_page()
question, preset = asked(), current_preset()
trace = question.trace if question else None
last_verdict = verdict(trace, preset) if trace and trace.rounds else None

st.title("Guide")
own_words()
st.subheader("Decision path", anchor=False)
overview(trace, last_verdict, preset)
st.subheader("Every check", anchor=False)
checks_explained(last_verdict, preset)
