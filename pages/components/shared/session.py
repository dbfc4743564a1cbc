"""What one person has set, as the session holds it: widgets that outlive their page, pages, lists that stay.

With question_state.py, limits.py and the library's page_reader.py the only code that touches session state.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.platform.jobs import PEOPLE
from core.platform.quotas import Usage
from core.presets import preset
from core.settings import WRITERS, Settings
from core.settings.domains import domains
from core.thresholds import Preset
from core.writers.endpoint_access import from_environment
from pages.components.shared.limits import current_preset, is_there, positions, put_next, seed_limits, write_anew
from pages.components.shared.page_setup import let_in
from pages.components.shared.safe_display import ERRORS

FORM = {
    "question": "", "class_number": 0, "subject": "", "documents": [], "pages": "", "answer_by": "writer",
    "pasted": "", "tool_result": "",
}  # fmt: skip
"""The widgets of the question, and what they hold at first."""
SETTINGS = {
    "profile": "bundled", "writer": Settings().writer, "passages_fetched": Settings().passages_fetched, "patterns": "",
    "stage_1": "rules", "judge": "none", "consensus": False, "domain": Settings().domain,
    "endpoint": from_environment()[0], "endpoint_model": from_environment()[1], "endpoint_key": "",
}  # fmt: skip
ENDPOINT = ("endpoint", "endpoint_model")
"""Those that name a server; a decision that asked none has them empty."""
PART_FIELD = "part of the question"
"""The field with the part of a question that is looked at closely."""
DETAILS = ("Sentences", "Checks", "The way", "With and without", "Break this answer")
"""What explains a verdict, one kind at a time."""
DETAILS_FIELD = "details shown"
"""The field with the kind that is looked at."""
SHOWN = {"limits shown": "Main five", DETAILS_FIELD: DETAILS[0]}
"""The switch between the main five limits and all of them, and what is looked at of a verdict."""
BANK = "bank"
"""The widget with the bank that is open."""
CURVE, COST, AIM, MOST_REFUSED = "curve of", "cost of a wrong answer", "aim", "most refused"
"""The widgets of the Tune page: whose curve is drawn, and what a proposal is after."""
TUNING = {CURVE: "confidence.min_confidence", COST: 5.0, AIM: "cost", MOST_REFUSED: 10}
JOURNAL = {
    "journal reasons": [], "journal routes": [], "journal class": 0, "journal subject": "", "journal first": None,
    "journal last": None, "journal text": "",
}  # fmt: skip
"""The filters of the journal, and what they hold at first."""
REOPENED = "reopened"
"""The note that says when the question on the Ask page was decided, if it comes from the journal."""
PAGES = {
    "ask": "Ask", "library": "Library", "banks": "Banks", "tune": "Tune", "evaluate": "Evaluate",
    "journal": "Journal", "how_it_works": "How it works",
}  # fmt: skip
_ROUTED, _SEEDED = "went through the router", "the app has seeded this run"
_KEPT, _PAGE = "kept", "page that is shown"
_STANDS = "what the page that stands was drawn for"


def seed_page() -> None:
    """`seed` for a page, which may be opened alone: nothing where the app has called it in this run."""
    if not st.session_state.pop(_SEEDED, False):
        seed()


def seed_app() -> None:
    """`seed` for the app, so that the page that it runs need not do the same again."""
    seed()
    st.session_state[_SEEDED] = True


def seed() -> None:
    """Let in whoever may see a page, and give every widget that must outlive its page a value.

    Streamlit forgets the value of a widget that was not drawn, so each is kept beside it and put back. A value that
    is still there is written again only when another page than the last is shown, on which a widget of the same key
    is another widget: else the browser would take a stale one while a slider moves.
    """
    through_the_router()
    st.session_state.pop(_STANDS, None)
    let_in()
    run = get_script_run_ctx(suppress_warning=True)
    page = run.page_script_hash if run else ""
    turned = st.session_state.get(_PAGE, page) != page
    PEOPLE.moved()  # what is measured in the background waits while a page is drawn
    kept = st.session_state.setdefault(_KEPT, {})
    held = st.session_state.to_dict()  # one look at the session instead of two for each key
    for key, default in _defaults().items():
        if key in held:
            kept[key] = held[key]
        if turned or key not in held:
            write_anew(key, kept.get(key, default))
    st.session_state[_PAGE] = page
    seed_limits()


def seed_part() -> None:
    """What a run begins with that draws only a part of a page again."""
    PEOPLE.moved()
    seed_limits()


def stands() -> None:
    """Note that the whole page is drawn; at its end."""
    st.session_state[_STANDS] = _beside_limits()


def is_standing() -> bool:
    """True where the whole page is drawn, and nothing but limits was changed since."""
    return st.session_state.get(_STANDS) == _beside_limits()


def _beside_limits() -> list[Any]:
    return [value(key) for key in (*FORM, *SETTINGS, "preset", "limits shown")]


def value(key: str) -> Any:
    """Where the widget of this key stands; where it stood, in a callback of a page that does not draw it."""
    state = st.session_state
    return state[key] if key in state else state[_KEPT][key]


def fill(key: str, chosen: Any) -> None:
    """Give a widget a value before it is drawn."""
    st.session_state[key] = chosen


def chosen_page() -> Any:
    """The page that its address or a link at the top names; the first one where nothing does."""
    st.session_state[_ROUTED] = True
    files = enumerate(PAGES.items())
    pages = [st.Page(f"pages/{name}.py", title=title, default=not place) for place, (name, title) in files]
    return st.navigation(pages, position="top")


def turn_to_ask(opened: str) -> None:
    """Go to the Ask page once a callback has noted under `opened` that a question was opened there.

    Limits are taken along: a slider first drawn on this page holds, on the next one, what its key held before it.
    """
    if notes(opened):
        notes(opened).clear()
        put_next(current_preset())
        st.switch_page("pages/ask.py")


def through_the_router() -> None:
    """Begin again in app.py where Streamlit runs a page of the app without it.

    It does so for the first visitor of a server who opens a page by its address: a folder `pages` beside the app is
    to Streamlit an app without a router, until one has been called.
    """
    run = get_script_run_ctx(suppress_warning=True)
    if run and Path(run.main_script_path).name == "app.py" and _ROUTED not in st.session_state:
        chosen_page()
        st.rerun()


def notes(key: str) -> list[Any]:
    """A list of this person's that stays between runs, such as what became of the files of an upload."""
    return st.session_state.setdefault(key, [])


@contextmanager
def noting(refused: str) -> Iterator[None]:
    """Note under `refused` why what is done here cannot be done, to be said in the run that follows; for callbacks."""
    try:
        yield
    except ERRORS as error:
        notes(refused).append(error)


def usage() -> Usage:
    """What this person has used of what a visitor may."""
    return st.session_state.setdefault("usage", Usage())


def fresh(widget: str) -> str:
    """The key of a widget that can be made anew: another key after each `renew`, so that it forgets what it held."""
    return f"{widget} {st.session_state.setdefault(f'{widget} number', 0)}"


def renew(widget: str) -> None:
    fresh(widget)
    st.session_state[f"{widget} number"] += 1


def edits(editor: str) -> dict[int, dict[str, Any]]:
    """What a person has changed in a table since it was made anew: row -> column -> value."""
    return st.session_state.get(fresh(editor), {}).get("edited_rows", {})


def clicked(column: str, rows: Sequence[Any]) -> Any:
    """That of `rows` whose button was just pressed in this column of their table; None where it is no longer there."""
    click = st.session_state.get(column)
    return rows[click["row"]] if click is not None and click["row"] < len(rows) else None


def restore(then: Preset, settings: dict[str, Any]) -> None:
    """Put every slider and mode where `then` has it, and these settings too; a callback.

    Where the preset of `then` is no longer there, all that differs from the default counts as moved. A server that
    `then` did not ask stays as it is typed; the key that is typed goes to no other server than the one it is for.
    """
    name = then.name if is_there(then.name) else "default"
    st.session_state.update({**positions(then), "preset": name})
    known = {key: v for key, v in settings.items() if key in SETTINGS and (v or key not in ENDPOINT)}
    for key, allowed in (("domain", domains()), ("writer", WRITERS)):
        if known.get(key) not in allowed:
            known[key] = SETTINGS[key]
    if known.get("endpoint", value("endpoint")) != value("endpoint"):
        known["endpoint_key"] = ""
    st.session_state.update(known)


def clear_filters() -> None:
    """Let the whole journal through again; a callback."""
    st.session_state.update(JOURNAL)


@lru_cache(maxsize=1)
def _defaults() -> dict[str, Any]:
    return {
        "preset": "default", **positions(preset("default")), **FORM, **SETTINGS, **SHOWN, **TUNING, **JOURNAL, BANK: "",
    }  # fmt: skip
