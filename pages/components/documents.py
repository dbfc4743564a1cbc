"""The documents of the library as a table, and the way out for each."""

from typing import Any

import streamlit as st

from pages.components.errors import ERRORS, show
from pages.components.plain import plain
from pages.components.session import notes


def table(documents: tuple[Any, ...]) -> None:
    rows = {
        "Document": [d.name for d in documents],
        "Class": [d.class_number for d in documents],
        "Subject": [d.subject or "not known" for d in documents],
        "Chapter": [d.chapter or "not known" for d in documents],
        "Pages": [d.pages for d in documents],
        "Passages": [d.passages for d in documents],
        "Added": [f"{d.added[:10]} {d.added[11:16]}" for d in documents],
    }
    st.dataframe(rows, hide_index=True)


def removal(library: Any) -> None:
    """A document to take out, asked for twice."""
    documents = {d.id: d for d in library.documents()}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        picked = st.selectbox(
            "Remove a document", list(documents), index=None, format_func=lambda i: documents[i].name,
            placeholder="choose one", key="to remove", width=420,
        )  # fmt: skip
        asked = st.button("Remove", disabled=picked is None, icon=":material/delete:", key="remove")
    if asked:
        notes("removing")[:] = [picked]
    if picked and notes("removing") == [picked]:
        _confirm(library, documents[picked])


def _confirm(library: Any, document: Any) -> None:
    question = f"Take {document.name} with its {document.passages} passages out of the library?"
    st.warning(plain(f"{question} Answers can no longer cite it."), icon=":material/help:")
    with st.container(horizontal=True, gap="small"):
        st.button("Yes, remove it", type="primary", key="remove now", on_click=_remove, args=(library, document.id))
        st.button("Keep it", key="keep", on_click=notes("removing").clear)


def _remove(library: Any, id_: str) -> None:
    notes("removing").clear()
    try:
        library.remove(id_)
    except ERRORS as error:
        show(error)
