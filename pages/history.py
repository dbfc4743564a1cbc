"""History page: search, reopen and correct past decisions, and see what the library lacks."""

import streamlit as st

from core.errors import UserError
from core.journal import Journal
from core.presentation.history import summary, trust_sentence
from pages.components.history.decisions import decisions, filters, waiting_decisions
from pages.components.history.overview import day_strip, missing_topics
from pages.components.history.storage import storage_box
from pages.components.shared.page_run import prepare_page
from pages.components.shared.resources import tidied_journal
from pages.components.shared.safe_display import plain, show
from pages.components.shared.session import SETTINGS


def draw_history(journal: Journal, profile: str) -> None:
    """Draw the page: the latest decisions first; what the library lacks comes last, because it needs a model."""
    if not journal.counts():
        st.info(
            "Nothing has been decided yet. Ask a question, and its decision appears here.", icon=":material/history:"
        )
        storage_box(journal)
        return
    selection = filters(journal)
    counts = journal.counts(selection)
    if counts:
        st.caption(plain(f"{summary(counts)}. {trust_sentence(journal.ratings(selection))}"))
        day_strip(journal, selection)
    waiting_decisions(journal)
    if counts:
        decisions(journal, selection)
        missing_topics(journal.lacking(selection), profile)
    else:
        st.info("No decision fits these filters. Clear them to see all again.", icon=":material/filter_alt_off:")
    storage_box(journal)


prepare_page()

st.title("History")
try:
    draw_history(tidied_journal(), SETTINGS.profile.value)
except UserError as error:
    show(error)
