"""What one person has set and asked.

With limits.py, navigation.py, open_book.py and renewed.py the only code that touches session state.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.case import Question, Trace
from core.jobs import PEOPLE
from core.models.endpoint import from_environment
from core.perturb import Broken
from core.presets import preset
from core.settings import Settings
from core.sweep.key_thresholds import TO_BEGIN_WITH
from core.sweep.sensitivity import Replay
from core.thresholds import Preset
from pages.components.shared.limits import current_preset, is_there, seed_limits
from pages.components.shared.navigation import through_the_router
from pages.components.shared.slider_positions import positions

FORM = {
    "question": "", "class_number": 0, "subject": "", "documents": [], "pages": "", "answer_by": "extractive",
    "pasted": "",
}  # fmt: skip
"""The widgets of the question, and what they hold at first."""
SETTINGS = {
    "profile": "bundled", "passages_fetched": Settings().passages_fetched, "patterns": "", "stage_1": "rules",
    "endpoint": from_environment()[0], "endpoint_model": from_environment()[1], "endpoint_key": "",
}  # fmt: skip
ENDPOINT = ("endpoint", "endpoint_model")
"""Those that name a server; a decision that asked none has them empty."""
PART_FIELD = "part of the question"
"""The field with the part of a question that is looked at closely."""
SHOWN = {"limits shown": "All"}
"""The switch between the main five limits and all of them."""
BANK = "bank"
"""The widget with the bank that is open."""
CURVE, COST, AIM, MOST_REFUSED = "curve of", "cost of a wrong answer", "aim", "most refused"
"""The widgets of the Tune page: whose curve is drawn, and what a proposal is after."""
TUNING = {CURVE: "retrieval_confidence.min_retrieval_confidence", COST: 5.0, AIM: "cost", MOST_REFUSED: 10}
JOURNAL = {
    "journal reasons": [], "journal routes": [], "journal class": 0, "journal subject": "", "journal first": None,
    "journal last": None, "journal text": "",
}  # fmt: skip
"""The filters of the journal, and what they hold at first."""
REOPENED = "reopened"
"""The note that says when the question on the Ask page was decided, if it comes from the journal."""
_KEPT, _PAGE = "kept", "page that is shown"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A form as it stood when it was asked, its trace once measured, and the settings that measured it."""

    form: dict[str, Any]
    trace: Trace | None = None
    measured_with: tuple[str, Settings] | None = None


@dataclass(frozen=True, kw_only=True)
class Breaking:
    """An answer to `question` that was broken in one place; its trace once measured, and the settings that did."""

    question: Question
    text: str
    broken: Broken
    trace: Trace | None = None
    measured_with: tuple[str, Settings] | None = None


def seed() -> None:
    """Give every widget that must outlive its page a value; called by the app, and by a page that is opened alone.

    Streamlit forgets the value of a widget that was not drawn, so each is kept beside it and put back. A value that
    is still there is written again only when another page than the last is shown, on which a widget of the same key
    is another widget: else the browser would take a stale one while a slider moves.
    """
    through_the_router()
    run = get_script_run_ctx(suppress_warning=True)
    page = run.page_script_hash if run else ""
    turned = st.session_state.get(_PAGE, page) != page
    PEOPLE.moved()  # what is measured in the background waits while a page is drawn
    kept = st.session_state.setdefault(_KEPT, {})
    for key, default in _defaults().items():
        if key in st.session_state:
            kept[key] = st.session_state[key]
        if turned or key not in st.session_state:
            st.session_state[key] = kept.get(key, default)
    st.session_state[_PAGE] = page
    seed_limits()


def value(key: str) -> Any:
    """Where the widget of this key stands; where it stood, in a callback of a page that does not draw it."""
    state = st.session_state
    return state[key] if key in state else state[_KEPT][key]


def first_limits(choose: Callable[[Trace, Preset], tuple[str, ...]]) -> tuple[str, ...]:
    """The keys that `choose` gives for the question on screen.

    They are chosen anew only for another question or preset, so that no slider changes its place while it is moved.
    """
    now, held = asked(), st.session_state.get("first limits", (None, TO_BEGIN_WITH))
    if now and now.trace and now.trace.rounds:
        of = now.form, now.measured_with, st.session_state["preset"]
        if held[0] != of:
            held = st.session_state["first limits"] = of, choose(now.trace, current_preset())
    return held[1]


def fill(key: str, chosen: Any) -> None:
    """Give a widget a value before it is drawn."""
    st.session_state[key] = chosen


def replayed(trace: Trace) -> Replay:
    """The replay of the question on screen, which remembers what was decided of it while the sliders move."""
    now = st.session_state.get("replay")
    if now is None or now.trace is not trace:
        now = st.session_state["replay"] = Replay(trace)
    return now


def leave_room(places: Mapping[str, Any]) -> None:
    """Places on the page of this run, by name, that are filled when everything else is drawn."""
    st.session_state["rooms"] = places


def rooms() -> Mapping[str, Any]:
    return st.session_state.get("rooms", {})


def fill_form(**filled: Any) -> None:
    """Write a question into the form, the rest of which is emptied; a callback."""
    st.session_state.update({**FORM, **filled})


def ask_form() -> None:
    """Ask what the form says; a callback."""
    st.session_state["asked"] = Asked(form={key: st.session_state[key] for key in FORM})
    st.session_state["to journal"] = True


def asked() -> Asked | None:
    return st.session_state.get("asked")


def remember(measured: Asked) -> None:
    st.session_state["asked"] = measured


def forget() -> None:
    written()
    st.session_state.pop("asked", None)
    st.session_state.pop("to journal", None)
    st.session_state.pop(REOPENED, None)


def to_journal() -> bool:
    """True once for every question that was asked on the Ask page: its decision is to be written down."""
    return st.session_state.pop("to journal", False)


def stop_writing() -> None:
    """Give up the question whose answer is being written; a callback."""
    forget()
    st.session_state["stopped"] = True


def was_stopped() -> bool:
    """True once after a person stopped the writing."""
    return st.session_state.pop("stopped", False)


def write_now() -> None:
    """Let a writer that waits until it is asked write its answer to the question on screen; a callback."""
    st.session_state["write now"] = True


def is_to_write() -> bool:
    """True after a person asked for what was not written yet, until it is: a run that is cut short is made up for."""
    return st.session_state.get("write now", False)


def written() -> None:
    """What was asked for is written."""
    st.session_state.pop("write now", None)


def open_asked(measured: Asked) -> None:
    """Show a question that was measured elsewhere, its form filled in; a callback."""
    forget()
    fill_form(**measured.form)
    remember(measured)


def restore(then: Preset, settings: dict[str, Any]) -> None:
    """Put every slider and mode where `then` has it, and these settings too; a callback.

    Where the preset of `then` is no longer there, all that differs from the default counts as moved. A server that
    `then` did not ask stays as it is typed; the key that is typed goes to no other server than the one it is for.
    """
    name = then.name if is_there(then.name) else "default"
    st.session_state.update({**positions(then), "preset": name})
    known = {key: v for key, v in settings.items() if key in SETTINGS and (v or key not in ENDPOINT)}
    if known.get("endpoint", value("endpoint")) != value("endpoint"):
        known["endpoint_key"] = ""
    st.session_state.update(known)


def clear_filters() -> None:
    """Let the whole journal through again; a callback."""
    st.session_state.update(JOURNAL)


def break_answer(chosen: Breaking) -> None:
    """Judge a broken answer beside the one on screen; a callback."""
    st.session_state["breaking"] = chosen


def breaking() -> Breaking | None:
    return st.session_state.get("breaking")


def open_passage(place: int, part: int = 0) -> None:
    """Show a passage in the run that follows; a callback. part: of the question, from 1; 0 for one that has none."""
    st.session_state["opened"] = (place, part)


def opened_passage() -> tuple[int, int] | None:
    """Place in the evidence and part of the question to show in this run, once: a later run does not open it again."""
    return st.session_state.pop("opened", None)


@lru_cache(maxsize=1)
def _defaults() -> dict[str, Any]:
    return {
        "preset": "default", **positions(preset("default")), **FORM, **SETTINGS, **SHOWN, **TUNING, **JOURNAL, BANK: "",
    }  # fmt: skip
