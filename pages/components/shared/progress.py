"""Progress while something runs: an ingestion, models at work, an answer being written."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from core.library import Progress
from core.platform.jobs import PEOPLE, Wait, WaitListener, in_line, report_waits, time_left
from core.words import count_of
from pages.components.shared.question_state import stop_asking
from pages.components.shared.safe_display import plain

_DONE_WORDS = {"reading": "read", "embedding": "indexed"}


def share(progress: Progress) -> float:
    """The share of a document that is done, in [0, 1]: a fifth for reading, the rest for indexing."""
    step_share = min(1.0, progress.page / max(1, progress.pages))
    return 0.2 * step_share if progress.step == "reading" else 0.2 + 0.8 * step_share


def line(progress: Progress) -> str:
    """A progress report in words: "sound.pdf: 2 of 3 pages indexed, about 4 s left"."""
    if progress.waiting:
        return f"{progress.document}: {in_line(progress.waiting)}"
    seconds = math.ceil(progress.seconds_left)
    last_words = "almost done" if progress.step == "embedding" else "indexing comes next"
    time = last_words if seconds < 1 else time_left(seconds)
    count = f"{progress.page} of {count_of(progress.pages, 'page')} {_DONE_WORDS[progress.step]}"
    return f"{progress.document}: {count}, {time}"


def stoppable(
    share: float, text: str, key: str, stop: Callable[[], object], *, is_stopping: bool, help: str | None = None
) -> None:  # fmt: skip
    """Draw the progress of work in the background as a bar with a text, and a button that calls `stop`."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.progress(share, text=plain(text))
        st.button("Stop", key=key, icon=":material/stop_circle:", disabled=is_stopping, on_click=stop, help=help)


@contextmanager
def waiting(words: str, key: str = "waiting", stop: Callable[[], None] = stop_asking) -> Iterator[None]:
    """Show `words`, a spinner and the elapsed time while the block runs.

    If other users are before this one in the queue, show the position in it and a button that gives up the work by
    calling `stop`.
    """
    area = st.empty()
    with area.container(key=key):
        words_area, queue_area = st.empty(), st.empty()
    words_area.caption(words)
    try:
        with (
            PEOPLE.asking(),
            report_waits(_queue_listener(queue_area, key, stop)),
            words_area,
            st.spinner(words, show_time=True),
        ):
            yield
    finally:
        area.empty()


def _queue_listener(area: "st.delta_generator.DeltaGenerator", key: str, stop: Callable[[], None]) -> WaitListener:
    """A listener that draws the position in the queue, with a button that calls `stop`; pressing it ends the run."""
    text: list[st.delta_generator.DeltaGenerator] = []

    def listen(wait: Wait | None) -> None:
        if not text:
            with area.container(horizontal=True, vertical_alignment="center", gap="small"):
                text.append(st.empty())
                st.button(
                    "Stop waiting", key=f"{key} stop", icon=":material/stop_circle:", on_click=stop,
                    help="Cancel",
                )  # fmt: skip
        position = f"Others ask too: this question is {in_line(wait)}." if wait else ""
        text[0].caption(position or "Work on this question begins now.")

    return listen


STOPPED_TEXT = "The question was stopped before there was an answer. Press Ask to begin again."
WRITTEN_BY_MODELS = ("local", "endpoint")
WAITING_TEXT = "Waiting for the model to begin …"


@contextmanager
def writing(writer: str) -> Iterator[Callable[[str], None] | None]:
    """A context manager that yields a listener, which draws the text that a model has written so far. It yields None if
    `writer` is no language model.

    The text disappears when the block ends. Its Stop button ends the page run, and the model stops after its current
    piece of text.
    """
    if writer not in WRITTEN_BY_MODELS:
        yield None
        return
    area = st.empty()
    with area.container(border=True, key="writing"):
        st.button("Stop", icon=":material/stop_circle:", on_click=stop_asking, help="Stop writing this answer")
        text = st.empty()
        text.caption(WAITING_TEXT)
    try:
        yield lambda so_far: text.markdown(plain(so_far)) if so_far else text.caption(WAITING_TEXT)
    finally:
        area.empty()
