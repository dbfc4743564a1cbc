"""The journal that everybody shares, and how a decision of the Ask page gets into it."""

from pathlib import Path

import streamlit as st

from core.case import Trace
from core.chain import verdict
from core.journal import Journal
from core.settings import Settings
from core.startup import home_folder
from core.thresholds import Preset
from pages.components.shared.errors import ERRORS
from pages.components.shared.plain_text import plain
from pages.components.shared.resettable import notes
from pages.components.shared.session import REOPENED, to_journal


def shared_journal() -> Journal:
    """The journal of the run-time folder. What is wrong with its file is said when it is used."""
    return _opened(str(home_folder()))


def tidied_journal() -> Journal:
    """The same, once all that is too old has gone from it; that is seen to once after a start."""
    _tidied(str(home_folder()))
    return shared_journal()


@st.cache_resource(show_spinner=False)
def _opened(home: str) -> Journal:
    return Journal(Path(home))


@st.cache_resource(show_spinner="Removing decisions that are too old …", show_time=True)
def _tidied(home: str) -> None:
    _opened(home).tidy()


def written_down(trace: Trace, preset: Preset, profile: str, settings: Settings) -> None:
    """Write a question that was just asked into the journal, once, with the verdict that it ended with.

    A journal that cannot be written says so in one sentence; the answer stands all the same.
    """
    if to_journal():
        notes("not written down").clear()
        notes(REOPENED).clear()
        try:
            shared_journal().record(trace, verdict(trace, preset), preset, profile=profile, settings=settings)
        except ERRORS as error:
            notes("not written down").append(error)
    for error in notes("not written down"):
        st.warning(plain(f"This decision is not in the journal. {error}"), icon=":material/warning:")
    for when in notes(REOPENED):
        st.caption(f":material/history: {plain(when)}")
