"""An answer while a model writes it, with a button that stops it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from pages.components.shared.plain_text import plain
from pages.components.shared.session import stop_writing, was_stopped

STOPPED = "The writing was stopped, so there is no answer to judge. Press Ask to begin again."
WRITTEN_BY_MODELS = ("small", "endpoint")


@contextmanager
def writing(answer_by: str) -> Iterator[Callable[[str], None] | None]:
    """What draws the text so far, for a writer that is a model; it is gone when the answer is there.

    The button ends the run of the page, and with it the writing, at the next piece.
    """
    if answer_by not in WRITTEN_BY_MODELS:
        yield None
        return
    place = st.empty()
    with place.container(border=True, key="writing"):
        st.button("Stop", icon=":material/stop_circle:", on_click=stop_writing, help="Stop the writing")
        text = st.empty()
        text.caption("The model has not begun yet …")
    try:
        yield lambda so_far: text.markdown(plain(so_far))
    finally:
        place.empty()


def say_if_stopped() -> None:
    if was_stopped():
        st.info(STOPPED, icon=":material/stop_circle:")
