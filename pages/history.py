"""History page: search, reopen and correct past decisions, and see what the library lacks."""

import streamlit as st

from pages.components.history.view import history_view
from pages.components.shared.page_run import prepare_page, turn_to_ask
from pages.components.shared.resources import tidied_journal
from pages.components.shared.safe_display import ERRORS, show
from pages.components.shared.session import HISTORY, SETTINGS

prepare_page()
turn_to_ask(HISTORY.has_opened)

st.title("History")
try:
    history_view(tidied_journal(), SETTINGS.profile.value)
except ERRORS as error:
    show(error)
