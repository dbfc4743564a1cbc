"""Try the chapter, for educators: its exercises are asked in one go, and become one sheet with answers and ticks."""

import time
import uuid
from typing import Any

import streamlit as st

from core.banks.saved import SavedBanks, set_name
from core.book_titles import book, page_words
from core.case import Trace
from core.chapter.trial import Trial, Trials
from core.errors import UserError
from core.platform.access import may
from core.platform.home import home_folder
from core.platform.jobs import time_left
from core.reports import file_name
from core.reports.chapter_sheet import last_line, outcome, sheet, tally
from core.words import count_of
from pages.components.ask.verdict_words import in_colour
from pages.components.shared.limits import current_preset
from pages.components.shared.page_run import open_on_tune, turn_to_ask
from pages.components.shared.progress import stoppable
from pages.components.shared.question_state import show_measured
from pages.components.shared.resources import shared_explorer_of_banks
from pages.components.shared.safe_display import plain, show
from pages.components.shared.session import VISIT
from pages.components.shared.session_values import Group, Outcome, Owned, Value
from pages.components.shared.settings_box import chosen_settings

POLL_SECONDS = 1.5
"""Seconds between two redraws while questions are asked."""
_RIGHT = {True: ":material/check:", False: ":material/close:"}


class _Trying(Group):
    """The chapter whose exercises a user sees, and what the user did with them."""

    document = Value[str | None](None, "chapter tried")
    """The id of the document whose sheet is open; None if none is."""
    visitor = Owned(lambda: uuid.uuid4().hex, "visitor who tries")
    tick = Value[bool | None](None, "tick")
    outcome = Outcome("outcome of a chapter")


TRYING = _Trying()


@st.cache_resource(show_spinner=False)
def _shared_trials() -> Trials:
    return Trials()


def _owner() -> str:
    """Those who see every decision share what they try; all others see their own."""
    return "" if may("journal") else TRYING.visitor.value


def try_chapter(library: Any, document_id: str) -> None:
    """Show the sheet of a document, and ask its exercises unless they were asked before; a callback."""
    TRYING.outcome.clear()
    TRYING.document.value = document_id
    if _shared_trials().trial(_owner(), document_id) is None:
        _start(library, document_id)


def _start(library: Any, document_id: str) -> None:
    """Ask the exercises of a document; a callback."""
    with TRYING.outcome.catch():
        document = library.document(document_id)
        explorer = shared_explorer_of_banks(*chosen_settings())
        _shared_trials().start(_owner(), document, current_preset(), explorer, VISIT.usage.value.take)
    st.rerun()  # of the whole page, since the fragment that draws the sheet still has the old trial


def chapter_sheet(library: Any) -> None:
    """Draw the sheet of the document that is tried, with a button back to the documents."""
    head = st.container(horizontal=True, vertical_alignment="center", gap="small")
    head.button("Documents", key="leave sheet", icon=":material/arrow_back:", on_click=TRYING.document.clear)
    try:
        document = library.document(TRYING.document.value)
    except UserError as error:  # removed meanwhile
        show(error)
        return
    head.subheader(f"Exercises: {plain(book(document))}", anchor=False)
    trial = _shared_trials().trial(_owner(), document.id)
    if trial is None:
        TRYING.outcome.draw()
    elif not trial.questions:
        st.info("No exercise was found in this chapter.", icon=":material/search_off:")
    else:
        running = trial.state == "running"
        st.fragment(_sheet, run_every=POLL_SECONDS if running else None)(library, trial, running)


def _sheet(library: Any, trial: Trial, running: bool) -> None:
    """Draw the progress, the answers so far and what can be done with them; a fragment that repeats while questions are
    asked.

    running: True if questions were being asked in the last full run of the page; when they end, it is run again.
    """
    if running:
        _progress(trial)
    elif trial.questions:
        st.caption(plain(tally(trial)))
    for index in sorted(trial.answers):
        _row(trial, index)
    if trial.answers:
        st.markdown(f"**{plain(last_line(trial))}**")
        _actions(trial)
    TRYING.outcome.draw()
    if trial.left_out:
        with st.expander(f"Not asked: {count_of(len(trial.left_out), 'question')}"):
            reasons = [f"{plain(q.left_out)}, {plain(page_words(q.page, q.label))}" for q in trial.left_out]
            lines = zip(trial.left_out, reasons, strict=True)
            st.markdown("\n".join(f"- {plain(q.number)} {plain(q.printed)} :gray[{reason}]" for q, reason in lines))
    if running and trial.state != "running":
        st.rerun()
    if not running:
        if trial.sentence:
            show(trial.sentence)
        st.button(
            "Ask all again", key="again", icon=":material/refresh:", type="tertiary", on_click=_start,
            args=(library, trial.document.id),
        )  # fmt: skip


def _progress(trial: Trial) -> None:
    done, count, stopping = len(trial.answers), len(trial.to_ask), trial.stopping.is_set()
    left = f", {time_left(trial.seconds_left)}" if trial.seconds_left is not None else ""
    text = "stopping after this question …" if stopping else f"{done} of {count_of(count, 'question')} asked{left}"
    stoppable(done / max(1, count), text, "stop chapter", trial.stopping.set, is_stopping=stopping)


def _row(trial: Trial, index: int) -> None:
    question, answer = trial.questions[index], trial.answers[index]
    head = in_colour(answer.verdict.route if answer.verdict else "refuse", outcome(trial, index))
    text, buttons = st.columns([8, 1.6], gap="small", vertical_alignment="top")
    with text:
        pages = f" :gray[{plain(', '.join(answer.pages))}]" if answer.pages else ""
        st.markdown(f"**{plain(question.number)} {plain(question.printed)}**  \n{head} {plain(answer.text)}{pages}")
    with buttons, st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
        if trial.is_answered(index):
            tick = TRYING.tick.of(trial.document.id, index)
            st.segmented_control(
                f"Is the answer to {question.number} right?", list(_RIGHT), format_func=_RIGHT.get, key=tick.key,
                default=trial.ticks.get(index), label_visibility="collapsed", on_change=_tick,
                args=(trial, index, tick),
            )  # fmt: skip
        if answer.trace:
            st.button(
                "Open", key=f"open exercise {index}", type="tertiary", on_click=_open, args=(answer.trace,),
                help="Open this question on Ask, with the page of the book",
            )  # fmt: skip


def _tick(trial: Trial, index: int, tick: Value[bool | None]) -> None:
    """Store what the teacher says of an answer; a callback."""
    if tick.value is None:
        trial.ticks.pop(index, None)
    else:
        trial.ticks[index] = tick.value


def _open(trace: Trace) -> None:
    """Show a question with its answer on Ask; a callback."""
    show_measured(trace, chosen_settings())
    turn_to_ask()


def _actions(trial: Trial) -> None:
    """Draw what can be done with the sheet: print it, and keep its questions as a set."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.download_button(
            "One page to print", lambda: sheet(trial, time.strftime("%Y-%m-%d %H:%M")),
            file_name("exercises", book(trial.document)), "text/html", key="print sheet", icon=":material/print:",
            on_click="ignore",
        )  # fmt: skip
        if may("banks"):
            st.button(
                "Keep as a question set", key="keep chapter", icon=":material/bookmark_add:", on_click=_keep,
                args=(trial,),
            )  # fmt: skip
        if TRYING.outcome.succeeded:
            open_on_tune(_set_name(trial))


def _keep(trial: Trial) -> None:
    """Save the questions as a question set; a callback."""
    with TRYING.outcome.catch():
        SavedBanks(home_folder()).add(_set_name(trial), trial.rows())
        TRYING.outcome.say(f"{count_of(len(trial.to_ask), 'question')} kept as {_set_name(trial)}.")


def _set_name(trial: Trial) -> str:
    """The name of the question set that keeps the exercises."""
    return f"{set_name(book(trial.document))[:50]}_exercises"
