"""What is said while something runs: a document on its way in, models at work, an answer being written."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from core.jobs import PEOPLE
from core.library import Progress
from pages.components.shared.asked_question import stop_writing, was_stopped
from pages.components.shared.safe_display import counted, plain

_DONE = {"reading": "read", "embedding": "indexed"}


def progress_lines(title: str = "") -> Callable[[Progress], None]:
    """A listener for an ingestion that draws one bar a document where it was made."""
    if title:
        st.caption(title)
    bars: dict[str, st.delta_generator.DeltaGenerator] = {}

    def listen(progress: Progress) -> None:
        bar = bars.setdefault(progress.document, st.empty())
        bar.progress(share(progress), text=plain(line(progress)))

    return listen


def share(progress: Progress) -> float:
    """How much of a document is done, in [0, 1]: a fifth for reading, the rest for indexing."""
    of_step = min(1.0, progress.page / max(1, progress.pages))
    return 0.2 * of_step if progress.step == "reading" else 0.2 + 0.8 * of_step


def line(progress: Progress) -> str:
    """One progress report in words: "sound.pdf: 2 of 3 pages indexed, about 4 s left"."""
    left = math.ceil(progress.seconds_left)
    soon = "almost done" if progress.step == "embedding" else "indexing comes next"
    time = soon if left < 1 else time_left(left)
    done = f"{progress.page} of {counted(progress.pages, 'page')} {_DONE[progress.step]}"
    return f"{progress.document}: {done}, {time}"


def time_left(seconds: float) -> str:
    """ "about 4 s left", "about 3 min left", "about 2 h left"."""
    if seconds < 1:
        return "almost done"
    if seconds < 90:
        return f"about {seconds:.0f} s left"
    return f"about {seconds / 60:.0f} min left" if seconds < 5400 else f"about {seconds / 3600:.0f} h left"


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


STOPPED = "The writing was stopped, so there is no answer to judge. Press Ask to begin again."
WRITTEN_BY_MODELS = ("small", "local", "endpoint")
NOT_BEGUN = "The model has not begun yet …"


@contextmanager
def writing(answer_by: str) -> Iterator[Callable[[str], None] | None]:
    """What draws the text so far, or why there is none yet, for a model; it is gone when the answer is there.

    The button ends the run of the page, and with it the writing, at the next piece.
    """
    if answer_by not in WRITTEN_BY_MODELS:
        yield None
        return
    place = st.empty()
    with place.container(border=True, key="writing"):
        st.button("Stop", icon=":material/stop_circle:", on_click=stop_writing, help="Stop the writing")
        text = st.empty()
        text.caption(NOT_BEGUN)
    try:
        yield lambda so_far: text.markdown(plain(so_far)) if so_far else text.caption(NOT_BEGUN)
    finally:
        place.empty()


def say_if_stopped() -> None:
    if was_stopped():
        st.info(STOPPED, icon=":material/stop_circle:")
