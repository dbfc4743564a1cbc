"""The layout of the History page, the settings of the journal, and the refusals for lack of coverage."""

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
from pages.components.history.decisions import SHORT, decisions, filters, to_attend
from pages.components.history.refusals_over_time import over_time
from pages.components.shared.resources import shared_explorer
from pages.components.shared.safe_display import counted, frame_of, plain, safe_table, shortened, show
from pages.components.shared.session import notes, noting, value

if TYPE_CHECKING:
    from core.graph import Explorer


def journal_view(journal: Journal, profile: str) -> None:
    """Draw the page. The coverage gaps need a model, so they are drawn last, in a container above the settings."""
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
    st.subheader("Missing topics", anchor=False)
    gaps_area = st.container()
    keeping_box(journal)
    with gaps_area:
        gaps(journal.lacking(which), profile)


def summary(counts: dict[str, int]) -> str:
    """How many decisions there are, and how many took each route, as Markdown. counts: route -> number."""
    answered = sum(count for route, count in counts.items() if route.startswith("deliver"))
    others = {"clarify": "needing clarification", "refuse": "refused", "escalate": "handed over"}
    texts = [f"{counts[route]:,} {word}" for route, word in others.items() if route in counts]
    return f"**{counted(sum(counts.values()), 'decision')}**: {', '.join([f'{answered:,} answered', *texts])}"


def keeping_box(journal: Journal) -> None:
    """Draw the settings of the journal, which apply to all users of this run-time folder, and the way to empty it."""
    if not may("journal"):
        return
    settings = journal.keeping
    questions, days = f"journal keeps questions {settings.questions}", f"journal keeps days {settings.days}"
    with st.expander("What the journal keeps", icon=":material/lock:"):
        st.toggle(
            "Keep questions in the journal", value=settings.questions, key=questions, on_change=_save_settings,
            args=(journal, questions, days),
            help="Off: a decision is written without its question, its answer and its passages. It then counts in the "
            "picture over time, but cannot be opened again, and no gap can be seen in it.",
        )  # fmt: skip
        st.number_input(
            "Days that decisions stay", SHORTEST, LONGEST, settings.days, key=days, on_change=_save_settings,
            args=(journal, questions, days), width=200, help="Older ones are removed, from the disk too.",
        )  # fmt: skip
        st.caption(
            "No question leaves this computer. Both choices hold for everybody who uses this folder, and from now on: "
            "what stands in the journal already stays until it is too old, or the journal is emptied. "
            f"At most {MOST:,} decisions are kept; then the oldest goes."
        )
        _empty_button(journal)
    for error in notes("journal not kept"):
        show(error)


def _save_settings(journal: Journal, questions: str, days: str) -> None:
    """Save the settings of the journal; a callback. questions, days: the keys of their widgets."""
    notes("journal not kept").clear()
    with noting("journal not kept"):
        journal.keep(Keeping(questions=value(questions), days=value(days)))


def _empty_button(journal: Journal) -> None:
    """Draw the button that empties the journal, and its confirmation."""
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
"""Most groups in the table, and most that are visible without scrolling."""


def gaps(refusals: list[Lacking], profile: str) -> None:
    """Draw the refusals for lack of coverage as groups of similar questions, the most frequent first.

    profile: the models whose embedder compares the questions.
    """
    if not refusals:
        st.caption("None of these questions was refused because the library does not cover it.")
        return
    area = st.empty()
    with area.container():
        groups = _gaps(profile, shared_explorer(profile, Settings()))(refusals, _progress())
    with area.container():
        _table(groups)


def heading(gaps: list[Gap]) -> str:
    """The title of the table: the number of refusals and of groups."""
    refusals, groups = sum(gap.asked for gap in gaps), len(gaps)
    return f"{counted(refusals, 'refusal')} on {counted(groups, 'missing topic')}"


def rows(gaps: list[Gap]) -> pd.DataFrame:
    """The table of these gaps, in their order."""
    return frame_of(
        {
            "Asked": [gap.asked for gap in gaps],
            "What they ask": [gap.question for gap in gaps],
            "Also asked as": [_others(gap) for gap in gaps],
            "Why refused": [", ".join(SHORT[r] for r in gap.reasons) for gap in gaps],
            "Last asked": [f"{datetime.fromtimestamp(gap.last):%Y-%m-%d}" for gap in gaps],
        },
        {"Asked": "Int64"},
    )


def _others(gap: Gap) -> str | None:
    """Up to three other wordings of a gap and the number of the rest; None if there is no other."""
    others = [q for q in gap.questions if q != gap.question]
    more = f" and {len(others) - 3} more" if len(others) > 3 else ""
    return " · ".join(shortened(q, 80) for q in others[:3]) + more if others else None


def _table(gaps: list[Gap]) -> None:
    st.markdown(f"**{heading(gaps)}**")
    columns = {
        "Asked": st.column_config.NumberColumn(width=70, help="How often, in all its wordings."),
        "What they ask": st.column_config.TextColumn(width=330),
        "Also asked as": st.column_config.TextColumn(width=380),
        "Why refused": st.column_config.TextColumn(width=230),
        "Last asked": st.column_config.TextColumn(width=100),
    }
    safe_table(rows(gaps[:SHOWN]), "gaps", _ROWS, columns, "What the library lacks, one group a row")
    cut_note = f" The first {SHOWN} of them are shown." if len(gaps) > SHOWN else ""
    st.caption(
        "A chapter on the first of these would answer most. Questions are put together by meaning (the embedder): "
        "nearly all that it joins belong together, and of those that do it misses about one pair in five. "
        f"At most the newest {coverage_gaps.MOST} different questions are compared.{cut_note}"
    )


def _gaps(profile: str, explorer: "Explorer") -> Gaps:
    """The gap finder of a model profile."""
    return _remembered().setdefault(profile, Gaps(explorer.models.embedder.encode))


@st.cache_resource(show_spinner=False)
def _remembered() -> dict[str, Gaps]:
    """The gap finder of each profile, shared by all sessions; it caches the embeddings of questions."""
    return {}


def _progress() -> Callable[[int, int], None]:
    """A listener that draws the number of compared questions and the time left at the place where it was created."""
    bar, started = st.empty(), time.monotonic()

    def listen(done: int, total: int) -> None:
        seconds = math.ceil((time.monotonic() - started) / done * (total - done)) if done else 0
        time_text = f", about {seconds} s left" if seconds else ""
        bar.progress(done / total, text=plain(f"Comparing the refused questions, once: {done} of {total}{time_text}"))

    return listen
