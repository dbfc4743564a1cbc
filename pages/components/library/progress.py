"""How far a document has come: a bar with its name, page and the time left."""

import math
from collections.abc import Callable

import streamlit as st

from core.library import Progress
from pages.components.shared.plain_text import counted, plain

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
