"""The run of a question set: how much of it is measured, its progress, and the button that measures the rest."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from core.banks.background_measuring import Background, BankRun
from core.banks.saved import SAMPLE, SavedBanks
from core.errors import UserError
from core.models.profile import canonical_profile
from core.platform.access import may
from core.platform.home import home_folder
from core.platform.jobs import PEOPLE, time_left
from core.presentation.set_words import progress_words, run_words, set_line
from pages.components.shared.progress import stoppable
from pages.components.shared.resources import shared_explorer_of_banks
from pages.components.shared.safe_display import plain, show
from pages.components.shared.session_types import Using
from pages.components.tune.open_set import OpenSet, active_run, growth, shared_background
from pages.components.tune.question_sets import copy_sample

if TYPE_CHECKING:
    from core.graph import Explorer

POLL_SECONDS = 1.0
"""Seconds between two redraws while a set runs."""
_COSTS = (
    "Each question is asked once, with every search and correction that any limit could need: one or two seconds "
    "each. After that, moving a limit runs no model."
)


def run_box(open_set: OpenSet, using: Using) -> None:
    """Draw how much of a set is measured under the current settings, and the button that measures the rest."""
    with st.container(border=True, key="measuring"):
        if run := active_run(open_set.name):
            running_line(open_set, run)
        elif open_set.rows:
            _status(open_set, using)
        else:
            st.caption("A set can be run once it has questions: add some under “Questions”.")


def state_line(open_set: OpenSet, using: Using) -> None:
    """Draw a line: the size of the open set, how much of it is measured, and with which models and settings."""
    of_sample = open_set.measured_bank.is_of_sample_library
    count = len(open_set.rows)
    st.caption(
        plain(set_line(count, count - open_set.missing, canonical_profile(using[0]), of_sample_library=of_sample))
    )


def has_results(open_set: OpenSet, using: Using) -> bool:
    """Draw the progress of a run, or a note that the set has not run yet; return True if there are results to draw."""
    if run := active_run(open_set.name):
        running_line(open_set, run)
    elif open_set.bank is None:
        st.info(
            "This question set has not been run yet. Run it once; then every slider shows its effect on the set.",
            icon=":material/timer:",
        )
        run_box(open_set, using)
    return open_set.bank is not None


def running_line(open_set: OpenSet, run: BankRun) -> None:
    """Draw the progress of a run until it ends. The whole page is redrawn when enough results have been added."""
    st.fragment(_progress, run_every=POLL_SECONDS)(run, open_set.is_measured_by(run), growth(run.done))


def _progress(run: BankRun, has_own_settings: bool, drawn_count: int) -> None:
    """Draw the progress of a run. If the run has ended or has enough new results, rerun the whole page.

    has_own_settings: True if the run uses the models and settings of this user. drawn_count: the value of `growth` when
    the page was drawn.
    """
    if run.ended.is_set() or (has_own_settings and growth(run.done) > drawn_count):
        st.rerun()
    stoppable(
        share(run), line(run), "stop measuring", partial(shared_background(str(home_folder())).stop, run.name),
        is_stopping=run.stopping.is_set(), help="The results so far are kept, and you can continue later",
    )  # fmt: skip
    if not has_own_settings:
        st.caption(
            "It is being measured with other models or settings than those you have chosen; measure it with yours "
            "after that."
        )
    st.caption(
        "The questions come in random order, so that the results so far stand for the whole set. You can leave this "
        "page and ask questions meanwhile: people who ask or move a slider go first."
    )


def share(run: BankRun) -> float:
    """The share of a run that is done, in [0, 1]; failed questions count as done."""
    return min(1.0, (run.done + len(run.failed)) / run.count) if run.count else 0.0


def line(run: BankRun) -> str:
    """The progress of a run in words: "12 of 40 questions measured, about 3 min left"."""
    is_waiting = run.state == "waiting" or run.seconds_left is None
    rest = "" if is_waiting else time_left(run.seconds_left)
    return run_words(run.done, run.count, rest, is_stopping=run.stopping.is_set(), is_held=PEOPLE.busy)


def _status(open_set: OpenSet, using: Using) -> None:
    """Draw how much of a set is measured while it does not run, and the button that starts a run."""
    background = shared_background(str(home_folder()))
    if (run := background.run(open_set.name)) and run.sentence:
        show(run.sentence)
    count, missing = len(open_set.rows), open_set.missing
    failure_count = missing - open_set.states.count("")
    can_run = missing or open_set.measured_bank.is_of_sample_library
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(progress_words(count, missing, failure_count), width="stretch")
        if can_run and may_run(open_set):
            is_partial = 0 < missing < count and not open_set.stale
            title = "Continue the run" if is_partial else "Run set"
            if st.button(title, type="primary", key="measure", icon=":material/play_arrow:"):
                _start(open_set.name, background, lambda: shared_explorer_of_banks(*using))
    if open_set.stale:
        st.warning(plain(open_set.stale), icon=":material/update:")
    if open_set.measured_bank.is_of_sample_library:
        st.caption("These results come with the app. Run the set to see how your library answers these questions.")
    elif can_run:
        st.caption(_COSTS)


def may_run(open_set: OpenSet) -> bool:
    """True if this user may measure the set. Measuring the sample first saves it as a set, which a guest may not do."""
    return open_set.is_saved or may("banks")


def _start(name: str, background: Background, explorer: Callable[[], "Explorer"]) -> None:
    """Load the models and start the run; the sample is saved as a set first."""
    banks = SavedBanks(home_folder())
    try:
        if name == SAMPLE and name not in banks.names():
            copy_sample(banks)
        background.start(name, explorer())
    except UserError as error:
        show(error)
        return
    st.rerun()
