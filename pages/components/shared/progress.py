"""What is said while something runs: a document on its way in, models at work, an answer being written."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from core.library import Progress
from core.platform.jobs import PEOPLE, Told, Wait, in_line, telling, time_left
from pages.components.shared.question_state import stop_asking, was_stopped
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
    if progress.waiting:
        return f"{progress.document}: {in_line(progress.waiting)}"
    soon = "almost done" if progress.step == "embedding" else "indexing comes next"
    time = soon if left < 1 else time_left(left)
    done = f"{progress.page} of {counted(progress.pages, 'page')} {_DONE[progress.step]}"
    return f"{progress.document}: {done}, {time}"


@contextmanager
def waiting(words: str, key: str = "waiting", stop: Callable[[], None] = stop_asking) -> Iterator[None]:
    """`words` on screen from the first moment to the last, with a turning wheel and the time when it takes longer.

    Whoever has to wait for others sees the place in line, and may `stop` waiting, a callback that gives up what waits.
    """
    whole = st.empty()
    with whole.container(key=key):
        place, line_of_others = st.empty(), st.empty()
    place.caption(words)
    try:
        with PEOPLE.asking(), telling(_told_below(line_of_others, key, stop)), place, st.spinner(words, show_time=True):
            yield
    finally:
        whole.empty()


def _told_below(place: "st.delta_generator.DeltaGenerator", key: str, stop: Callable[[], None]) -> Told:
    """Draws where one stands in line; a button that is pressed meanwhile ends the run, and with it the waiting."""
    text: list[st.delta_generator.DeltaGenerator] = []

    def told(wait: Wait | None) -> None:
        if not text:
            with place.container(horizontal=True, vertical_alignment="center", gap="small"):
                text.append(st.empty())
                st.button(
                    "Stop waiting", key=f"{key} stop", icon=":material/stop_circle:", on_click=stop,
                    help="Give this up",
                )  # fmt: skip
        text[0].caption(f"Others ask too: this question is {in_line(wait)}." if wait else "It is being read.")

    return told


STOPPED = "It was stopped, so there is no answer to judge. Press Ask to begin again."
WRITTEN_BY_MODELS = ("small", "local", "endpoint")
NOT_BEGUN = "The model has not begun yet …"


@contextmanager
def writing(writer: str) -> Iterator[Callable[[str], None] | None]:
    """What draws the text so far, or why there is none yet, for a model; it is gone when the answer is there.

    The button ends the run of the page, and with it the writing, at the next piece.
    """
    if writer not in WRITTEN_BY_MODELS:
        yield None
        return
    place = st.empty()
    with place.container(border=True, key="writing"):
        st.button("Stop", icon=":material/stop_circle:", on_click=stop_asking, help="Stop the writing")
        text = st.empty()
        text.caption(NOT_BEGUN)
    try:
        yield lambda so_far: text.markdown(plain(so_far)) if so_far else text.caption(NOT_BEGUN)
    finally:
        place.empty()


def say_if_stopped() -> None:
    if was_stopped():
        st.info(STOPPED, icon=":material/stop_circle:")
