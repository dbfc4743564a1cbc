"""What is said while models run: at once, since Streamlit's own spinner shows nothing for the first half second."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from core.jobs import PEOPLE


@contextmanager
def waiting(words: str) -> Iterator[None]:
    """`words` on screen from the first moment to the last, with a turning wheel and the time when it takes longer."""
    with st.container(key="waiting"):
        place = st.empty()
    place.caption(words)
    try:
        with PEOPLE.asking(), place, st.spinner(words, show_time=True):
            yield
    finally:
        place.empty()
