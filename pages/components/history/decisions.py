"""The tables of the History page: the decisions that wait for a person, and all that match the filters, with downloads
and the selected decision in full."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any

import streamlit as st

from core.banks.saved import OWN
from core.book_titles import titles_of
from core.journal import DecisionRow, Filter, Journal
from core.journal.export import csv_of, json_of
from core.library import library_documents
from core.platform.access import may
from core.platform.home import home_folder
from core.presentation.history import decision_columns, decision_reason, facts, question_text
from core.words import REASONS, ROUTES, reason_text, route_text
from pages.components.ask.asking import option_label
from pages.components.ask.verdict_words import in_colour
from pages.components.shared.page_run import open_on_tune, restore, turn_to_ask
from pages.components.shared.question_state import show_measured
from pages.components.shared.review import review
from pages.components.shared.safe_display import frame_of, plain, safe_table, shorten
from pages.components.shared.session import ASK, HISTORY, JOURNAL
from pages.components.shared.session_values import Outcome
from pages.components.shared.settings_box import chosen_settings

MAX_ROWS, WAITING = 200, 50
"""Maximum rows of the table of all decisions, and of the table of those that wait for a person; the newest are
shown."""
_ROWS, _WAITING_ROWS = 14, 5
WIDTHS = {"When": 94, "Question": 174, "Outcome": 142, "Reason": 206, "Evidence": 66, "Review": 84}
"""Width of each column in pixels; further columns scroll."""
_QUESTION_LENGTH = 27
"""Most characters of a question that fit its column; beside the table it stands in full."""
_BUTTONS = 80
_MORE = (JOURNAL.reasons, JOURNAL.class_number, JOURNAL.subject, JOURNAL.first, JOURNAL.last)
"""The filters that the button "More filters" shows."""


def filters(journal: Journal) -> Filter:
    """Draw the filters; return their current values."""
    active = sum(widget.value != widget.initial for widget in _MORE)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        st.text_input(
            "Words", **JOURNAL.text.kept, placeholder="in the question or its answer", width=260, max_chars=200
        )
        st.multiselect(
            "Outcome", list(ROUTES), **JOURNAL.routes.kept, format_func=route_text, placeholder="any", width=240
        )
        shows_more = HISTORY.more_box.button(f"More filters: {active} set" if active else "More filters")
        st.button(
            "Clear", key="clear filters", icon=":material/filter_alt_off:", on_click=JOURNAL.reset, type="tertiary",
            disabled=JOURNAL.values == JOURNAL.initial,
        )  # fmt: skip
    if shows_more:
        _more_filters(journal)
    return Filter(
        reasons=tuple(JOURNAL.reasons.value), routes=tuple(JOURNAL.routes.value),
        class_number=JOURNAL.class_number.value or None, subject=JOURNAL.subject.value, first=JOURNAL.first.value,
        last=JOURNAL.last.value, text=JOURNAL.text.value,
    )  # fmt: skip


def _more_filters(journal: Journal) -> None:
    classes, subjects = journal.scopes()
    with st.container(horizontal=True, gap="small"):
        st.multiselect(
            "Reason", list(REASONS), **JOURNAL.reasons.kept, format_func=reason_text, placeholder="any", width=260
        )
        for label, widget, known in (("Class", JOURNAL.class_number, classes), ("Subject", JOURNAL.subject, subjects)):
            options = sorted({widget.initial, *known, widget.value})  # the value may have left the journal since
            st.selectbox(label, options, **widget.kept, format_func=option_label, width=140)
        st.date_input("From", value=None, **JOURNAL.first.kept, format="YYYY-MM-DD", width=150)
        st.date_input("Until", value=None, **JOURNAL.last.kept, format="YYYY-MM-DD", width=150)


def waiting_decisions(journal: Journal) -> None:
    """Draw the escalated decisions that no person has looked at yet, and why one could not be opened or marked."""
    HISTORY.waiting_outcome.draw(once=True)
    count, waiting = journal.to_attend(WAITING)
    if not count:
        st.caption(":material/check: No reviews pending.")
        return
    subject = "One answer waits" if count == 1 else f"{count:,} answers wait"
    st.markdown(f"**{subject} for a review**")
    ids = [d.id for d in waiting]
    presses = ["Open", "Done"] if may("journal") else ["Open"]
    columns = {name: [name] * len(ids) for name in presses} | decision_columns(waiting)
    table = frame_of({name: columns[name] for name in (*presses, "When", "Question", "Reason")})
    buttons = {
        "Open": HISTORY.waiting_button.column(
            ids, partial(open_on_ask, journal, HISTORY.waiting_outcome), _BUTTONS,
            "Show this answer on the Ask page, as it was decided.",
        ),
        "Done": HISTORY.done_button.column(
            ids, partial(_attend, journal), _BUTTONS,
            "A person has looked at this answer: it leaves this list and stays in the history.",
        ),
    }  # fmt: skip
    safe_table(table, "to attend", _WAITING_ROWS, _columns() | buttons, "Answers waiting for a person, one per row")
    if count > len(waiting):
        st.caption(f"The newest {len(waiting)} answers are shown; the others appear once these are done.")


def decisions(journal: Journal, selection: Filter) -> None:
    """Draw the decisions that match the filters, the newest first, the selected one in full beside them."""
    newest, total = journal.rows(selection, MAX_ROWS), sum(journal.counts(selection).values())
    table_area, drawer_area = st.columns([15, 7], gap="medium")
    table = frame_of(decision_columns(newest), {"Evidence": "Float64"})
    table["Question"] = table["Question"].map(lambda text: shorten(text, _QUESTION_LENGTH))
    files = (  # made when a button is pressed, not at every redraw
        ("CSV", lambda: csv_of(journal, selection).encode("utf-8-sig")),
        ("JSON", lambda: json_of(journal, selection).encode()),
    )
    with table_area:
        safe_table(table, HISTORY.table.key, _ROWS, _columns(), "Decisions, one per row", partial(_select, newest))
        more = f"The newest {MAX_ROWS} of {total:,} are shown; the downloads hold all." if total > len(newest) else ""
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            for kind, make in files:
                st.download_button(
                    f"Download as {kind}", make, f"history.{kind.lower()}", key=f"download history {kind}",
                    icon=":material/download:", on_click="ignore",
                )  # fmt: skip
            st.caption(more or "Click a row to see it in full.", width="stretch")
    with drawer_area:
        _drawer(journal, newest)


def _columns() -> dict[str, Any]:
    column = st.column_config
    texts = {name: column.TextColumn(width=WIDTHS[name]) for name in WIDTHS if name != "Evidence"}
    help_ = "How good the passages are, out of 100. Empty if nothing was searched, as for a greeting."
    return texts | {"Evidence": column.NumberColumn(width=WIDTHS["Evidence"], format="%g", help=help_)}


def _attend(journal: Journal, number: int) -> None:
    """Mark a decision as looked at by a person; a callback."""
    with HISTORY.waiting_outcome.catch():
        journal.attend(number)


def _select(listed: Sequence[DecisionRow]) -> None:
    """Show the decision whose row was clicked; a callback. listed: the decisions in the rows of the table."""
    if (decision := HISTORY.table.row(listed)) is not None:
        HISTORY.selected.value = decision.id


def _drawer(journal: Journal, listed: Sequence[DecisionRow]) -> None:
    """Draw the selected decision; if none of `listed` is selected, draw the first of them. `listed` must not be
    empty."""
    decision = next((d for d in listed if d.id == HISTORY.selected.value), listed[0])
    (book,) = titles_of([decision.document or ""], library_documents(home_folder()))
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
        st.caption("  \n".join(f"{plain(label)}: {plain(value)}" for label, value in facts(decision, book).items()))
        st.button(
            "Open on Ask", key="open decision", icon=":material/open_in_new:", type="primary", on_click=open_on_ask,
            args=(journal, HISTORY.drawer_outcome, decision.id), disabled=decision.question is None,
            help="Shows the decision on the Ask page, with the measurements and limits of that time.",
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
        ASK.reopened.value = f"From the history: decided on {moment:%Y-%m-%d at %H:%M}, with the limits of that time."
        turn_to_ask()
