"""The book that a person leafs through on the Library page: which, at what page, with which passage marked."""

from dataclasses import dataclass, replace

import streamlit as st

PAGE_FIELD = "reading page"
"""The field with the number of the page that is read."""


@dataclass(frozen=True, kw_only=True)
class Reading:
    """An open document: its id, the page that is shown, and the id of the passage that is marked, "" for all."""

    document: str
    page: int
    passage: str = ""


def reading() -> Reading | None:
    """What is open on the Library page. Its page number's field is filled in when it has just been opened."""
    now = st.session_state.get("reading")
    if now:
        st.session_state.setdefault(PAGE_FIELD, now.page)
    return now


def open_document(document: str, page: int = 1, passage: str = "") -> None:
    """Open a document at a page, with one passage chosen or none; a callback."""
    st.session_state["reading"] = Reading(document=document, page=page, passage=passage)
    st.session_state[PAGE_FIELD] = page


def close_document() -> None:
    st.session_state.pop("reading", None)


def turn_to(page: int) -> None:
    """Another page of the open document; a callback."""
    open_document(st.session_state["reading"].document, page)


def turn_to_typed() -> None:
    """The page whose number was typed; a callback."""
    turn_to(st.session_state[PAGE_FIELD])


def choose_passage(passage: str) -> None:
    """Mark this passage alone on the page, or all of them again with ""; a callback."""
    st.session_state["reading"] = replace(st.session_state["reading"], passage=passage)
