"""The Ask page on one sample question, its verdicts looked up and never decided: what the benchmark compares with."""

from dataclasses import replace

import streamlit as st

from core.case import Trace
from core.chain import Verdict, verdict
from core.checks import all_thresholds
from core.presets import preset
from core.settings import Settings
from core.thresholds import Preset
from pages.components.ask.conversation import title
from pages.components.ask.question_form import EXAMPLES, introduction, question_form, question_of
from pages.components.ask.view import result
from pages.components.shared.asked_question import ask_form, asked, fill_form, remember
from pages.components.shared.limits import current_preset
from pages.components.shared.resources import shared_explorer
from pages.components.shared.session import FORM, seed
from pages.components.shared.sidebar import sidebar

# The one slider whose every value is in the store.
MOVED = "confidence.min_confidence"


def page() -> None:
    if asked() is None:
        fill_form(**EXAMPLES[0].form)
        ask_form()
        remember(replace(asked(), trace=_store()[0]))  # the limits that matter most are chosen by it
    profile, settings = sidebar()
    title()
    explorer = shared_explorer(profile, settings)
    introduction(explorer.library)
    question_form(explorer.library)
    trace, verdicts = _store()
    result(trace, current_preset(), lambda _, current: verdicts[_place(current)], explorer)


@st.cache_resource(show_spinner=False)
def _store() -> tuple[Trace, dict[float, Verdict]]:
    """The trace of the sample question, and the verdict at every value of the slider."""
    base, question = preset("default"), question_of({**FORM, **EXAMPLES[0].form})
    trace, _ = shared_explorer("bundled", Settings()).ask(question, base)
    values = all_thresholds()[MOVED].grid().tolist()
    return trace, {v: verdict(trace, base.with_values({MOVED: v})) for v in values}


def _place(current: Preset) -> float:
    return round(current.thresholds[MOVED], 10)


st.set_page_config(page_title="Redraw", layout="wide", initial_sidebar_state=350)
seed()
st.navigation([st.Page(page, title="Ask")], position="top").run()
