"""The state of the question on screen: its form, its trace, its conversation, and its perturbed answer."""

from dataclasses import replace
from typing import Any

from core.case import Question, Trace
from core.decide.sensitivity import Sensitivity
from pages.components.shared.limits import class_limits, current_preset, leave_class_limits, use_class_limits
from pages.components.shared.session import ASK, FORM, LIMITS
from pages.components.shared.session_types import AskedQuestion, Using

_TOGETHER = (("class_number",), ("subject",), ("documents",), ("pages",), ("answer_by", "pasted"), ("tool_result",))
"""Groups of form fields that are restored together after an example, such as who answers and the pasted answer."""
MOST_TURNS = 20
"""Maximum turns that a conversation keeps, the latest ones, since each holds its whole trace."""


def remember(question: AskedQuestion) -> None:
    """Set the question on screen."""
    if question.trace is None:
        ASK.edits_answer.clear()
    ASK.current.value = question


def forget() -> None:
    """Remove the question from the screen, with every pending action on it."""
    for value in (
        ASK.write_now, ASK.current, ASK.to_journal, ASK.reopened, ASK.opened, ASK.part, ASK.check, ASK.decision,
    ):  # fmt: skip
        value.clear()


def fill_form(**fields: Any) -> None:
    """Fill these fields of the question form and reset the others; a callback."""
    FORM.fill({**FORM.initial, **fields})


def borrow(form: dict[str, Any]) -> None:
    """Fill the question form with that of an example, and store the values that it replaces, so that `restore_form` can
    restore them; a callback."""
    restore_form()
    previous = FORM.values
    fill_form(**form)
    ASK.borrowed.value = FORM.values, previous


def restore_form() -> None:
    """Restore the form fields that an example replaced, except those that the user has changed since; a callback."""
    (example, previous), current = ASK.borrowed.take(), FORM.values
    for fields in _TOGETHER:
        if example and all(current[key] == example[key] for key in fields):
            FORM.fill({key: previous[key] for key in fields})


def ask_form() -> None:
    """Ask the question in the form, and set the sliders to the limits of its class and subject; a callback.

    If these limits cannot be read, nothing is asked. If the form was filled by an example and the user typed another
    question, the other fields of the example are restored first. The result of a tool and the judged answer of the
    question before are cleared for another question. If nothing in the form has changed, the same question is measured
    anew; otherwise the question before it becomes an earlier turn.
    """
    example, _ = ASK.borrowed.value
    if example and FORM.question.value != example["question"]:
        restore_form()
    current = ASK.current.value
    last = current.form if current else FORM.initial
    is_other = last["question"] != FORM.question.value
    if is_other and last["tool_result"] == FORM.tool_result.value:
        FORM.tool_result.value = ""
    if is_other and is_answer_judged():
        FORM.fill({"answer_by": "writer", "pasted": ""})  # the answer that is out of sight belongs to the last question
    form = FORM.values
    with LIMITS.class_outcome.catch():
        own = class_limits(form)
        if current and current.form == form:
            new = replace(current, trace=None, measured_with=None, prepared="")
        else:
            archive_question()
            earlier = ASK.other_turns.value
            history = (*earlier[0].history, *(turn for one in earlier for turn in one.turns)) if earlier else ()
            new = AskedQuestion(form=form, history=history, number=max((one.number for one in earlier), default=0) + 1)
        remember(new)
        ASK.to_journal.value = True
        use_class_limits(own)  # last: the question before it ends under the limits that it had


def archive_question() -> None:
    """Move the question on screen to the earlier turns, with its route and answer; for callbacks.

    If it is the prepared case, it is only removed, since that is no turn of a conversation.
    """
    current = ASK.current.value
    if current and current.trace and not current.prepared:
        verdict = sensitivity_of(current.trace).verdict(current_preset())
        ended = replace(current, route=verdict.route, answer=verdict.answer)
        turns = sorted((*ASK.other_turns.value, ended), key=lambda one: one.number)
        ASK.other_turns.value = tuple(turns[-MOST_TURNS:])
    forget()


def open_turn(number: int) -> None:
    """Show an earlier turn again with its trace; a callback."""
    turn = next(one for one in ASK.other_turns.value if one.number == number)
    archive_question()
    ASK.other_turns.value = tuple(one for one in ASK.other_turns.value if one.number != number)
    fill_form(**turn.form)
    remember(replace(turn, route="", answer=""))
    with LIMITS.class_outcome.catch():
        use_class_limits(class_limits(turn.form))


def leave_conversation() -> None:
    """Remove the question on screen and all earlier turns of the conversation."""
    forget()
    ASK.other_turns.clear()


def begin_anew() -> None:
    """Start a new conversation with the same class and subject; a callback."""
    restore_form()
    leave_conversation()
    leave_class_limits()
    fill_form(class_number=FORM.class_number.value, subject=FORM.subject.value)


def paste_answer() -> None:
    """Open the field for an answer to judge; a callback. If the prepared case is on screen, a new conversation
    begins."""
    current = ASK.current.value
    if current and current.prepared:
        begin_anew()
    FORM.answer_by.value = "pasted"


def is_answer_judged() -> bool:
    """True if the pasted answer in the form is the one on screen, and nobody asked to change it."""
    question = ASK.current.value
    is_same = question is not None and question.form["pasted"] == FORM.pasted.value
    return is_same and question.form["answer_by"] == "pasted" and not ASK.edits_answer.value


def show_measured(trace: Trace, using: Using) -> None:
    """Show a question that was measured on another page, in a new conversation; a callback. using: what measured it."""
    form = form_of(trace.question)
    leave_conversation()
    fill_form(**form)
    remember(AskedQuestion(form=form, trace=trace, measured_with=using, history=trace.question.history))


def form_of(question: Question) -> dict[str, Any]:
    """The form of `question`. Properties of the question for which the form has no field are lost."""
    scope = question.scope
    answer = {"answer_by": "pasted", "pasted": question.answer} if question.answer is not None else {}
    return {
        **FORM.initial, "question": question.query, "class_number": scope.class_number or 0, "subject": scope.subject,
        "documents": list(scope.documents), "tool_result": "\n".join(question.tool_results),
        "pages": scope.pages_text, **answer,
    }  # fmt: skip


def sensitivity_of(trace: Trace) -> Sensitivity:
    """The sensitivity of `trace` to every slider. It is kept in the session, so that its decisions are cached."""
    sensitivity = ASK.sensitivity.value
    if sensitivity is None or sensitivity.trace is not trace:
        sensitivity = ASK.sensitivity.value = Sensitivity(trace)
    return sensitivity


def stop_asking() -> None:
    """Give up the question that waits in the queue or whose answer is being written; a callback."""
    forget()
    ASK.stopped.value = True
