"""Resources that all sessions share: the explorer, the shelf and the journal."""

import gc
import logging
import threading
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from core.case import Trace
from core.decide import verdict
from core.errors import UserError
from core.library import Progress, Shelf, load_sample, only_sample
from core.library.documents import SAMPLE_MARK
from core.models.profile import canonical_profile
from core.platform.access import operator
from core.platform.home import home_folder
from core.platform.jobs import PEOPLE
from core.settings import Settings
from core.thresholds import Preset
from core.writers.auto_writer import for_many_questions, with_resolved_writer
from pages.components.shared.progress import line, share
from pages.components.shared.safe_display import plain, show
from pages.components.shared.session import ASK, HISTORY
from pages.components.shared.settings_box import endpoint_key

if TYPE_CHECKING:
    from core.graph import Explorer
    from core.journal import Journal

log = logging.getLogger(__name__)

LOADS_MEANWHILE = True
"""Whether models are loaded in the background on a first visit."""
_FIRST_START = threading.Lock()
"""For adding the sample."""
_MOST_MODELS = 2
"""Maximum profiles in memory at a time; the one that was opened first is dropped."""


class ExplorerOnDemand:
    """The explorer of `profile` under `settings`, which is opened at the first use of any attribute but `settings`.

    A question that is measured already is drawn without it, so that nobody waits for the models at a first visit.
    """

    def __init__(self, profile: str, settings: Settings, on_error: Callable[[], Any] | None = None) -> None:
        self.settings = with_resolved_writer(settings, home_folder())
        self._arguments = (profile, settings, on_error)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._explorer, name)

    @cached_property
    def _explorer(self) -> "Explorer":
        return shared_explorer(*self._arguments)


def shared_explorer(profile: str, settings: Settings, on_error: Callable[[], Any] | None = None) -> "Explorer":
    """The explorer of `profile` under `settings`. If it cannot be opened, show the error and stop the page.

    on_error: called before the error is shown, to draw the rest of the page.
    """
    try:
        explorer = _open_explorer(str(home_folder()), canonical_profile(profile))
        _add_sample(explorer)
    except UserError as error:
        if on_error:
            on_error()
        show(error)
        st.stop()
    return explorer.with_settings(settings, endpoint_key(settings))


def shared_explorer_of_banks(profile: str, settings: Settings) -> "Explorer":
    """The explorer for measuring many questions at once. It is that of `shared_explorer`, but the writer `auto` never
    means the language model."""
    return shared_explorer(profile, for_many_questions(settings))


@st.cache_resource(show_spinner="Loading the language models, once …", show_time=True, max_entries=_MOST_MODELS)
def _open_explorer(home: str, profile: str) -> "Explorer":
    from core.graph.startup import open_explorer

    explorer = open_explorer(Path(home), profile)
    gc.freeze()  # imports and models stay in memory, so the collector need not scan them
    return explorer


def _add_sample(explorer: "Explorer") -> None:
    """Add the sample chapters to a library that was never used, and show the progress."""
    if (explorer.library.home / SAMPLE_MARK).exists():
        return
    area, bars = st.empty(), {}

    def listen(progress: Progress) -> None:
        if progress.document not in bars:
            bars[progress.document] = st.empty()
        bars[progress.document].progress(share(progress), text=plain(line(progress)))

    with area.container(), st.spinner("Adding the sample chapters …", show_time=True):
        st.caption("Adding the sample chapters, so that there is something to ask")
        _store_sample(explorer, listen)
    area.empty()


def _store_sample(explorer: "Explorer", progress: Callable[[Progress], None] | None = None) -> None:
    """Add the sample chapters to a library that was never used; a library that was emptied stays empty.

    A mark file is written at the end, so that an interrupted run does not leave a part of the sample behind.
    """
    library = explorer.library
    mark = library.home / SAMPLE_MARK
    with _FIRST_START, operator():
        if not mark.exists() and only_sample(library):
            load_sample(library, progress)
            mark.touch()


def load_meanwhile(profile: str) -> None:
    """In a background thread, load the models, add the sample chapters and write the sample's results; once a process.

    Meanwhile, a user on a first visit sees the prepared case.
    """
    if LOADS_MEANWHILE:
        _start_loading(str(home_folder()), canonical_profile(profile))


@st.cache_resource(show_spinner=False)
def _start_loading(home: str, profile: str) -> None:
    def load() -> None:
        from core.banks.bank_files import open_bank
        from core.banks.measured_bank import MeasuredBank
        from core.banks.saved import SAMPLE, SavedBanks, rows_of
        from core.evaluation.conditions import conditions_of

        try:
            explorer = _open_explorer(home, profile)
            _store_sample(explorer)
            rows = rows_of(SavedBanks(Path(home)), SAMPLE)
            measured = MeasuredBank(Path(home), rows, conditions_of(explorer), any_library=True)
            open_bank(measured, lambda _: PEOPLE.wait(lambda: False))  # Tune then opens it at once; pauses for users
        except UserError as error:  # a user who asks sees it again, as a sentence on the page
            log.warning("the models were not loaded beforehand: %s", error)

    threading.Thread(target=load, daemon=True).start()


@st.cache_resource(show_spinner=False)
def shared_shelf(home: str) -> Shelf:
    """The documents of a library for reading, without any model."""
    return Shelf(Path(home))


def shared_journal() -> "Journal":
    """The journal of the run-time folder, limited to what this user may see.

    An unreadable file raises JournalError when the journal is used, not here.
    """
    return _opened_journal(str(home_folder())).seen_by(HISTORY.own.value)


def tidied_journal() -> "Journal":
    """`shared_journal` without decisions that are too old; they are removed once after each start."""
    _clean_home(str(home_folder()))
    return shared_journal()


@st.cache_resource(show_spinner=False)
def _opened_journal(home: str) -> "Journal":
    from core.journal import Journal

    return Journal(Path(home))


@st.cache_resource(show_spinner="Removing decisions that are too old …", show_time=True)
def _clean_home(home: str) -> None:
    _opened_journal(home).tidy()


def record_decision(trace: Trace, preset: Preset, profile: str, settings: Settings) -> None:
    """Write the decision on a question that was just asked into the journal, once. For a question that was reopened,
    draw a line on where it comes from.

    If the journal cannot be written, draw a warning; the answer stays on screen.
    """
    if ASK.to_journal.take():
        ASK.reopened.clear()
        with HISTORY.recorded.catch():
            conditions = {"profile": profile, "settings": settings}
            journal = shared_journal()
            number = journal.record(trace, verdict(trace, preset), preset, **conditions)
            HISTORY.own.value.append(number)
            ASK.decision.value = journal.row(number)
    for error in HISTORY.recorded.value:
        st.warning(plain(f"This decision could not be saved to the history. {error}"), icon=":material/warning:")
    if ASK.reopened.value:
        st.caption(f":material/history: {plain(ASK.reopened.value)}")
