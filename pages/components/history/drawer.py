"""One decision of the History page in full, with its review and the button that opens it on the Ask page."""

from collections.abc import Sequence
from datetime import datetime

import streamlit as st

from core.banks.saved import OWN
from core.book_titles import book
from core.journal import DecisionRow, Journal
from core.library import library_documents
from core.platform.access import may
from core.platform.home import home_folder
from core.presentation.history import decision_reason, facts, question_text
from core.words import route_text
from pages.components.ask.verdict_words import in_colour
from pages.components.shared.page_run import open_on_tune, restore, turn_to_ask
from pages.components.shared.question_state import show_measured
from pages.components.shared.review import review
from pages.components.shared.safe_display import plain
from pages.components.shared.session import ASK, HISTORY
from pages.components.shared.session_values import CellChoice, Outcome
from pages.components.shared.settings_box import chosen_settings


def select(table: CellChoice, ids: Sequence[int]) -> None:
    """Show the decision whose row was clicked; a callback. ids: the decisions in the rows of the table."""
    if (number := table.row(ids)) is not None:
        HISTORY.selected.value = number


def drawer(journal: Journal, listed: Sequence[DecisionRow]) -> None:
    """Draw the selected decision; if none of `listed` is selected, draw the first of them. `listed` must not be
    empty."""
    decision = next((d for d in listed if d.id == HISTORY.selected.value), listed[0])
    titles = {d.name: book(d) for d in library_documents(home_folder())}
    with st.container(border=True, key="decision"):
        st.markdown(f"**{plain(question_text(decision))}**")
        words = decision_reason(decision)
        reason = f" · {plain(words)}" if words else ""
        st.markdown(f"{in_colour(decision.route, route_text(decision.route))}{reason}")
        if decision.answer:
            st.markdown(plain(decision.answer))
        if may("journal") and decision.question is not None:  # above the facts, where no one has to scroll to it
            review(journal, decision)
            if HISTORY.outcome.of(decision.id).succeeded:
                open_on_tune(OWN)
        st.caption("  \n".join(f"{plain(label)}: {plain(value)}" for label, value in facts(decision, titles).items()))
        st.button(
            "Open on Ask", key="open decision", icon=":material/open_in_new:", type="primary", on_click=open_on_ask,
            args=(journal, HISTORY.drawer_outcome, decision.id), disabled=decision.question is None,
            help="Shows it as it was decided, with the measurements and limits of that time.",
        )  # fmt: skip
        HISTORY.drawer_outcome.draw(once=True)


def open_on_ask(journal: Journal, outcome: Outcome, number: int) -> None:
    """Show a decision on the Ask page with the trace and the limits of that time; a callback.

    outcome: takes the error if the decision cannot be opened. number: the id of the decision in the journal.
    """
    with outcome.catch():
        decision = journal.open(number)
        patterns = "\n".join(decision.settings.get("patterns", ()))
        restore(decision.preset, {**decision.settings, "patterns": patterns, "profile": decision.profile})
        show_measured(decision.trace, chosen_settings())
        ASK.decision.value = decision.decision_row
        moment = datetime.fromtimestamp(decision.decision_row.at)
        ASK.reopened.value = (
            f"From the history: as it was decided on {moment:%Y-%m-%d at %H:%M}, with the limits of that time."
        )
        turn_to_ask()
