"""One decision of the History page in full, with buttons to open it on the Ask page and to label it right or wrong."""

from collections.abc import Sequence
from datetime import datetime

import streamlit as st

from core.banks.saved import OWN, label, set_title
from core.book_titles import book
from core.journal import DecisionRow, Journal
from core.journal.journal import LONGEST_NOTE
from core.library import library_documents
from core.platform.access import may
from core.platform.home import home_folder
from core.presentation.history import corrections, decision_reason, facts, labelled_row, question_text, right_label
from core.words import EXPECTED, route_text
from pages.components.ask.asking import form_of
from pages.components.shared.page_run import restore
from pages.components.shared.question_state import show_question
from pages.components.shared.safe_display import plain, show_outcome
from pages.components.shared.session import ASK, HISTORY, TUNE
from pages.components.shared.session_types import AskedQuestion
from pages.components.shared.session_values import CellChoice, Value
from pages.components.shared.settings_box import chosen_settings

_COLOURS = {"deliver": "green", "refuse": "red", "escalate": "orange", "clarify": "gray"}


def select(table: CellChoice, ids: Sequence[int]) -> None:
    """Show the decision whose row was clicked; a callback. ids: the decisions in the rows of the table."""
    if (number := table.row(ids)) is not None:
        HISTORY.selected.value = number
        _clear_messages()


def drawer(journal: Journal, listed: Sequence[DecisionRow]) -> None:
    """Draw the selected decision; if none of `listed` is selected, draw the first of them. `listed` must not be
    empty."""
    decision = next((d for d in listed if d.id == HISTORY.selected.value), listed[0])
    titles = {d.name: book(d) for d in library_documents(home_folder())}
    with st.container(border=True, key="decision"):
        colour = _COLOURS[decision.route.partition("_")[0]]
        st.markdown(f"**{plain(question_text(decision))}**")
        words = decision_reason(decision)
        reason = f" · {plain(words)}" if words else ""
        st.markdown(f":{colour}[**{plain(route_text(decision.route))}**]{reason}")
        if decision.answer:
            st.markdown(plain(decision.answer))
        if may("journal") and decision.question is not None:  # above the facts, where no one has to scroll to it
            review(journal, decision)
        show_outcome(HISTORY.messages.value, ())
        if HISTORY.messages.value:
            _open_own_button()
        st.caption("  \n".join(f"{plain(label)}: {plain(value)}" for label, value in facts(decision, titles).items()))
        st.button(
            "Open on Ask", key="open decision", icon=":material/open_in_new:", type="primary", on_click=open_on_ask,
            args=(journal, decision.id), disabled=decision.question is None,
            help="Shows it as it was decided, with the measurements and limits of that time.",
        )  # fmt: skip


def _open_own_button() -> None:
    """Draw the button that opens the set on Tune to which the decision was saved."""
    title = set_title(OWN)
    if st.button(f"Open {title} on Tune", key="open own questions", icon=":material/arrow_forward:", type="tertiary"):
        TUNE.bank.value, TUNE.tab.value = OWN, "Questions"
        st.switch_page("pages/tune.py")


def review(journal: Journal, decision: DecisionRow) -> None:
    """Draw thumbs to rate a decision. For a decision rated as wrong, draw also a choice of the outcome that would have
    been right."""
    is_wrong = decision.should_be not in (None, right_label(decision)) or HISTORY.called_wrong.value == decision.id
    default = 0 if is_wrong else None if decision.should_be is None else 1
    thumbs, word = HISTORY.thumbs.of(decision.id, default), HISTORY.correction.of(decision.id, decision.should_be)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("**Was this decision right?**", width="content")
        st.feedback("thumbs", key=thumbs.key, default=default, on_change=_thumb, args=(journal, decision, thumbs))
    choices = corrections(decision)
    if is_wrong and len(choices) > 1:
        st.pills(
            "What should it have been?", list(choices), key=word.key, format_func=choices.get,
            default=decision.should_be if decision.should_be in choices else None, on_change=_choose,
            args=(journal, decision, word),
        )  # fmt: skip
    note = HISTORY.note.of(decision.id)
    st.text_input(
        "Note", decision.note or "", key=note.key, max_chars=LONGEST_NOTE, placeholder="what was right or wrong",
        label_visibility="collapsed", on_change=_annotate, args=(journal, decision, note),
    )  # fmt: skip


def _annotate(journal: Journal, decision: DecisionRow, note: Value[str]) -> None:
    """Store the note on a decision; a callback."""
    _clear_messages()
    with HISTORY.errors.catch():
        journal.annotate(decision.id, note.value)


def _thumb(journal: Journal, decision: DecisionRow, thumbs: Value[int | None]) -> None:
    """Save the rating of a decision; a callback.

    For a wrong decision with several possible outcomes nothing is saved yet: `review` then asks which outcome is
    right.
    """
    HISTORY.called_wrong.clear()
    if thumbs.value == 1:
        put_right(journal, decision, right_label(decision))
    elif thumbs.value == 0 and len(corrections(decision)) == 1:
        put_right(journal, decision, next(iter(corrections(decision))))
    elif thumbs.value == 0:
        HISTORY.called_wrong.value = decision.id


def _choose(journal: Journal, decision: DecisionRow, word: Value[str | None]) -> None:
    """Save the outcome that a decision should have had; a callback. word: the selected outcome."""
    if word.value:
        put_right(journal, decision, word.value)


def put_right(journal: Journal, decision: DecisionRow, expected: str) -> None:
    """Add the case to the bank My questions with the label `expected`, and store that label with the decision in the
    journal; for callbacks."""
    _clear_messages()
    HISTORY.called_wrong.clear()
    with HISTORY.errors.catch():
        label(home_folder(), labelled_row(journal.open(decision.id).row, decision, expected), expected)
        journal.mark(decision.id, expected)
        HISTORY.messages.value.append(f"Saved to {set_title(OWN)}. Expected: {EXPECTED.get(expected, expected)}.")


def open_on_ask(journal: Journal, number: int) -> None:
    """Show a decision on the Ask page with the trace and the limits of that time; a callback. number: its id in the
    journal."""
    _clear_messages()
    with HISTORY.errors.catch():
        decision = journal.open(number)
        patterns = "\n".join(decision.settings.get("patterns", ()))
        restore(decision.preset, {**decision.settings, "patterns": patterns, "profile": decision.profile})
        question = decision.trace.question
        show_question(
            AskedQuestion(
                form=form_of(question), trace=decision.trace, measured_with=chosen_settings(), history=question.history
            )
        )
        moment = datetime.fromtimestamp(decision.decision_row.at)
        ASK.reopened.value = (
            f"From the history: as it was decided on {moment:%Y-%m-%d at %H:%M}, with the limits of that time."
        )
        HISTORY.has_opened.value = True


def _clear_messages() -> None:
    HISTORY.messages.clear()
    HISTORY.errors.clear()
