"""The Journal page as it is drawn."""

import streamlit as st

from core.journal import Journal
from pages.components.journal.coverage_gaps import gaps
from pages.components.journal.filters import filters
from pages.components.journal.refusals_over_time import over_time
from pages.components.journal.retention import keeping_box
from pages.components.journal.table import decisions, to_attend
from pages.components.shared.plain_text import counted


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
