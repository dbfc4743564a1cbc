"""The Journal page as it is drawn, with what the journal keeps and for how long, and the refusals for want of books."""

import math
import time
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from core.journal import Journal, Keeping, Lacking, coverage_gaps
from core.journal.coverage_gaps import Gap, Gaps
from core.journal.queries import LONGEST, MOST, SHORTEST
from core.platform.access import may
from core.settings import Settings
from pages.components.journal.decisions import SHORT, decisions, filters, to_attend
from pages.components.journal.refusals_over_time import over_time
from pages.components.shared.resources import shared_explorer
from pages.components.shared.safe_display import counted, frame_of, plain, safe_table, shortened, show
from pages.components.shared.session import notes, noting, value

if TYPE_CHECKING:
    from core.graph import Explorer


def journal_view(journal: Journal, profile: str) -> None:
    """Everything on the page; what needs a model comes last, in the place that is kept for it."""
    if not journal.counts():
        st.info(
            "Nothing has been decided yet. Ask a question on the Ask page: its decision is written down here.",
            icon=":material/history:",
        )  # fmt: skip
        keeping_box(journal)
        return
    to_attend(journal)
    st.subheader("Decisions", anchor=False)
    which = filters(journal)
    counts = journal.counts(which)
    if not counts:
        st.info("No decision fits these filters. Clear them to see all again.", icon=":material/filter_alt_off:")
        keeping_box(journal)
        return
    st.markdown(summary(counts))
    decisions(journal, which)
    st.subheader("Without an answer, over time", anchor=False)
    over_time(journal, which)
    st.subheader("What the library lacks", anchor=False)
    place = st.container()
    keeping_box(journal)
    with place:
        gaps(journal.lacking(which), profile)


def summary(counts: dict[str, int]) -> str:
    """How many decisions there are, and what became of them."""
    answered = sum(count for route, count in counts.items() if route.startswith("deliver"))
    others = {"clarify": "asked back", "refuse": "refused", "escalate": "handed over"}
    said = [
        f"{answered:,} answered",
        *(f"{counts[route]:,} {word}" for route, word in others.items() if route in counts),
    ]
    return f"**{counted(sum(counts.values()), 'decision')}**: {', '.join(said)}"


def keeping_box(journal: Journal) -> None:
    """Two choices that hold for everybody who uses this run-time folder, and the way to empty the journal."""
    if not may("journal"):
        return
    now = journal.keeping
    questions, days = f"journal keeps questions {now.questions}", f"journal keeps days {now.days}"
    with st.expander("What the journal keeps", icon=":material/lock:"):
        st.toggle(
            "Keep questions in the journal", value=now.questions, key=questions, on_change=_chosen,
            args=(journal, questions, days),
            help="Off: a decision is written without its question, its answer and its passages. It then counts in the "
            "picture over time, but cannot be opened again, and no gap can be seen in it.",
        )  # fmt: skip
        st.number_input(
            "Days that decisions stay", SHORTEST, LONGEST, now.days, key=days, on_change=_chosen,
            args=(journal, questions, days), width=200, help="Older ones are removed, from the disk too.",
        )  # fmt: skip
        st.caption(
            "No question leaves this computer. Both choices hold for everybody who uses this folder, and from now on: "
            "what stands in the journal already stays until it is too old, or the journal is emptied. "
            f"At most {MOST:,} decisions are kept; then the oldest goes."
        )
        _emptying(journal)
    for error in notes("journal not kept"):
        show(error)


def _chosen(journal: Journal, questions: str, days: str) -> None:
    """What was just chosen holds; a callback."""
    notes("journal not kept").clear()
    with noting("journal not kept"):
        journal.keep(Keeping(questions=value(questions), days=value(days)))


def _emptying(journal: Journal) -> None:
    """It is asked for twice."""
    if st.button("Empty the journal", key="empty journal", icon=":material/delete:"):
        notes("emptying")[:] = [True]
    if notes("emptying"):
        st.warning("Remove every decision from the journal? None of them can be opened again.", icon=":material/help:")
        with st.container(horizontal=True, gap="small"):
            st.button("Yes, empty it", type="primary", key="empty now", on_click=_empty, args=(journal,))
            st.button("Keep them", key="keep decisions", on_click=notes("emptying").clear)


def _empty(journal: Journal) -> None:
    notes("emptying").clear()
    notes("journal not kept").clear()
    with noting("journal not kept"):
        journal.empty()


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
    return frame_of(
        {
            "Asked": [gap.asked for gap in found],
            "What they ask": [gap.question for gap in found],
            "Also asked as": [_others(gap) for gap in found],
            "Why refused": [", ".join(SHORT[r] for r in gap.reasons) for gap in found],
            "Last asked": [f"{datetime.fromtimestamp(gap.last):%Y-%m-%d}" for gap in found],
        },
        {"Asked": "Int64"},
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
        f"At most the newest {coverage_gaps.MOST} different questions are compared.{left}"
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
