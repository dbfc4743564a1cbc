"""The pages, in the order in which they stand at the top."""

from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

PAGES = {
    "ask": "Ask", "library": "Library", "banks": "Banks", "tune": "Tune", "evaluate": "Evaluate",
    "journal": "Journal", "how_it_works": "How it works",
}  # fmt: skip
_ROUTED = "went through the router"


def chosen_page() -> Any:
    """The page that its address or a link at the top names; the first one where nothing does."""
    st.session_state[_ROUTED] = True
    files = enumerate(PAGES.items())
    pages = [st.Page(f"pages/{name}.py", title=title, default=not place) for place, (name, title) in files]
    return st.navigation(pages, position="top")


def through_the_router() -> None:
    """Begin again in app.py where Streamlit runs a page of the app without it.

    It does so for the first visitor of a server who opens a page by its address: a folder `pages` beside the app is
    to Streamlit an app without a router, until one has been called.
    """
    run = get_script_run_ctx(suppress_warning=True)
    if run and Path(run.main_script_path).name == "app.py" and _ROUTED not in st.session_state:
        chosen_page()
        st.rerun()
