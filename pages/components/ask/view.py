"""The Ask page as it is drawn, whoever decides."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from core.case import Trace
from core.chain import Step, Verdict, next_step
from core.domains import domain
from core.settings import Settings
from core.sweep.sensitivity import MEASURE, Sensitivity, check_moves
from core.thresholds import Preset
from pages.components.ask.answer_comparison import changes, with_without
from pages.components.ask.check_cards import band, cards
from pages.components.ask.counterfactual_box import flip_box
from pages.components.ask.guardrail_stages import stages, watched
from pages.components.ask.nli_grid import grid
from pages.components.ask.passage import show_opened
from pages.components.ask.perturb_box import break_box
from pages.components.ask.question_form import question_of
from pages.components.ask.rounds import rounds
from pages.components.ask.route_map import route_box
from pages.components.ask.route_steps import brief
from pages.components.ask.sparklines import strips
from pages.components.ask.verdict_actions import add_to_bank, report_button
from pages.components.ask.verdict_box import Shown, parts_box, shown, verdict_box
from pages.components.shared.asked_question import Asked, asked, forget, is_to_write, remember, sensitivity_of, written
from pages.components.shared.progress import say_if_stopped, waiting, writing
from pages.components.shared.safe_display import ERRORS, show
from pages.components.shared.settings_box import endpoint_key, with_writer
from pages.components.shared.sidebar import first_sliders

if TYPE_CHECKING:
    from core.graph import Explorer

Decide = Callable[[Trace, Preset], Verdict]
MEANWHILE = {
    "corrected": "Saying the answer again in the words of the passages, which is measured once …",
    "rechecked": "Looking at the answer again with more passages, which is measured once …",
}
SEARCHING_FIRST = "Searching the books and reading the answer against them …"
SEARCHING = "This limit asks for another search, which is measured once …"
PART = "Answering the parts of the question one by one, which is measured once …"


def result(trace: Trace, preset: Preset, decide: Decide, explorer: "Explorer") -> None:
    """The verdict of `decide` on what was measured, with everything that led to it, down to the pages of the books."""
    verdict = decide(trace, preset)
    verdict_box(trace, verdict, preset)
    room = st.container(key="flip", gap=None)  # filled last: the verdict does not wait for what would change it
    st.caption(f"The way: {brief(verdict)}")
    watched(verdict, preset)
    with_without(verdict, preset)
    if verdict.parts:
        parts_box(trace, verdict, preset)
        with st.expander("How the question was taken apart", icon=":material/route:"):
            route_box(trace, verdict, preset, "route of all")
    _closely(shown(trace, verdict), sensitivity_of(trace), preset, explorer)
    report_button(trace, verdict, preset, explorer)
    break_box(trace, verdict, preset, explorer)
    add_to_bank(trace)
    show_opened(verdict, explorer.library)
    with room:
        flip_box(trace, preset)
    strips(trace, preset)


def _closely(now: Shown, question: Sensitivity, preset: Preset, explorer: "Explorer") -> None:
    """All that was found on one question, or on one part of it."""
    band(now.verdict, preset)
    changes(now.verdict)
    rounds(now.trace, now.verdict, preset)
    st.subheader("Sentences and passages", anchor=False)
    grid(now.verdict, preset, now.part)
    st.subheader("Checks", anchor=False)
    cards(now.verdict, check_moves(question, now.verdict.round, preset))
    stages(now.verdict, preset, domain(explorer.settings.domain))
    st.subheader("The way this question took", anchor=False)
    route_box(now.trace, now.verdict, preset)


def measured(explorer: "Explorer", profile: str, settings: Settings, preset: Preset) -> Trace | None:
    """The trace of what was asked, measured as far as `preset` needs; None when nothing was, or nothing can be."""
    say_if_stopped()
    now = asked()
    if now is None:
        return None
    try:
        settings = with_writer(settings, now.form["answer_by"])
        trace = _measured(explorer, now, (profile, settings), preset)
    except ERRORS as error:
        forget()
        show(error)
        return None
    written()
    if trace is not now.trace:
        before = first_sliders()
        remember(Asked(form=now.form, trace=trace, measured_with=(profile, settings)))
        if first_sliders() != before:
            st.rerun()  # the sidebar stands already, with the limits that mattered for another question
    return trace


def _measured(explorer: "Explorer", asked: Asked, using: tuple[str, Settings], preset: Preset) -> Trace:
    """Models run here, and only here: for a new question, other settings, or a round that was never measured."""
    settings, by = using[1], asked.form["answer_by"]
    new = asked.trace is None or asked.measured_with != using
    wanted = is_to_write()
    if not new and not wanted and next_step(asked.trace, preset).action != MEASURE:
        return asked.trace
    said = SEARCHING_FIRST if new else said_meanwhile(next_step(asked.trace, preset))
    with waiting(said), writing(by) as listen:
        explorer = explorer.with_settings(settings, endpoint_key(settings), listen)
        if new:
            return explorer.ask(question_of(asked.form), preset)[0]
        return explorer.complete(explorer.written(asked.trace) if wanted else asked.trace, preset)


def said_meanwhile(step: Step) -> str:
    """What is said while the round of `step` is measured."""
    return PART if step.part is not None else MEANWHILE.get(step.round, SEARCHING)
