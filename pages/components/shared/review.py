"""The review of a decision, for educators: thumbs, the outcome that would have been right, and a note."""

import streamlit as st

from core.banks.saved import OWN, label, set_title
from core.journal import DecisionRow, Journal
from core.journal.journal import LONGEST_NOTE
from core.platform.home import home_folder
from core.presentation.review import corrections, labelled_row, right_label
from core.words import EXPECTED
from pages.components.shared.session import ASK, HISTORY


def review(journal: Journal, decision: DecisionRow) -> None:
    """Draw thumbs to rate a decision, a note on it, and what the last rating did. For a decision rated as wrong, draw
    also a choice of the outcome that would have been right; if only one is possible, it needs no choice."""
    is_wrong = decision.should_be not in (None, right_label(decision)) or HISTORY.called_wrong.value == decision.id
    default = 0 if is_wrong else None if decision.should_be is None else 1
    thumbs, word = HISTORY.thumbs.of(decision.id, default), HISTORY.correction.of(decision.id, decision.should_be)
    note, outcome, choices = HISTORY.note.of(decision.id), HISTORY.outcome.of(decision.id), corrections(decision)

    def rate() -> None:
        HISTORY.called_wrong.clear()
        outcome.clear()  # that of the rating before
        if thumbs.value == 1:
            put_right(journal, decision, right_label(decision))
        elif thumbs.value == 0 and len(choices) == 1:
            put_right(journal, decision, next(iter(choices)))
        elif thumbs.value == 0:
            HISTORY.called_wrong.value = decision.id

    def choose() -> None:
        if word.value:
            put_right(journal, decision, word.value)

    def annotate() -> None:
        with outcome.catch():
            journal.annotate(decision.id, note.value)
            _refresh_on_ask(journal, decision.id)

    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("**Was this decision right?**", width="content")
        st.feedback("thumbs", key=thumbs.key, default=default, on_change=rate)
    if is_wrong and len(choices) > 1:
        st.pills(
            "What should it have been?", list(choices), key=word.key, format_func=choices.get, on_change=choose,
            default=decision.should_be if decision.should_be in choices else None,
        )  # fmt: skip
    st.text_input(
        "Note", decision.note or "", key=note.key, max_chars=LONGEST_NOTE, placeholder="what was right or wrong",
        label_visibility="collapsed", on_change=annotate,
    )  # fmt: skip
    outcome.draw()


def put_right(journal: Journal, decision: DecisionRow, expected: str) -> None:
    """Add the case to the bank My questions with the label `expected`, and store that label with the decision in the
    journal; for callbacks."""
    HISTORY.called_wrong.clear()
    outcome = HISTORY.outcome.of(decision.id)
    with outcome.catch():
        label(home_folder(), labelled_row(journal.open(decision.id).row, decision, expected), expected)
        journal.mark(decision.id, expected)
        _refresh_on_ask(journal, decision.id)
        outcome.say(f"Saved to {set_title(OWN)}. Expected: {EXPECTED.get(expected, expected)}.")


def _refresh_on_ask(journal: Journal, number: int) -> None:
    """Give the Ask page the new rating and note of this decision, if its question is on screen there."""
    shown = ASK.decision.value
    if shown and shown.id == number:
        ASK.decision.value = journal.row(number)
