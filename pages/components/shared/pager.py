"""The pages of a long table: only the rows of one page are read, decided and sent."""

import streamlit as st

from core.evaluation.cases import RECENT
from pages.components.shared.session_values import Value

PAGE_ROWS = RECENT
"""Most rows of one page: as many as there are traces in memory, so that a page that is drawn again reads none."""


def page_of(count: int, page: Value[int]) -> range:
    """The indices of the rows on the chosen page; draws the choice if `count` rows need more than one page.

    page: the choice, from 1; one for each table on the screen.
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
