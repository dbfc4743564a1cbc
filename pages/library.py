"""What the books are: add PDFs, see what is there, take a document out."""

import streamlit as st

from core.settings import Settings
from pages.components.documents import removal, table
from pages.components.explorer import shared_explorer
from pages.components.session import seed, value
from pages.components.upload import upload

seed()
st.title("Library")
library = shared_explorer(value("profile"), Settings()).library
upload(library)

documents = library.documents()
if documents:
    passages = sum(d.passages for d in documents)
    st.subheader(f"{len(documents)} {'document' if len(documents) == 1 else 'documents'}, {passages} passages")
    table(documents)
    removal(library)
else:
    st.info(
        "The library is empty. Drop the PDF of a chapter into the box above and press “Add to the library”; "
        "then ask about it on the Ask page.",
        icon=":material/menu_book:",
    )
