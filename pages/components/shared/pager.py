"""The pages of a long table: only the rows of one page are read, decided and sent."""

import streamlit as st

from core.evaluation.cases import RECENT

PAGE_ROWS = RECENT
"""Most rows of one page: as many as there are traces in memory, so that a page that is drawn again reads none."""


def page_of(count: int, key: str) -> range:
    """The indices of the rows on the chosen page; draws the choice if `count` rows need more than one page.

    key: of the choice; unique on the screen.
    """
    pages = -(-count // PAGE_ROWS)
    if pages <= 1:
        return range(count)
    st.session_state[key] = min(max(1, st.session_state.get(key, 1)), pages)  # the table may have become shorter
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        number = st.number_input("Page", 1, pages, key=key, step=1, width=130)
        first = (number - 1) * PAGE_ROWS
        end = min(first + PAGE_ROWS, count)
        st.caption(f"Rows {first + 1:,} to {end:,} of {count:,}")
    return range(first, end)
