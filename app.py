"""Route each visit of Guardrail Explorer to its page. Run it with `streamlit run app.py`."""

import streamlit as st

from pages.components.shared.page_run import prepare_app

SIDEBAR = 300
"""Width of the sidebar in pixels."""

st.set_page_config(page_title="Guardrail Explorer", layout="wide", initial_sidebar_state=SIDEBAR)
prepare_app().run()
