"""The app that the redraw benchmark compares with: the Ask and Tune pages, with the verdict or the counts at every
value of one slider computed beforehand, so that a move costs only the drawing.
"""

from dataclasses import replace

import streamlit as st

from core.banks.saved import SavedBanks
from core.banks.scored_bank import ValuedBank
from core.case import Trace
from core.chain import Verdict, verdict
from core.checks import all_thresholds
from core.graph.startup import home_folder
from core.presentation.set_counts import SetCounts, counts_of
from core.presets import preset
from core.settings import Settings
from core.thresholds import Preset
from pages.components.ask.asking import question_form, question_of
from pages.components.ask.conversation import EXAMPLES, introduction, title
from pages.components.ask.view import draw_decisions, needs_models, question_strips
from pages.components.shared.page_run import init_session, mark_page_rendered
from pages.components.shared.question_state import ask_form, current_question, fill_form, remember
from pages.components.shared.resources import shared_explorer_of_banks
from pages.components.shared.session import FORM, TUNE
from pages.components.shared.sidebar import sidebar
from pages.components.tune.open_set import opened_set
from pages.components.tune.question_sets import choose_set
from pages.components.tune.results_tab import results

ON_ASK = "confidence.min_confidence"
"""Key of the slider of the Ask page whose verdicts are precomputed."""
ON_TUNE = TUNE.curve.initial
"""Key of the slider of the Tune page whose views are precomputed."""


def ask() -> None:
    """Draw the Ask page with one sample question."""
    if current_question() is None:
        fill_form(**EXAMPLES[0].form)
        ask_form()
        remember(replace(current_question(), trace=_verdicts()[0]))
    profile, settings = sidebar(question_strips, needs_models)
    title()
    explorer = shared_explorer_of_banks(profile, settings)
    introduction(explorer.library.documents())
    question_form(explorer.library.documents())
    trace, verdicts = _verdicts()
    draw_decisions(trace, lambda _, current: verdicts[_rounded(current, ON_ASK)], explorer)
    mark_page_rendered()


@st.cache_resource(show_spinner=False)
def _verdicts() -> tuple[Trace, dict[float, Verdict]]:
    """The trace of the sample question, and the verdict at every value of the slider."""
    base, question = preset("default"), question_of({**FORM.initial, **EXAMPLES[0].form})
    trace, _ = shared_explorer_of_banks("bundled", Settings()).ask(question, base)
    return trace, {v: verdict(trace, base.with_values({ON_ASK: v})) for v in _values(ON_ASK)}


def tune() -> None:
    """Draw the results of the open set on the Tune page."""
    using = sidebar(whole=lambda: False)
    st.title("Tune")
    open_set = opened_set(choose_set(SavedBanks(home_folder())), using)
    results(open_set, using, lambda current, _: _counts(open_set.bank)[_rounded(current, ON_TUNE)])
    mark_page_rendered()


@st.cache_resource(show_spinner=False)
def _counts(_bank: ValuedBank) -> dict[float, SetCounts]:
    """The counts of the set at every value of the slider."""
    base = preset("default")
    return {v: counts_of(_bank, base.with_values({ON_TUNE: v}), base) for v in _values(ON_TUNE)}


def _values(key: str) -> list[float]:
    return all_thresholds()[key].grid().tolist()


def _rounded(current: Preset, key: str) -> float:
    return round(current.thresholds[key], 10)


@st.fragment
def empty() -> None:
    """Draw one slider and a line of text in a fragment: the lower bound of the time that Streamlit takes for a move."""
    number = st.slider("One number", 0.0, 1.0, 0.6, 0.01)
    with st.container(key="watched"):
        st.text(f"The number is {number:.2f}.")


st.set_page_config(page_title="Redraw", layout="wide", initial_sidebar_state=350)
init_session()
st.navigation([st.Page(page, title=page.__name__.title()) for page in (ask, tune, empty)], position="top").run()
