"""The settings of the history: whether questions are stored, and for how many days; and a button that empties it."""

import streamlit as st

from core.journal import Journal, Retention
from core.journal.journal import LONGEST, MOST, SHORTEST
from core.platform.access import may
from pages.components.shared.confirm import confirm
from pages.components.shared.session import HISTORY
from pages.components.shared.session_values import Value


def storage_box(journal: Journal) -> None:
    """Draw the settings of the history for a user who may change them. They apply to all users of this run-time
    folder."""
    if not may("journal"):
        return
    settings = journal.retention
    questions, days = HISTORY.stores_questions.of(settings.questions), HISTORY.days.of(settings.days)
    with st.expander("What is stored", icon=":material/lock:", key="storage"):
        st.toggle(
            "Store questions", value=settings.questions, key=questions.key, on_change=_save_settings,
            args=(journal, questions, days),
            help="Off: a decision is stored without its question, its answer and its passages. The decision still "
            "counts in the chart over time, but it cannot be opened again, and its topic is not listed as missing.",
        )  # fmt: skip
        st.number_input(
            "Days until a decision is removed", SHORTEST, LONGEST, settings.days, key=days.key, width=240,
            on_change=_save_settings, args=(journal, questions, days),
        )  # fmt: skip
        st.caption(
            "No question leaves this computer. Both settings apply to everybody who uses this app, from now on; "
            "earlier decisions stay until they are too old or you empty the history. "
            f"At most {MOST:,} decisions are stored; then the oldest is removed."
        )
        question = "Remove every decision? They cannot be restored."
        confirm("Empty the history", question, "Yes, remove all", "empty history", _empty, journal)
    HISTORY.stored.draw()


def _save_settings(journal: Journal, questions: Value[bool], days: Value[int]) -> None:
    """Save the settings; a callback. questions, days: the values of their widgets."""
    with HISTORY.stored.catch():
        journal.set_retention(Retention(questions=questions.value, days=days.value))


def _empty(journal: Journal) -> None:
    with HISTORY.stored.catch():
        journal.empty()
