"""The settings of the history: whether questions are stored, for how long, and how to remove everything."""

import streamlit as st

from core.journal import Journal, Retention
from core.journal.queries import LONGEST, MOST, SHORTEST
from core.platform.access import may
from pages.components.shared.safe_display import show
from pages.components.shared.session import notes, noting, value

_ERROR, _CONFIRM = "storage not changed", "emptying the history"


def storage_box(journal: Journal) -> None:
    """Draw the settings, which apply to all users of this run-time folder, for those who may change them."""
    if not may("journal"):
        return
    settings = journal.retention
    questions, days = f"store questions {settings.questions}", f"days stored {settings.days}"
    with st.expander("What is stored", icon=":material/lock:", key="storage"):
        st.toggle(
            "Store questions", value=settings.questions, key=questions, on_change=_save_settings,
            args=(journal, questions, days),
            help="Off: a decision is stored without its question, its answer and its passages. It still counts in the "
            "chart over time, but it cannot be opened again and shows no missing topic.",
        )  # fmt: skip
        st.number_input(
            "Days until a decision is removed", SHORTEST, LONGEST, settings.days, key=days, on_change=_save_settings,
            args=(journal, questions, days), width=240,
        )  # fmt: skip
        st.caption(
            "No question leaves this computer. Both settings apply to everybody who uses this app, from now on; "
            "earlier decisions stay until they are too old or you empty the history. "
            f"At most {MOST:,} decisions are stored; then the oldest is removed."
        )
        _empty_button(journal)
    for error in notes(_ERROR):
        show(error)


def _save_settings(journal: Journal, questions: str, days: str) -> None:
    """Save the settings; a callback. questions, days: the keys of their widgets."""
    notes(_ERROR).clear()
    with noting(_ERROR):
        journal.set_retention(Retention(questions=value(questions), days=value(days)))


def _empty_button(journal: Journal) -> None:
    """Draw the button that empties the history, and its confirmation."""
    if st.button("Empty the history", key="empty history", icon=":material/delete:"):
        notes(_CONFIRM)[:] = [True]
    if notes(_CONFIRM):
        st.warning("Remove every decision? They cannot be restored.", icon=":material/help:")
        with st.container(horizontal=True, gap="small"):
            st.button("Yes, remove all", type="primary", key="empty now", on_click=_empty, args=(journal,))
            st.button("Keep them", key="keep decisions", on_click=notes(_CONFIRM).clear)


def _empty(journal: Journal) -> None:
    notes(_CONFIRM).clear()
    notes(_ERROR).clear()
    with noting(_ERROR):
        journal.empty()
