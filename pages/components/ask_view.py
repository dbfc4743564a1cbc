"""The Ask page as it is drawn, whoever decides."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from core.case import Trace
from core.chain import Verdict, next_step
from core.settings import Settings
from core.thresholds import Preset
from pages.components.band import band
from pages.components.break_box import break_box
from pages.components.cards import cards
from pages.components.errors import ERRORS, show
from pages.components.grid import grid
from pages.components.passage import show_opened
from pages.components.plain import plain
from pages.components.question import question_of
from pages.components.session import Asked, asked, forget, remember
from pages.components.verdict_box import verdict_box

if TYPE_CHECKING:
    from core.graph import Explorer

Decide = Callable[[Trace, Preset], Verdict]


def result(trace: Trace, preset: Preset, decide: Decide, explorer: "Explorer") -> None:
    """The verdict of `decide` on what was measured, with everything that led to it, down to the pages of the books."""
    verdict = decide(trace, preset)
    verdict_box(trace, verdict, preset)
    band(verdict, preset)
    st.subheader("Sentences and passages")
    grid(verdict, preset)
    st.subheader("Checks")
    cards(verdict)
    st.markdown(route(verdict))
    break_box(trace, verdict, preset, explorer)
    show_opened(verdict, explorer.library)


def measured(explorer: "Explorer", profile: str, settings: Settings, preset: Preset) -> Trace | None:
    """The trace of what was asked, measured as far as `preset` needs; None when nothing was, or nothing can be."""
    now = asked()
    if now is None:
        return None
    try:
        trace = _measured(explorer, now, (profile, settings), preset)
    except ERRORS as error:
        forget()
        show(error)
        return None
    if trace is not now.trace:
        remember(Asked(form=now.form, trace=trace, measured_with=(profile, settings)))
    return trace


def _measured(explorer: "Explorer", asked: Asked, using: tuple[str, Settings], preset: Preset) -> Trace:
    """Models run here, and only here: for a new question, other settings, or a round that was never measured."""
    if asked.trace is None or asked.measured_with != using:
        question = question_of(asked.form)
        with st.spinner("Searching the books and reading the answer against them …", show_time=True):
            return explorer.ask(question, preset)[0]
    if next_step(asked.trace, preset).action != "measure":
        return asked.trace
    with st.spinner("This limit asks for another search, which is measured once …", show_time=True):
        return explorer.complete(asked.trace, preset)


def route(verdict: Verdict) -> str:
    """The whole path to the verdict, and the query that was searched when it is not the one that was asked."""
    steps = " :material/chevron_right: ".join(plain(step) for step in verdict.steps)
    case = verdict.round.case
    line = f"**Route:** {steps}"
    if case.query != case.question.query:
        line += f"  \nThe best search asked: {plain(case.query)}"
    return line
