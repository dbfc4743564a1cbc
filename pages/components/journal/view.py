"""The Journal page as it is drawn, with what the journal keeps and for how long."""

from collections.abc import Callable

import streamlit as st

from core.access import may
from core.journal import Journal, Keeping
from core.journal.queries import LONGEST, MOST, SHORTEST
from pages.components.journal.coverage_gaps import gaps
from pages.components.journal.decisions import decisions, filters, to_attend
from pages.components.journal.refusals_over_time import over_time
from pages.components.shared.safe_display import ERRORS, counted, show
from pages.components.shared.session import notes, value


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
    _tried(lambda: journal.keep(Keeping(questions=value(questions), days=value(days))))


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
    _tried(journal.empty)


def _tried(change: Callable[[], None]) -> None:
    notes("journal not kept").clear()
    try:
        change()
    except ERRORS as error:
        notes("journal not kept").append(error)
