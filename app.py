"""Guardrail Explorer: the router. Run it with `streamlit run app.py`."""

import streamlit as st

from pages.components.shared.navigation import chosen_page
from pages.components.shared.session import seed

SIDEBAR = 350

st.set_page_config(page_title="Guardrail Explorer", layout="wide", initial_sidebar_state=SIDEBAR)
page = chosen_page()
seed()
page.run()
