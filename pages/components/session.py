"""What one person has set and asked: the only code that touches session state."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import streamlit as st

from core.case import Trace
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
_KEPT = "kept"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A form as it stood when it was asked, its trace once measured, and the settings that measured it."""

    form: dict[str, Any]
    trace: Trace | None = None
    measured_with: tuple[str, Settings] | None = None


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


def open_passage(place: int) -> None:
    """Show a passage in the run that follows; a callback."""
    st.session_state["opened"] = place


def opened_passage() -> int | None:
    """Place in the evidence of the passage to show in this run, once: a later run does not open it again."""
    return st.session_state.pop("opened", None)


def notes(key: str) -> list[Any]:
    """A list of this person's that stays between runs, such as what became of the files of an upload."""
    return st.session_state.setdefault(key, [])


def next_upload() -> int:
    """Number of the present upload: a new number makes an empty upload box."""
    return st.session_state.setdefault("upload", 0)


def end_upload() -> None:
    st.session_state["upload"] = next_upload() + 1


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
