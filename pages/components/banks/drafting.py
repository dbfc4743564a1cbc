"""Questions drafted from a document of the library, which a person takes into the bank or drops, one by one."""

from typing import Any

import streamlit as st

from core.banks.drafts import drafts_of
from core.banks.saved import LABELS, SavedBanks
from core.graph import Explorer
from pages.components.banks.chosen_bank import refuse, say
from pages.components.shared.safe_display import ERRORS, counted, plain
from pages.components.shared.session import notes, value

_FROM, _WAITING = "draft from", "drafts"


def drafting_box(banks: SavedBanks, name: str, explorer: Explorer) -> None:
    """The document to draft from, then draft after draft with its sentence."""
    documents = [document.name for document in explorer.library.documents()]
    if not documents:
        return
    waiting: list[dict[str, Any]] = notes(_WAITING)
    with st.expander("Draft questions from a book", icon=":material/edit_note:", expanded=bool(waiting)):
        if waiting:
            _one(banks, name, waiting)
            return
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.selectbox("Book", documents, key=_FROM, width=320)
            st.button("Draft", key="draft", on_click=_draft, args=(banks, name, explorer))
        st.caption(
            "Questions that its sentences answer, and beside each one that the library cannot answer. Nothing goes "
            "into the bank that you do not keep."
        )


def _one(banks: SavedBanks, name: str, waiting: list[dict[str, Any]]) -> None:
    row = waiting[0]
    st.markdown(f"**{plain(row['query'])}** {LABELS[row['expected']]}")
    st.caption(plain(row.get("reference") or row["note"]))
    if "facts" in row:
        st.text_input("A right answer says", row["facts"][0], key=_fact(row), width=320)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("Keep", type="primary", key="keep draft", on_click=_decided, args=(banks, name, True))
        st.button("Drop", key="drop draft", on_click=_decided, args=(banks, name, False))
        st.button("Drop all", key="drop drafts", type="tertiary", on_click=waiting.clear)
        st.caption(f"{counted(len(waiting), 'draft')} left")


def _fact(row: dict[str, Any]) -> str:
    """The key of the field for what a right answer to this draft says."""
    return f"fact of {row['id']}"


def _draft(banks: SavedBanks, name: str, explorer: Explorer) -> None:
    """Drafts of the chosen document that the bank does not ask yet; a callback."""
    try:
        known = {row["query"] for row in banks.rows(name)} if name in banks.names() else set()
        made = drafts_of(value(_FROM), explorer.library.passages())
        notes(_WAITING)[:] = [row for row in made if row["query"] not in known]
    except ERRORS as error:
        refuse(error)
    else:
        if not notes(_WAITING):
            say("Nothing new can be drafted from this book: the bank asks all that it says the meaning of.")


def _decided(banks: SavedBanks, name: str, kept: bool) -> None:
    """The draft that is shown goes into the bank, or nowhere; a callback."""
    try:
        if kept:
            row = notes(_WAITING)[0]
            said = (value(_fact(row)) or "").strip() if "facts" in row else ""
            banks.add(name, [row | ({"facts": [said]} if said else {})])
    except ERRORS as error:
        refuse(error)
    else:
        notes(_WAITING)[:] = notes(_WAITING)[1:]
