"""The open question set, for tuners: its rows and measurements, cached until something changes, and its run,
with the progress and the button that measures the rest."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from core.banks.background_measuring import BankRun
from core.banks.bank_files import open_bank
from core.banks.measured_bank import FILE, MeasuredBank, StoredTraces, conditions_in
from core.banks.open_bank import OpenBank
from core.banks.saved import SAMPLE, SavedBanks, rows_of
from core.errors import UserError
from core.evaluation.conditions import Conditions, conditions_of
from core.platform.access import may
from core.platform.home import home_folder
from core.platform.jobs import PEOPLE, time_left
from core.presentation.set_words import progress_words
from core.presets import preset
from core.writers.auto_writer import for_many_questions
from pages.components.shared.progress import stoppable
from pages.components.shared.resources import shared_explorer_of_banks
from pages.components.shared.safe_display import plain, show
from pages.components.shared.session import TUNE
from pages.components.shared.session_types import Using
from pages.components.tune.question_sets import copy_sample, shared_background

POLL_SECONDS = 1.0
"""Seconds between two redraws while a set runs."""


@dataclass(frozen=True, kw_only=True)
class OpenSet:
    """The open question set with its measurements under the current conditions (models and settings).

    name: of the set. rows: its questions. measured_bank: reads the measurements. states: for each row "measured", ""
    (not measured yet), or why it could not be measured. is_saved: False for the sample as it comes with the app. stale:
    a sentence on what has changed since measurements that no longer apply; "" if there are none. bank: the measured
    part, None if nothing is measured.
    """

    name: str
    rows: Sequence[Mapping[str, Any]]
    measured_bank: MeasuredBank
    states: Sequence[str]
    is_saved: bool
    stale: str
    bank: OpenBank | None

    @property
    def missing(self) -> int:
        """The number of rows that are not measured."""
        return len(self.states) - self.states.count("measured")


def active_run(name: str) -> BankRun | None:
    """The run of a set that has not ended; None if there is none."""
    run = shared_background(str(home_folder())).run(name)
    return run if run and not run.ended.is_set() else None


def growth(done_count: int) -> int:
    """A counter of the progress of a run: it rises by 1 each time that about a fifth more questions are measured. The
    page opens the set again whenever this number rises.

    done_count: questions measured so far.
    """
    return int(math.log(done_count + 1, 1.2))


def opened_set(name: str, using: Using) -> OpenSet | None:
    """The set called `name` with its measurements under these models and settings. If the set cannot be read, draw the
    error and return None."""
    home, banks = home_folder(), SavedBanks(home_folder())
    TUNE.opened_bank.clear()
    try:
        conditions = conditions_in(home, using[0], for_many_questions(using[1]))
        stamp = (banks.changed(name), conditions.key)
        measured_bank = _rows_with_measurements(str(home), name, stamp, conditions)
    except UserError as error:
        show(error)
        return None
    states, stale, bank = [""] * len(measured_bank.rows), "", None
    try:
        states, stale, bank = _measurements(str(home), name, (*stamp, _measured_stamp(name, conditions)), measured_bank)
    except UserError as error:
        show(error)
    TUNE.opened_bank.value = bank
    return OpenSet(
        name=name, rows=measured_bank.rows, measured_bank=measured_bank, states=states, is_saved=name in banks.names(),
        stale=stale, bank=bank,
    )  # fmt: skip


def _measured_stamp(name: str, conditions: Conditions) -> Any:
    """A value that changes with what is measured of a set.

    While the set is being measured, it changes only now and then (see `growth`), so that the set is not opened again
    after every question.
    """
    run = active_run(name)
    if run and conditions_of(run.explorer) == conditions:
        return id(run), growth(run.done)
    store = StoredTraces(home_folder()).path
    stats = [path.stat() for path in (store, store.with_name(f"{store.name}-wal"), FILE) if path.exists()]
    return tuple((s.st_mtime_ns, s.st_size) for s in stats)


@st.cache_resource(show_spinner=False, max_entries=3)
def _rows_with_measurements(home: str, name: str, stamp: tuple[Any, ...], _conditions: Conditions) -> MeasuredBank:  # noqa: ARG001 - the cache key
    """The rows of a set, cached until `stamp` changes, in an object that reads the measurements from the disk at every
    request."""
    rows = rows_of(SavedBanks(Path(home)), name)
    return MeasuredBank(Path(home), rows, _conditions, any_library=name == SAMPLE)


@st.cache_resource(show_spinner="Opening the results of this question set …", max_entries=3, show_time=True)
def _measurements(
    home: str, name: str, stamp: tuple[Any, ...], _bank: MeasuredBank  # noqa: ARG001 - the cache key
) -> tuple[list[str], str, OpenBank | None]:  # fmt: skip
    """`states`, `stale` and `bank` of an `OpenSet`, cached until `stamp` changes."""
    states = _bank.states()
    bank = open_bank(_bank) if "measured" in states else None
    if bank:
        bank.at(preset("default"))  # the first decision is slow, so it is made here, under the spinner
    return states, _bank.stale(), bank if bank and bank.rows else None


def has_results(open_set: OpenSet, using: Using) -> bool:
    """Draw the progress of a run, or a note that the set has not run yet; return True if there are results to draw."""
    is_running = active_run(open_set.name) is not None
    if open_set.bank is None and not is_running:
        st.info(
            "This question set has not been run yet. Run it once; then every slider shows its effect on the set.",
            icon=":material/timer:",
        )
    if open_set.bank is None or is_running:
        run_box(open_set, using)
    return open_set.bank is not None


def run_box(open_set: OpenSet, using: Using) -> None:
    """Draw how much of a set is measured under the current settings, and the button that measures the rest; while it
    runs, its progress. The whole page is redrawn when enough results have been added."""
    with st.container(border=True, key="measuring"):
        if run := active_run(open_set.name):
            is_own = conditions_of(run.explorer) == open_set.measured_bank.conditions
            st.fragment(_progress, run_every=POLL_SECONDS)(run, is_own, growth(run.done))
        elif open_set.rows:
            _status(open_set, using)
        else:
            st.caption("This set has no questions yet; add some under “Questions”.")


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
            "This run measures the set with other models or settings than yours. When it has ended, run the set with "
            "yours."
        )
    st.caption(
        "The questions run in random order, so the results so far are typical of the whole set. You can leave this "
        "page meanwhile. Questions on Ask and moves of a slider come first."
    )


def share(run: BankRun) -> float:
    """The share of a run that is done, in [0, 1]; failed questions count as done."""
    return min(1.0, (run.done + len(run.failed)) / run.count) if run.count else 0.0


def line(run: BankRun) -> str:
    """The progress of a run in words: "12 of 40 questions measured, about 3 min left"."""
    if run.stopping.is_set():
        rest = "stopping after this question …"
    elif run.state == "waiting" or run.seconds_left is None:
        rest = "the next one is being measured …"
    else:
        rest = "waiting for a free processor" if PEOPLE.busy else time_left(run.seconds_left)
    return f"{run.done:,} of {run.count:,} questions measured, {rest}"


def _status(open_set: OpenSet, using: Using) -> None:
    """Draw how much of a set is measured while it does not run, and the button that starts a run. To measure the sample
    first saves it as a set, which a guest may not do."""
    if (run := shared_background(str(home_folder())).run(open_set.name)) and run.sentence:
        show(run.sentence)
    count, missing = len(open_set.rows), open_set.missing
    of_sample = open_set.measured_bank.is_of_sample_library
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(progress_words(count, missing, missing - open_set.states.count("")), width="stretch")
        if (missing or of_sample) and (open_set.is_saved or may("banks")):
            title = "Continue the run" if 0 < missing < count and not open_set.stale else "Run set"
            if st.button(title, type="primary", key="measure", icon=":material/play_arrow:"):
                _start(open_set.name, using)
    if open_set.stale:
        st.warning(plain(open_set.stale), icon=":material/update:")
    if of_sample:
        st.caption("These results come with the app. Run the set to see how your library answers these questions.")
    elif missing:
        st.caption(
            "Each question is asked once, with every search and correction that any limit could need; this takes one "
            "or two seconds per question. After that, moving a limit runs no model."
        )


def _start(name: str, using: Using) -> None:
    """Load the models and start the run; the sample is saved as a set first."""
    banks = SavedBanks(home_folder())
    try:
        if name == SAMPLE and name not in banks.names():
            copy_sample(banks)
        shared_background(str(home_folder())).start(name, shared_explorer_of_banks(*using))
    except UserError as error:
        show(error)
        return
    st.rerun()
