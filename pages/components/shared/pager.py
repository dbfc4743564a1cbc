"""Splits a long table into pages; only the rows of the chosen page are read, decided and sent to the browser."""

import streamlit as st

from pages.components.shared.session_values import Value

PAGE_ROWS = 600
"""Maximum rows of one page."""


def page_of(count: int, page: Value[int]) -> range:
    """Draw the choice of a page if `count` rows need more than one page, and return the indices of the rows on the
    chosen page.

    page: the number of the chosen page, from 1.
    """
    pages = -(-count // PAGE_ROWS)
    if pages <= 1:
        return range(count)
    page.value = min(max(1, page.value), pages)  # the table may have become shorter
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        number = st.number_input("Page", 1, pages, key=page.key, step=1, width=130)
        first = (number - 1) * PAGE_ROWS
        end = min(first + PAGE_ROWS, count)
        st.caption(f"Rows {first + 1:,} to {end:,} of {count:,}")
    return range(first, end)
