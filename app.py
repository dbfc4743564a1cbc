"""Guardrail Explorer: the router. Run it with `streamlit run app.py`."""

import streamlit as st

from pages.components.session import seed

SIDEBAR = 350

st.set_page_config(page_title="Guardrail Explorer", layout="wide", initial_sidebar_state=SIDEBAR)
page = st.navigation(
    [
        st.Page("pages/ask.py", title="Ask", default=True),
        st.Page("pages/library.py", title="Library"),
        st.Page("pages/banks.py", title="Banks"),
        st.Page("pages/tune.py", title="Tune"),
        st.Page("pages/evaluate.py", title="Evaluate"),
        st.Page("pages/journal.py", title="Journal"),
        st.Page("pages/how_it_works.py", title="How it works"),
    ],
    position="top",
)
seed()
page.run()
