"""The question on screen, as the session holds it: asked, measured, written, broken, opened from elsewhere."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from core.case import Question, Trace, Turn
from core.evaluation.perturb import Broken
from core.settings import Settings
from core.sweep.sensitivity import TO_BEGIN_WITH, Sensitivity
from core.thresholds import Preset
from pages.components.shared.limits import current_preset
from pages.components.shared.session import FORM, REOPENED, value

_TOGETHER = (("class_number",), ("subject",), ("documents",), ("pages",), ("answer_by", "pasted"), ("tool_result",))
"""Fields that an example sets, those that belong together in one: who answers, and the answer that was pasted."""

MOST_TURNS = 20
"""Turns that a conversation keeps, the last ones: each holds all that was measured in it."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A form as it stood when it was asked, its trace once measured, and the settings that measured it.

    history: what was said before it, number: its place in the conversation, from 1. route, said: how it ended, and
    what the user got, when it was last on screen; "" while it is.
    """

    form: dict[str, Any]
    trace: Trace | None = None
    measured_with: tuple[str, Settings] | None = None
    history: tuple[Turn, ...] = ()
    number: int = 1
    route: str = ""
    said: str = ""

    @property
    def turns(self) -> tuple[Turn, ...]:
        """What was said in it: asked, given by a tool, answered."""
        told = (("user", self.form["question"]), ("tool", self.form["tool_result"]), ("assistant", self.said))
        return tuple(Turn(role=role, text=text) for role, text in told if text.strip())


@dataclass(frozen=True, kw_only=True)
class Breaking:
    """An answer to `question` that was broken in one place; its trace once measured, and the settings that did."""

    question: Question
    text: str
    broken: Broken
    trace: Trace | None = None
    measured_with: tuple[str, Settings] | None = None


def asked() -> Asked | None:
    return st.session_state.get("asked")


def is_to_be_measured() -> bool:
    """True for a question that no model has looked at yet."""
    now = asked()
    return now is not None and now.trace is None


def remember(measured: Asked) -> None:
    st.session_state["asked"] = measured


def others() -> tuple[Asked, ...]:
    """The turns of the conversation that are not on screen, in their order."""
    return st.session_state.get("other turns", ())


def forget() -> None:
    written()
    st.session_state.pop("asked", None)
    st.session_state.pop("to journal", None)
    st.session_state.pop(REOPENED, None)


def to_journal() -> bool:
    """True once for every question that was asked on the Ask page: its decision is to be written down."""
    return st.session_state.pop("to journal", False)


def fill_form(**filled: Any) -> None:
    """Write a question into the form, the rest of which is emptied; a callback."""
    st.session_state.update({**FORM, **filled})


def borrow(form: dict[str, Any]) -> None:
    """Write an example into the form, whose other fields are emptied, until another question is asked; a callback."""
    give_back()
    before = {key: value(key) for key in FORM}
    fill_form(**form)
    st.session_state["borrowed"] = {key: st.session_state[key] for key in FORM}, before


def give_back() -> None:
    """Put what an example had set back to what stood there before it, save what was changed since; a callback."""
    example, before = st.session_state.pop("borrowed", ({}, {}))
    for fields in _TOGETHER:
        if example and all(value(key) == example[key] for key in fields):
            st.session_state.update({key: before[key] for key in fields})


def ask_form() -> None:
    """Ask what the form says; where it is another question than that of an example, without what that one set.

    A callback.
    """
    example, _ = st.session_state.get("borrowed", ({}, {}))
    if example and st.session_state["question"] != example["question"]:
        give_back()
    _drop_tool_result()
    form, now = {key: st.session_state[key] for key in FORM}, asked()
    if now and now.form == form:
        new = replace(now, trace=None, measured_with=None)
    else:
        put_away()
        told = others()
        before = (*told[0].history, *(turn for one in told for turn in one.turns)) if told else ()
        new = Asked(form=form, history=before, number=max((one.number for one in told), default=0) + 1)
    st.session_state["asked"] = new
    st.session_state["to journal"] = True


def _drop_tool_result() -> None:
    """A tool's result belongs to the question that it was given for: the next one is asked without it."""
    form = asked().form if asked() else FORM
    if form["tool_result"] == st.session_state["tool_result"] and form["question"] != st.session_state["question"]:
        st.session_state["tool_result"] = ""


def put_away() -> None:
    """Take the question from the screen into the conversation, with what it came to; a callback's part."""
    now = asked()
    if now and now.trace:
        found = sensitivity_of(now.trace).verdict(current_preset())
        seen = replace(now, route=found.route, said=found.answer)
        turns = sorted((*others(), seen), key=lambda one: one.number)
        st.session_state["other turns"] = tuple(turns[-MOST_TURNS:])
    forget()


def open_turn(number: int) -> None:
    """Show an earlier turn again, as it was measured; a callback."""
    chosen = next(one for one in others() if one.number == number)
    put_away()
    st.session_state["other turns"] = tuple(one for one in others() if one.number != number)
    fill_form(**chosen.form)
    remember(replace(chosen, route="", said=""))


def leave_conversation() -> None:
    """Forget every turn."""
    forget()
    st.session_state.pop("other turns", None)


def begin_anew() -> None:
    """A new conversation in the same class and subject; a callback."""
    give_back()
    leave_conversation()
    fill_form(class_number=value("class_number"), subject=value("subject"))


def open_asked(measured: Asked) -> None:
    """Show a question that was measured elsewhere, its form filled in; a conversation of its own. A callback."""
    leave_conversation()
    fill_form(**measured.form)
    remember(measured)


def first_limits(choose: Callable[[Trace, Preset], tuple[str, ...]]) -> tuple[str, ...]:
    """The keys that `choose` gives for the question on screen.

    They are chosen anew only for another question or preset, so that no slider changes its place while it is moved.
    """
    now, held = asked(), st.session_state.get("first limits", (None, TO_BEGIN_WITH))
    if now and now.trace and now.trace.rounds:
        of = now.form, now.measured_with, st.session_state["preset"]
        if held[0] != of:
            held = st.session_state["first limits"] = of, choose(now.trace, current_preset())
    return held[1]


def sensitivity_of(trace: Trace) -> Sensitivity:
    """The question on screen under every slider, which remembers what was decided of it while they move."""
    now = st.session_state.get("sensitivity")
    if now is None or now.trace is not trace:
        now = st.session_state["sensitivity"] = Sensitivity(trace)
    return now


def stop_asking() -> None:
    """Give up the question that waits, or whose answer is being written; a callback."""
    forget()
    st.session_state["stopped"] = True


def was_stopped() -> bool:
    """True once after a person stopped waiting."""
    return st.session_state.pop("stopped", False)


def write_now() -> None:
    """Let a writer that waits until it is asked write its answer to the question on screen; a callback."""
    st.session_state["write now"] = True
    st.rerun()


def is_to_write() -> bool:
    """True after a person asked for what was not written yet, until it is: a run that is cut short is made up for."""
    return st.session_state.get("write now", False)


def written() -> None:
    """What was asked for is written."""
    st.session_state.pop("write now", None)


def break_answer(chosen: Breaking) -> None:
    """Judge a broken answer beside the one on screen; a callback."""
    st.session_state["breaking"] = chosen


def mend_answer() -> None:
    """Judge no broken answer any more; a callback."""
    st.session_state.pop("breaking", None)


def breaking() -> Breaking | None:
    return st.session_state.get("breaking")


def open_passage(place: int, part: int = 0) -> None:
    """Show a passage in the run that follows; a callback. part: of the question, from 1; 0 for one that has none."""
    st.session_state["opened"] = (place, part)


def opened_passage() -> tuple[int, int] | None:
    """Place in the evidence and part of the question to show in this run, once: a later run does not open it again."""
    return st.session_state.pop("opened", None)
