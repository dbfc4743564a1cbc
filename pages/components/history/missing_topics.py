"""The topics that the library lacks: refused questions, grouped by meaning, the most frequent topic first."""

import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from core.journal import Lacking, coverage_gaps
from core.journal.coverage_gaps import Gap, Gaps
from core.platform.access import may
from core.presentation.history import gap_columns, gap_title
from core.settings import Settings
from pages.components.shared.resources import shared_explorer
from pages.components.shared.safe_display import frame_of, plain, safe_table

if TYPE_CHECKING:
    from core.graph import Explorer

MAX_QUESTIONS, _ROWS = 100, 4
"""Maximum topics in the table, and maximum rows that are visible without scrolling."""
_METHOD = (
    "A chapter on the first topic would answer most questions. Questions with a similar meaning count as one topic; "
    "about one pair in five that belongs together is missed. "
    f"The newest {coverage_gaps.MOST} different questions are compared."
)


def missing_topics(refusals: list[Lacking], profile: str) -> None:
    """Draw the questions that were refused because the library lacks their topic, grouped by topic.

    profile: the name of the models whose embedder compares the questions.
    """
    if not refusals:
        st.caption(":material/check: No missing topics: no question was refused for lack of an answer in the books.")
        return
    area = st.empty()
    with area.container():
        gaps = _finder(profile, shared_explorer(profile, Settings()))(refusals, _progress())
    with area.container():
        _table(gaps)


def _table(gaps: list[Gap]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        cut_note = f" The first {MAX_QUESTIONS} topics are shown." if len(gaps) > MAX_QUESTIONS else ""
        st.markdown(f"**{plain(gap_title(gaps))}**", width="stretch", help=_METHOD + cut_note)
        if may("library") and st.button("Add a chapter", key="add a chapter", icon=":material/upload_file:"):
            st.switch_page("pages/library.py")
    column = st.column_config
    columns = {
        "Asked": column.NumberColumn(width=70, help="How often, in all its wordings."),
        "Question": column.TextColumn(width=330), "Also asked as": column.TextColumn(width=380),
        "Why refused": column.TextColumn(width=230), "Last asked": column.TextColumn(width=110),
    }  # fmt: skip
    safe_table(
        frame_of(gap_columns(gaps[:MAX_QUESTIONS]), {"Asked": "Int64"}), "gaps", _ROWS, columns,
        "Topics that the library lacks, one per row",
    )  # fmt: skip


def _finder(profile: str, explorer: "Explorer") -> Gaps:
    """The gap finder (which groups refused questions by meaning) of this model profile, created at the first call."""
    return _finders().setdefault(profile, Gaps(explorer.models.embedder.encode))


@st.cache_resource(show_spinner=False)
def _finders() -> dict[str, Gaps]:
    """The gap finder of each profile, shared by all sessions; each caches the embeddings of questions."""
    return {}


def _progress() -> Callable[[int, int], None]:
    """A listener that draws how many questions are compared and the time left. It draws at the position on the page
    where `_progress` was called."""
    bar, started = st.empty(), time.monotonic()

    def listen(done: int, total: int) -> None:
        seconds = math.ceil((time.monotonic() - started) / done * (total - done)) if done else 0
        time_text = f", about {seconds} s left" if seconds else ""
        bar.progress(done / total, text=plain(f"Comparing the refused questions, once: {done} of {total}{time_text}"))

    return listen
