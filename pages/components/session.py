"""What one person has set and asked: the only code that touches session state."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import streamlit as st

from core.breaking import Broken
from core.case import Question, Trace
from core.check import all_checks, all_thresholds
from core.presets import preset, values
from core.settings import Settings
from core.thresholds import Preset, Threshold

FORM = {
    "question": "", "class_number": 0, "subject": "", "documents": [], "pages": "", "answer_by": "extractive",
    "pasted": "",
}  # fmt: skip
"""The widgets of the question, and what they hold at first."""
SETTINGS = {"profile": "bundled", "passages_fetched": Settings().passages_fetched, "patterns": ""}
PAGE_FIELD = "reading page"
"""The field with the number of the page that is read."""
_KEPT = "kept"


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


@dataclass(frozen=True, kw_only=True)
class Reading:
    """An open document: its id, the page that is shown, and the id of the passage that is marked, "" for all."""

    document: str
    page: int
    passage: str = ""


def seed() -> None:
    """Give every widget that must outlive its page a value; called by the app, and by a page that is opened alone.

    Streamlit forgets the value of a widget that was not drawn, so each is kept beside it and put back. A value that
    is still there is not written again: that would make the browser take a stale one while a slider moves.
    """
    kept = st.session_state.setdefault(_KEPT, {})
    for key, default in _defaults().items():
        if key in st.session_state:
            kept[key] = st.session_state[key]
        else:
            st.session_state[key] = kept.get(key, default)


def value(key: str) -> Any:
    return st.session_state[key]


def mode_key(check: str) -> str:
    return f"{check}.mode"


def chosen_preset() -> Preset:
    """The preset as it was picked, before anything was moved."""
    return preset(st.session_state["preset"])


def current_preset() -> Preset:
    """The preset with every slider and mode where it stands now."""
    state = st.session_state
    thresholds = {key: float(state[key]) for key in all_thresholds()}
    return chosen_preset().with_values(thresholds, {c.name: state[mode_key(c.name)] for c in all_checks()})


def moved() -> tuple[str, ...]:
    """Keys of the sliders and modes that no longer stand where the preset put them."""
    return tuple(key for key, v in _of_preset(st.session_state["preset"]).items() if st.session_state[key] != v)


def reset(*keys: str) -> None:
    """Put these sliders and modes, or all of them, back to where the preset has them; a callback."""
    st.session_state.update({k: v for k, v in _of_preset(st.session_state["preset"]).items() if not keys or k in keys})


def fill_form(**filled: Any) -> None:
    """Write a question into the form, the rest of which is emptied; a callback."""
    st.session_state.update({**FORM, **filled})


def ask_form() -> None:
    """Ask what the form says; a callback."""
    st.session_state["asked"] = Asked(form={key: st.session_state[key] for key in FORM})


def asked() -> Asked | None:
    return st.session_state.get("asked")


def remember(measured: Asked) -> None:
    st.session_state["asked"] = measured


def forget() -> None:
    st.session_state.pop("asked", None)


def open_asked(measured: Asked) -> None:
    """Show a question that was measured elsewhere, its form filled in; a callback."""
    fill_form(**measured.form)
    remember(measured)


def break_answer(chosen: Breaking) -> None:
    """Judge a broken answer beside the one on screen; a callback."""
    st.session_state["breaking"] = chosen


def breaking() -> Breaking | None:
    return st.session_state.get("breaking")


def open_passage(place: int) -> None:
    """Show a passage in the run that follows; a callback."""
    st.session_state["opened"] = place


def opened_passage() -> int | None:
    """Place in the evidence of the passage to show in this run, once: a later run does not open it again."""
    return st.session_state.pop("opened", None)


def notes(key: str) -> list[Any]:
    """A list of this person's that stays between runs, such as what became of the files of an upload."""
    return st.session_state.setdefault(key, [])


def fresh(widget: str) -> str:
    """The key of a widget that can be made anew: another key after each `renew`, so that it forgets what it held."""
    return f"{widget} {st.session_state.setdefault(f'{widget} number', 0)}"


def renew(widget: str) -> None:
    fresh(widget)
    st.session_state[f"{widget} number"] += 1


def edits(editor: str) -> dict[int, dict[str, Any]]:
    """What a person has changed in a table since it was made anew: row -> column -> value."""
    return st.session_state.get(fresh(editor), {}).get("edited_rows", {})


def clicked_row(column: str) -> int | None:
    """The row whose button was just pressed in this column of a table."""
    click = st.session_state.get(column)
    return None if click is None else click["row"]


def reading() -> Reading | None:
    """What is open on the Library page. Its page number's field is filled in when it has just been opened."""
    now = st.session_state.get("reading")
    if now:
        st.session_state.setdefault(PAGE_FIELD, now.page)
    return now


def open_document(document: str, page: int = 1, passage: str = "") -> None:
    """Open a document at a page, with one passage chosen or none; a callback."""
    st.session_state["reading"] = Reading(document=document, page=page, passage=passage)
    st.session_state[PAGE_FIELD] = page


def close_document() -> None:
    st.session_state.pop("reading", None)


def turn_to(page: int) -> None:
    """Another page of the open document; a callback."""
    open_document(st.session_state["reading"].document, page)


def turn_to_typed() -> None:
    """The page whose number was typed; a callback."""
    turn_to(st.session_state[PAGE_FIELD])


def choose_passage(passage: str) -> None:
    """Mark this passage alone on the page, or all of them again with ""; a callback."""
    st.session_state["reading"] = replace(st.session_state["reading"], passage=passage)


@lru_cache(maxsize=1)
def _defaults() -> dict[str, Any]:
    return {"preset": "default", **_of_preset("default"), **FORM, **SETTINGS}


@lru_cache(maxsize=64)
def _of_preset(name: str) -> dict[str, Any]:
    """Every slider and mode under the preset called `name`, as widgets hold them."""
    base, known = preset(name), all_thresholds()
    sliders = {key: as_widget(known[key], v) for key, v in values(base).items()}
    return sliders | {mode_key(c.name): base.modes.get(c.name, "blocks") for c in all_checks()}


def as_widget(threshold: Threshold, number: float) -> float:
    """A number as a slider holds it: whole where only whole numbers are meant."""
    return int(number) if threshold.whole else float(number)
