"""What a run of a page begins with: the check of access and the values of widgets; and switches to other pages."""

from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.platform.home import home_folder
from core.platform.jobs import PEOPLE
from core.settings import WRITERS
from core.settings.domains import domains, use_home
from core.thresholds import Preset
from pages.components.shared.limits import (
    current_preset,
    existing_preset,
    limit_widgets,
    positions,
    prepare_limits,
    select_preset_next,
    set_limits,
)
from pages.components.shared.page_setup import require_access
from pages.components.shared.session import LIMITS, SETTINGS, TUNE, VISIT, declared_widgets
from pages.components.shared.session_values import give_values

PAGES = {"ask": "Ask", "library": "Library", "tune": "Tune", "history": "History", "guide": "Guide"}
"""The pages in order: file name without suffix, and title."""


def prepare_page() -> None:
    """Begin the run of a page, which may also be opened without app.py: call `init_session` unless app.py has.

    If a callback has opened a question on Ask, switch there. The current limits are passed on explicitly, since a
    slider that was first drawn on this page would lose its value.
    """
    if not VISIT.is_initialized.take():
        init_session()
    if VISIT.to_ask.take():
        select_preset_next(current_preset())
        st.switch_page("pages/ask.py")


def prepare_app() -> None:
    """Call `init_session` and record that, so that `prepare_page` does not call it again in this run. To be called by
    app.py."""
    init_session()
    VISIT.is_initialized.value = True


def init_session() -> None:
    """Stop the page if this user may not enter. Otherwise give a value to every widget whose value must survive a
    switch of pages."""
    through_the_router()
    use_home(home_folder())
    require_access()
    PEOPLE.record_activity()  # background measuring pauses while a page is drawn
    widgets = (*declared_widgets(), *limit_widgets().values())
    run = get_script_run_ctx(suppress_warning=True)
    page = run.page_script_hash if run else ""
    give_values(widgets, is_page_switch=VISIT.page.value not in (None, page))
    VISIT.page.value = page
    prepare_limits()


def chosen_page() -> Any:
    """The page selected by the address or the navigation bar; the first page by default."""
    VISIT.is_routed.value = True
    pages = [
        st.Page(f"pages/{name}.py", title=title, default=index == 0)
        for index, (name, title) in enumerate(PAGES.items())
    ]
    return st.navigation(pages, position="top")


def through_the_router() -> None:
    """Rerun through app.py if Streamlit runs a page without it.

    That happens to the first visitor of a server who opens a page by its address: until `st.navigation` is called,
    Streamlit treats the folder `pages` as an app without a router.
    """
    run = get_script_run_ctx(suppress_warning=True)
    if run and Path(run.main_script_path).name == "app.py" and not VISIT.is_routed.is_set:
        chosen_page()
        st.rerun()


def turn_to_ask() -> None:
    """Switch to the Ask page at the start of the next run; for callbacks, which cannot switch themselves."""
    VISIT.to_ask.value = True
    st.rerun()  # the whole page, even if the button lies in a fragment


def open_on_tune(name: str) -> None:
    """Draw a button that opens the questions of a set on Tune."""
    if st.button("Open on Tune", key="open on Tune", icon=":material/arrow_forward:", type="tertiary"):
        TUNE.bank.value, TUNE.tab.value = name, "Questions"
        st.switch_page("pages/tune.py")


def restore(then: Preset, settings: dict[str, Any]) -> None:
    """Select the preset `then` with its values of sliders and modes, and set these settings; a callback.

    If the preset no longer exists, the default is selected, and all differences from it count as moved. An empty server
    in `settings` leaves the current server unchanged. If the server changes, the key that the user typed is cleared, so
    that no other server receives it.
    """
    LIMITS.class_moves.clear()
    set_limits(positions(then))
    LIMITS.preset.value = existing_preset(then.name)
    servers = (SETTINGS.endpoint.key, SETTINGS.endpoint_model.key)  # empty in a decision that used none
    new_settings = {key: v for key, v in settings.items() if key in SETTINGS.widgets and (v or key not in servers)}
    for widget, allowed in ((SETTINGS.domain, domains()), (SETTINGS.writer, WRITERS)):
        if new_settings.get(widget.key) not in allowed:
            new_settings[widget.key] = widget.initial
    if new_settings.get(SETTINGS.endpoint.key, SETTINGS.endpoint.value) != SETTINGS.endpoint.value:
        new_settings[SETTINGS.endpoint_key.key] = ""
    SETTINGS.fill(new_settings)
