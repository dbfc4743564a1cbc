"""The picture of a page, with places on it marked."""

from typing import Any

import streamlit as st

from core.pdf.page import Place
from pages.components.shared.errors import ERRORS, show
from pages.components.shared.plain_text import plain

WIDTH = 1100
"""Pixels of a picture, so that formulae can still be read when it is enlarged."""


def page_picture(library: Any, document: str, page: int, marks: tuple[Place, ...], title: str) -> None:
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
