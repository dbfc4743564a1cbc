"""What the library lacks: refused questions, grouped by what they ask."""

import math
import time
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from core.journal import Lacking
from core.journal.coverage_gaps import MOST, Gap, Gaps
from core.settings import Settings
from pages.components.journal.decisions import SHORT
from pages.components.shared.resources import shared_explorer
from pages.components.shared.safe_display import counted, plain, safe_table, shortened

if TYPE_CHECKING:
    from core.graph import Explorer

SHOWN, _ROWS = 100, 8


def gaps(lacking: list[Lacking], profile: str) -> None:
    """The groups as a table, the most asked first; the questions are compared by the models of `profile`."""
    if not lacking:
        st.caption("None of these questions was refused because the library does not cover it.")
        return
    place = st.empty()
    with place.container():
        found = _gaps(profile, shared_explorer(profile, Settings()))(lacking, _progress())
    with place.container():
        _table(found)


def heading(found: list[Gap]) -> str:
    """What the table shows."""
    asked, groups = sum(gap.asked for gap in found), len(found)
    what = "one thing" if groups == 1 else f"{groups:,} different things"
    return f"{counted(asked, 'refusal')} for want of coverage, about {what}"


def rows(found: list[Gap]) -> pd.DataFrame:
    """What the table shows of these gaps, in their order."""
    return pd.DataFrame(
        {
            "Asked": [gap.asked for gap in found],
            "What they ask": pd.array([gap.question for gap in found], dtype="string"),
            "Also asked as": pd.array([_others(gap) for gap in found], dtype="string"),
            "Why refused": pd.array([", ".join(SHORT[r] for r in gap.reasons) for gap in found], dtype="string"),
            "Last asked": pd.array([f"{datetime.fromtimestamp(gap.last):%Y-%m-%d}" for gap in found], dtype="string"),
        }
    )


def _others(gap: Gap) -> str | None:
    others = [q for q in gap.questions if q != gap.question]
    more = f" and {len(others) - 3} more" if len(others) > 3 else ""
    return " · ".join(shortened(q, 80) for q in others[:3]) + more if others else None


def _table(found: list[Gap]) -> None:
    st.markdown(f"**{heading(found)}**")
    columns = {
        "Asked": st.column_config.NumberColumn(width=70, help="How often, in all its wordings."),
        "What they ask": st.column_config.TextColumn(width=330),
        "Also asked as": st.column_config.TextColumn(width=380),
        "Why refused": st.column_config.TextColumn(width=230),
        "Last asked": st.column_config.TextColumn(width=100),
    }
    safe_table(rows(found[:SHOWN]), "gaps", _ROWS, columns, "What the library lacks, one group a row")
    left = f" The first {SHOWN} of them are shown." if len(found) > SHOWN else ""
    st.caption(
        "A chapter on the first of these would answer most. Questions are put together by meaning (the embedder): "
        "nearly all that it joins belong together, and of those that do it misses about one pair in five. "
        f"At most the newest {MOST} different questions are compared.{left}"
    )


def _gaps(profile: str, explorer: "Explorer") -> Gaps:
    """What remembers the questions that the models of `profile` have read: for everybody, since each is read once."""
    return _remembered().setdefault(profile, Gaps(explorer.models.embedder.encode))


@st.cache_resource(show_spinner=False)
def _remembered() -> dict[str, Gaps]:
    return {}


def _progress() -> Callable[[int, int], None]:
    """Draws how many questions are read, with the time left, where it was made."""
    bar, started = st.empty(), time.monotonic()

    def listen(done: int, of: int) -> None:
        left = math.ceil((time.monotonic() - started) / done * (of - done)) if done else 0
        after = f", about {left} s left" if left else ""
        bar.progress(done / of, text=plain(f"Comparing the refused questions, once: {done} of {of}{after}"))

    return listen
