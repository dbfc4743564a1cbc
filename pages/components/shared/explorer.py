"""The one explorer that everybody shares, opened once, with the sample chapters in a new library."""

import gc
import threading
from typing import TYPE_CHECKING

import streamlit as st

from core.settings import Settings
from core.startup import home_folder
from pages.components.library.progress import progress_lines
from pages.components.shared.errors import ERRORS, show
from pages.components.shared.settings_box import endpoint_key

if TYPE_CHECKING:
    from core.graph import Explorer

_FIRST_START = threading.Lock()


def shared_explorer(profile: str, settings: Settings) -> "Explorer":
    """The explorer of `profile` under `settings`; the page ends here with one sentence when it cannot be had."""
    try:
        explorer = _opened(str(home_folder()), profile)
        _add_sample(explorer)
    except ERRORS as error:
        show(error)
        st.stop()
    if explorer.models.missing:
        st.sidebar.warning(explorer.models.missing, icon=":material/download:")
    return explorer.with_settings(settings, endpoint_key(settings))


@st.cache_resource(show_spinner="Loading the language models, once …", show_time=True)
def _opened(home: str, profile: str) -> "Explorer":
    from pathlib import Path

    from core.startup import open_explorer

    explorer = open_explorer(Path(home), profile)
    gc.freeze()  # all that torch imports stays, and need not be looked through for garbage
    return explorer


def _add_sample(explorer: "Explorer") -> None:
    """Give a library that was never used the sample chapters to ask about; one that was emptied stays empty.

    Only the mark says that it is done: a visitor who leaves in the middle must not leave a part of the sample.
    """
    library = explorer.library
    mark = library.home / "sample_was_added"
    if mark.exists():
        return
    from core.library import load_sample, only_sample

    with _FIRST_START:
        if not mark.exists() and only_sample(library):
            place = st.empty()
            with place.container():
                load_sample(library, progress_lines("Adding the sample chapters, so that there is something to ask"))
            place.empty()
            mark.touch()
