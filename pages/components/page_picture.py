"""The picture of a page, with places on it marked."""

from collections.abc import Iterable, Sequence
from typing import Any

import streamlit as st

from pages.components.errors import ERRORS, show
from pages.components.plain import plain

Mark = tuple[int, float, float, float, float]
"""Page, then left, top, right and bottom as shares of it, from its top left corner."""
WIDTH = 1100
"""Pixels of a picture, so that formulae can still be read when it is enlarged."""


def document_of(passage_id: str) -> str:
    """The id of the document that a passage belongs to."""
    return passage_id.partition(":")[0]


def marks_of(places: Sequence[Sequence[Mark]], sentences: Iterable[int]) -> tuple[Mark, ...]:
    """Where these sentences stand, of the places of all; nothing for one whose place is not known."""
    return tuple(tuple(mark) for i in sentences if i < len(places) for mark in places[i])


def page_picture(library: Any, document: str, page: int, marks: tuple[Mark, ...], title: str) -> None:
    """The page with its marks under a title that also says it to those who cannot see; else the sentence why not."""
    with st.container(key="page_picture", gap="xsmall"):
        st.caption(plain(title))
        try:
            with st.spinner("Drawing the page …"):
                drawn = library.picture(document, page, marks, width=WIDTH)
        except ERRORS as error:
            show(error)
        else:
            with st.container(border=True):  # white paper on a white page has no edge
                st.image(drawn, width="stretch", alt=title)
