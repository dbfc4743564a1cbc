"""Guardrail Explorer: the router. Run it with `streamlit run app.py`."""

import streamlit as st

from pages.components.session import seed

SIDEBAR = 350

st.set_page_config(page_title="Guardrail Explorer", layout="wide", initial_sidebar_state=SIDEBAR)
seed()
st.navigation(
    [
        st.Page("pages/ask.py", title="Ask", default=True),
        st.Page("pages/library.py", title="Library"),
        st.Page("pages/evaluate.py", title="Evaluate"),
    ],
    position="top",
).run()
