"""What was asked, measured: models run here and only here."""

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from core.case import Trace
from core.chain import next_step
from core.settings import Settings
from core.sweep.sensitivity import MEASURE
from core.thresholds import Preset
from pages.components.ask.question_form import question_of
from pages.components.shared.asked_question import Asked, asked, forget, is_to_write, remember, sensitivity_of, written
from pages.components.shared.progress import say_if_stopped, waiting, writing
from pages.components.shared.safe_display import ERRORS, show
from pages.components.shared.session import usage
from pages.components.shared.settings_box import endpoint_key, house, with_writer

if TYPE_CHECKING:
    from core.graph import Explorer

MEANWHILE = {
    "corrected": "Saying the answer again from the passages, which is measured once …",
    "rechecked": "Looking at the answer again with more passages, which is measured once …",
}
SEARCHING_FIRST = "Searching the {sources} and reading the answer against them …"
SEARCHING = "This limit asks for another search, which is measured once …"
PART = "Answering the parts of the question one by one, which is measured once …"


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
        remember(replace(now, trace=trace, measured_with=(profile, settings)))
        if now.trace and sensitivity_of(trace).ends(preset) != MEASURE:
            st.rerun()  # the sidebar stands already, with what was known before
    return trace


def _measured(explorer: "Explorer", asked: Asked, using: tuple[str, Settings], preset: Preset) -> Trace:
    """Models run here, and only here: for a new question, other settings, or a round that was never measured."""
    settings, by = using[1], asked.form["answer_by"]
    new = asked.trace is None or asked.measured_with != using
    wanted = is_to_write()
    if not new and not wanted and sensitivity_of(asked.trace).ends(preset) != MEASURE:
        return asked.trace  # what a slider would change is drawn anyway, and says where the question ends
    if new:
        usage().take(questions=1)
    if new:
        said = SEARCHING_FIRST.format_map(house().words)
    else:
        step = next_step(asked.trace, preset)
        said = PART if step.part is not None else MEANWHILE.get(step.round, SEARCHING)
    with waiting(said), writing(by) as listen:
        explorer = explorer.with_settings(settings, endpoint_key(settings), listen)
        if new:
            before = asked.trace and asked.trace.question
            return explorer.ask(before or replace(question_of(asked.form), history=asked.history), preset)[0]
        return explorer.complete(explorer.written(asked.trace) if wanted else asked.trace, preset)
