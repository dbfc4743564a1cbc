"""Library page: add PDFs, list the documents, read them page by page, and remove them."""

import streamlit as st

from core.platform.access import may
from core.settings import Settings
from pages.components.library.documents import find, table
from pages.components.library.page_reader import reader
from pages.components.library.try_chapter import TRYING, chapter_sheet
from pages.components.library.upload import upload, upload_lines
from pages.components.shared.page_run import prepare_page
from pages.components.shared.resources import shared_explorer
from pages.components.shared.session import LIBRARY, SETTINGS

prepare_page()
library = shared_explorer(SETTINGS.profile.value, Settings()).library
if TRYING.document.value:
    chapter_sheet(library)
    st.stop()
if open_document := LIBRARY.reading.value:
    reader(library, open_document)
    if may("library"):
        upload_lines(library)
    st.stop()

st.title("Library")
if may("library"):
    upload(library)
    upload_lines(library)
LIBRARY.outcome.draw()
documents = library.documents()
if documents:
    find(library)
    table(library)
else:
    st.info(
        "The library is empty. Drop the PDF of a chapter anywhere on this page; then ask about it on the Ask page.",
        icon=":material/menu_book:",
    )
