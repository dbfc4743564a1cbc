"""The session of one user: widget values that outlive their page, navigation, and lists that last between runs.

Only this module, question_state.py, limits.py and the library's page_reader.py access `st.session_state`.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.graph.startup import home_folder
from core.platform.jobs import PEOPLE
from core.platform.quotas import Usage
from core.presets import preset
from core.settings import BOUNDS, WRITERS, Settings
from core.settings.domains import domains, use_home
from core.thresholds import Preset
from core.tuning.guarantee import RISKS
from core.writers.endpoint_access import from_environment
from pages.components.shared.limits import (
    current_preset,
    is_there,
    positions,
    seed_limits,
    select_preset_next,
    write_anew,
)
from pages.components.shared.page_setup import let_in
from pages.components.shared.safe_display import ERRORS

FORM = {
    "question": "", "class_number": 0, "subject": "", "documents": [], "pages": "", "answer_by": "writer",
    "pasted": "", "tool_result": "",
}  # fmt: skip
"""The widgets of the question form and their initial values."""
SETTINGS = {
    "profile": "bundled", "writer": Settings().writer, "patterns": "", "patterns_out": [],
    "stage_1": "rules", "judge": "none", "consensus": False, "domain": Settings().domain,
    **{name: getattr(Settings(), name) for name in BOUNDS}, "consensus_with": [],
    "second_endpoint": "", "second_endpoint_model": "",
    "endpoint": from_environment()[0], "endpoint_model": from_environment()[1], "endpoint_key": "",
}  # fmt: skip
ENDPOINT = ("endpoint", "endpoint_model")
"""The settings that name a server; they are empty in a decision that used none."""
PART_FIELD = "part of the question"
"""Key of the widget that selects a part of the question."""
DETAILS = ("Sentences", "Decision path", "Without the guardrail", "Break it")
"""The sections that explain a verdict; one is shown at a time."""
DETAILS_FIELD = "details shown"
"""Key of the widget that selects the section."""
SIDEBAR_FIELDS = {"limits shown": "Essentials", "search for a limit": "", DETAILS_FIELD: DETAILS[0]}
"""The switch between the essentials and all limits, the search among them, and the section of a verdict, with initial
values."""
BANK = "bank"
"""Key of the widget that selects the open bank."""
CURVE, COST, AIM, MAX_REFUSED = "curve of", "cost of a wrong answer", "aim", "most refused"
"""Keys of the widgets of the Tune page: the threshold of the curve, and the aim of a proposal."""
GUARANTEE_SHARES: Mapping[str, str] = {risk: f"guarantee {risk}" for risk in RISKS}
GUARANTEE_CONFIDENCE, GUARANTEE_GROUP = "guarantee confidence", "guarantee group"
"""Keys of the widgets of a guarantee: for each risk to how many percent it is limited, how surely, for which groups."""
TABS = ("Questions", "Run", "Results", "Limits")
"""The tabs of the Tune page."""
TAB = "tab of Tune"
"""Key of the tabs of the Tune page."""
TUNING = {
    CURVE: "confidence.min_confidence", COST: 5.0, AIM: "cost", MAX_REFUSED: 10, TAB: "Results",
    **dict.fromkeys(GUARANTEE_SHARES.values()), GUARANTEE_SHARES["wrong"]: 5, GUARANTEE_CONFIDENCE: 95,
    GUARANTEE_GROUP: "",
}  # fmt: skip
Using = tuple[str, Settings]
"""The profile of the models and the settings that measure."""
JOURNAL = {
    "journal reasons": [], "journal routes": [], "journal class": 0, "journal subject": "", "journal first": None,
    "journal last": None, "journal text": "",
}  # fmt: skip
"""The filters of the journal and their initial values."""
CLASS_MOVES = "moves by the limits of a class"
"""Key of the notes on what the limits of a class have moved (pages.components.shared.class_limits)."""
REOPENED = "reopened"
"""Key of the note that states when a question reopened from the journal was decided."""
PAGES = {"ask": "Ask", "library": "Library", "tune": "Tune", "history": "History", "guide": "Guide"}
"""The pages in order: file name without suffix, and title."""
OLD_ADDRESSES = {"journal": "history", "how_it_works": "guide", "banks": "tune", "evaluate": "tune"}
"""Addresses of earlier versions, and the page that each leads to: bookmarks and links in messages outlive a version."""
_ROUTED, _INITIALIZED = "went through the router", "the app has seeded this run"
_WIDGET_VALUES, _PAGE = "kept", "page that is shown"
_RENDERED = "what the page that stands was drawn for"


def seed_page() -> None:
    """Call `init_session` from a page, unless the app already did in this run; a page may be opened without the app."""
    if not st.session_state.pop(_INITIALIZED, False):
        init_session()


def seed_app() -> None:
    """Call `init_session` from the app, so that the page does not repeat it in this run."""
    init_session()
    st.session_state[_INITIALIZED] = True


def init_session() -> None:
    """Check that this user may enter, and give every widget that must outlive its page a value.

    Streamlit drops the value of a widget that was not drawn, so a copy of each value is kept and restored. A value that
    still exists is rewritten only after a page switch, where a widget of the same key is a new widget; otherwise the
    browser would receive a stale value while a slider moves.
    """
    through_the_router()
    use_home(home_folder())
    st.session_state.pop(_RENDERED, None)
    let_in()
    run = get_script_run_ctx(suppress_warning=True)
    page = run.page_script_hash if run else ""
    is_page_switch = st.session_state.get(_PAGE, page) != page
    PEOPLE.record_activity()  # background measuring pauses while a page is drawn
    copies = st.session_state.setdefault(_WIDGET_VALUES, {})
    current = st.session_state.to_dict()  # one read of the session instead of two for each key
    for key, default in _defaults().items():
        if key in current:
            copies[key] = current[key]
        if is_page_switch or key not in current:
            write_anew(key, copies.get(key, default))
    st.session_state[_PAGE] = page
    seed_limits()


def seed_part() -> None:
    """Start a run that draws only a fragment of a page."""
    PEOPLE.record_activity()
    seed_limits()


def mark_page_rendered() -> None:
    """Record that the whole page was rendered; call it at the end of the page."""
    st.session_state[_RENDERED] = _values_beside_limits()


def is_standing() -> bool:
    """True if the whole page was rendered and nothing but limits changed since."""
    return st.session_state.get(_RENDERED) == _values_beside_limits()


def _values_beside_limits() -> list[Any]:
    return [value(key) for key in (*FORM, *SETTINGS, "preset", "limits shown", "search for a limit")]


def value(key: str) -> Any:
    """The value of a widget; its last value if the current page does not draw it."""
    state = st.session_state
    return state[key] if key in state else state[_WIDGET_VALUES][key]


def fill(key: str, content: Any) -> None:
    """Set the value of a widget before it is drawn."""
    st.session_state[key] = content


def chosen_page() -> Any:
    """The page selected by the address or the navigation bar; the first page by default."""
    st.session_state[_ROUTED] = True
    pages = [
        st.Page(f"pages/{name}.py", title=title, default=index == 0)
        for index, (name, title) in enumerate(PAGES.items())
    ]
    pages += [
        st.Page(partial(st.switch_page, f"pages/{name}.py"), title=PAGES[name], url_path=old, visibility="hidden")
        for old, name in OLD_ADDRESSES.items()
    ]
    return st.navigation(pages, position="top")


def turn_to_ask(section: str) -> None:
    """Switch to the Ask page if a callback noted under `section` that it opened a question there.

    The current limits are passed on explicitly, since a slider that was first drawn on this page would lose its value.
    """
    if notes(section):
        notes(section).clear()
        select_preset_next(current_preset())
        st.switch_page("pages/ask.py")


def through_the_router() -> None:
    """Rerun through app.py if Streamlit runs a page without it.

    That happens to the first visitor of a server who opens a page by its address: until `st.navigation` is called,
    Streamlit treats the folder `pages` as an app without a router.
    """
    run = get_script_run_ctx(suppress_warning=True)
    if run and Path(run.main_script_path).name == "app.py" and _ROUTED not in st.session_state:
        chosen_page()
        st.rerun()


def notes(key: str) -> list[Any]:
    """A list of this user that lasts between runs, such as the outcomes of uploaded files."""
    return st.session_state.setdefault(key, [])


@contextmanager
def noting(field: str) -> Iterator[None]:
    """Catch an error of the block and note it under `field`, to be shown in the next run; for callbacks."""
    try:
        yield
    except ERRORS as error:
        notes(field).append(error)


def first_visit() -> bool:
    """True once for every user: when the first page is drawn that asks."""
    is_first = "has visited" not in st.session_state
    st.session_state["has visited"] = True
    return is_first


def usage() -> Usage:
    """How much of the visitor's quotas this user has used."""
    return st.session_state.setdefault("usage", Usage())


def fresh(widget: str) -> str:
    """The current key of a resettable widget; each `renew` changes it, so that the widget loses its value."""
    return f"{widget} {st.session_state.setdefault(f'{widget} number', 0)}"


def renew(widget: str) -> None:
    """Reset a widget: give it a new key."""
    fresh(widget)  # creates the number if it does not exist yet
    st.session_state[f"{widget} number"] += 1


def edits(editor: str) -> dict[int, dict[str, Any]]:
    """The cells that the user changed in a data editor since it was renewed: row -> column -> value."""
    return st.session_state.get(fresh(editor), {}).get("edited_rows", {})


def clicked_item(column: str, rows: Sequence[Any]) -> Any:
    """The item of `rows` whose button in this table column was just pressed; None if that row no longer exists."""
    click = st.session_state.get(column)
    return rows[click["row"]] if click is not None and click["row"] < len(rows) else None


def selected_row(table: str, rows: Sequence[Any]) -> Any:
    """The item of `rows` in whose row a cell of this table is selected; None if there is none."""
    cells = st.session_state[table]["selection"]["cells"]
    return rows[cells[0][0]] if cells and cells[0][0] < len(rows) else None


def restore(then: Preset, settings: dict[str, Any]) -> None:
    """Restore the preset `then`, its sliders and modes, and these settings; a callback.

    If the preset no longer exists, every difference from the default counts as moved. Empty server settings leave the
    current server unchanged. If the server changes, the typed key is cleared, so that no other server receives it.
    """
    notes(CLASS_MOVES).clear()
    name = then.name if is_there(then.name) else "default"
    st.session_state.update({**positions(then), "preset": name})
    new_settings = {key: v for key, v in settings.items() if key in SETTINGS and (v or key not in ENDPOINT)}
    for key, allowed in (("domain", domains()), ("writer", WRITERS)):
        if new_settings.get(key) not in allowed:
            new_settings[key] = SETTINGS[key]
    if new_settings.get("endpoint", value("endpoint")) != value("endpoint"):
        new_settings["endpoint_key"] = ""
    st.session_state.update(new_settings)


def clear_filters() -> None:
    """Clear every filter of the journal; a callback."""
    st.session_state.update(JOURNAL)


@lru_cache(maxsize=1)
def _defaults() -> dict[str, Any]:
    return {
        "preset": "default", **positions(preset("default")), **FORM, **SETTINGS, **SIDEBAR_FIELDS, **TUNING, **JOURNAL,
        BANK: "",
    }  # fmt: skip
