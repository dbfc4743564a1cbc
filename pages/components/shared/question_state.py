"""The state of the question on screen: its form, its trace, its conversation, and its perturbed answer."""

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from core.case import Question, Trace, Turn
from core.evaluation.perturb import PerturbedAnswer
from core.settings import Settings
from core.sweep.sensitivity import Sensitivity
from pages.components.shared.class_limits import NOT_READ, move_to, own_positions, put_back
from pages.components.shared.limits import current_preset
from pages.components.shared.session import FORM, REOPENED, noting, value

_TOGETHER = (("class_number",), ("subject",), ("documents",), ("pages",), ("answer_by", "pasted"), ("tool_result",))
"""Groups of form fields that an example sets together, such as who answers and the pasted answer."""

MOST_TURNS = 20
"""Most turns that a conversation keeps, the latest ones; each holds its whole trace."""


@dataclass(frozen=True, kw_only=True)
class AskedQuestion:
    """A question that was asked: its form, its trace, and the settings of the trace; None before it is measured.

    history: the turns before it. number: position in the conversation, from 1. route, answer: its route and the
    text that the user got when it was last on screen; "" while it is on screen. prepared: name of the answer of the
    prepared case; "" for what a user asked.
    """

    form: dict[str, Any]
    trace: Trace | None = None
    measured_with: tuple[str, Settings] | None = None
    history: tuple[Turn, ...] = ()
    number: int = 1
    route: str = ""
    answer: str = ""
    prepared: str = ""

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Its turns with text: the question, the tool's result and the answer."""
        texts = (("user", self.form["question"]), ("tool", self.form["tool_result"]), ("assistant", self.answer))
        return tuple(Turn(role=role, text=text) for role, text in texts if text.strip())


@dataclass(frozen=True, kw_only=True)
class Breaking:
    """A perturbed answer to `question`: the original text, the change, and the trace and its settings once measured."""

    question: Question
    text: str
    broken: PerturbedAnswer
    trace: Trace | None = None
    measured_with: tuple[str, Settings] | None = None


def current_question() -> AskedQuestion | None:
    """The question on screen; None if there is none."""
    return st.session_state.get("asked")


def needs_measuring() -> bool:
    """True if there is a question on screen and it is not measured yet."""
    question = current_question()
    return question is not None and question.trace is None


def remember(question: AskedQuestion) -> None:
    """Set the question on screen."""
    st.session_state["asked"] = question


def hidden_turns() -> tuple[AskedQuestion, ...]:
    """The turns of the conversation that are not on screen, in order."""
    return st.session_state.get("other turns", ())


def forget() -> None:
    """Remove the question from the screen, with what is pending for it."""
    clear_draft_request()
    st.session_state.pop("asked", None)
    st.session_state.pop("to journal", None)
    st.session_state.pop(REOPENED, None)


def to_journal() -> bool:
    """True once for every question asked on the Ask page: its decision belongs in the journal."""
    return st.session_state.pop("to journal", False)


def fill_form(**fields: Any) -> None:
    """Fill these fields of the question form and reset the others; a callback."""
    st.session_state.update({**FORM, **fields})


def borrow(form: dict[str, Any]) -> None:
    """Fill the form with an example and remember the previous values, for `restore_form`; a callback."""
    restore_form()
    previous = {key: value(key) for key in FORM}
    fill_form(**form)
    st.session_state["borrowed"] = {key: st.session_state[key] for key in FORM}, previous


def restore_form() -> None:
    """Restore the form fields that an example replaced, except those that were changed since; a callback."""
    example, previous = st.session_state.pop("borrowed", ({}, {}))
    for fields in _TOGETHER:
        if example and all(value(key) == example[key] for key in fields):
            st.session_state.update({key: previous[key] for key in fields})


def ask_form() -> None:
    """Ask the question in the form, with the limits of its class and subject on the sliders; a callback.

    If these limits cannot be read, nothing is asked. If it differs from the question of a borrowed example, the other
    fields of the example are restored first. A tool's result belongs to one question, so a new question drops it.
    """
    example, _ = st.session_state.get("borrowed", ({}, {}))
    if example and value("question") != example["question"]:
        restore_form()
    current = current_question()
    last = current.form if current else FORM
    if last["tool_result"] == value("tool_result") and last["question"] != value("question"):
        st.session_state["tool_result"] = ""
    form = {key: value(key) for key in FORM}  # the field of an answer is gone where none is pasted
    with noting(NOT_READ):
        own = own_positions(form)
        _ask(form)
        move_to(own)  # last: the question before it ends under the limits that it had


def _ask(form: dict[str, Any]) -> None:
    """Put the question of `form` on screen, after those before it."""
    current = current_question()
    if current and current.form == form:
        new = replace(current, trace=None, measured_with=None, prepared="")
    else:
        archive_question()
        earlier = hidden_turns()
        history = (*earlier[0].history, *(turn for one in earlier for turn in one.turns)) if earlier else ()
        new = AskedQuestion(form=form, history=history, number=max((one.number for one in earlier), default=0) + 1)
    st.session_state["asked"] = new
    st.session_state["to journal"] = True


def archive_question() -> None:
    """Move the question from the screen to the earlier turns, with its route and answer; for callbacks.

    The prepared case is no turn of a conversation and just goes.
    """
    current = current_question()
    if current and current.trace and not current.prepared:
        verdict = sensitivity_of(current.trace).verdict(current_preset())
        ended = replace(current, route=verdict.route, answer=verdict.answer)
        turns = sorted((*hidden_turns(), ended), key=lambda one: one.number)
        st.session_state["other turns"] = tuple(turns[-MOST_TURNS:])
    forget()


def open_turn(number: int) -> None:
    """Show an earlier turn again with its trace; a callback."""
    turn = next(one for one in hidden_turns() if one.number == number)
    archive_question()
    st.session_state["other turns"] = tuple(one for one in hidden_turns() if one.number != number)
    fill_form(**turn.form)
    remember(replace(turn, route="", answer=""))
    with noting(NOT_READ):
        move_to(own_positions(turn.form))


def leave_conversation() -> None:
    """Remove every turn of the conversation."""
    forget()
    st.session_state.pop("other turns", None)


def begin_anew() -> None:
    """Start a new conversation with the same class and subject; a callback."""
    restore_form()
    leave_conversation()
    put_back()
    fill_form(class_number=value("class_number"), subject=value("subject"))


def paste_answer() -> None:
    """Open the field for an answer to judge, on a new question unless one is typed; a callback."""
    current = current_question()
    if current and current.prepared:
        begin_anew()
    st.session_state["answer_by"] = "pasted"


def show_question(question: AskedQuestion) -> None:
    """Show a question that was measured on another page, in a new conversation; a callback."""
    leave_conversation()
    fill_form(**question.form)
    remember(question)


def sensitivity_of(trace: Trace) -> Sensitivity:
    """The sensitivity of `trace` to every slider. It is kept in the session, so that its decisions are cached."""
    sensitivity = st.session_state.get("sensitivity")
    if sensitivity is None or sensitivity.trace is not trace:
        sensitivity = st.session_state["sensitivity"] = Sensitivity(trace)
    return sensitivity


def stop_asking() -> None:
    """Give up the question that waits or whose answer is being written; a callback."""
    forget()
    st.session_state["stopped"] = True


def was_stopped() -> bool:
    """True once after the user stopped a question."""
    return st.session_state.pop("stopped", False)


def request_draft() -> None:
    """Request the answer of a writer that was not called for the question on screen; a callback."""
    st.session_state["write now"] = True
    st.rerun()


def is_draft_requested() -> bool:
    """True from `request_draft` until `clear_draft_request`, so that a run that is cut short is made up for."""
    return st.session_state.get("write now", False)


def clear_draft_request() -> None:
    """Clear the request of `request_draft`."""
    st.session_state.pop("write now", None)


def break_answer(answer: Breaking) -> None:
    """Set the perturbed answer to judge beside the one on screen; a callback."""
    st.session_state["breaking"] = answer


def mend_answer() -> None:
    """Remove the perturbed answer; a callback."""
    st.session_state.pop("breaking", None)


def breaking() -> Breaking | None:
    """The perturbed answer; None if there is none."""
    return st.session_state.get("breaking")


def open_passage(index: int, part: int = 0) -> None:
    """Show a passage in the next run; a callback.

    index: of the passage in the evidence. part: of the question, from 1; 0 for a question without parts.
    """
    st.session_state["opened"] = (index, part)


def opened_passage() -> tuple[int, int] | None:
    """The evidence index and the question part of the passage to show, once; None if there is none to show."""
    return st.session_state.pop("opened", None)
