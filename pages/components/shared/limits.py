"""Where a person has put the limits: the preset, every slider and mode, what was moved, and the way back."""

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import streamlit as st

from core.checks import all_checks, all_thresholds
from core.graph.startup import home_folder
from core.presets import modes_of, preset, presets, values
from core.presets.saved import PresetError, SavedPresets, named_preset
from core.thresholds import Preset, Threshold

MOST = 100
"""Steps that can be taken back."""
Position = tuple[Hashable, ...]
"""Where every slider, every mode and the preset stand."""


@dataclass(frozen=True, kw_only=True)
class History:
    """Where everything stands now, where it stood before, the last step at the end, and what was taken back."""

    now: Position
    past: tuple[Position, ...] = ()
    future: tuple[Position, ...] = ()

    def moved_to(self, position: Position) -> "History":
        """One step more when `position` is another; what had been taken back is then forgotten."""
        if position == self.now:
            return self
        return History(now=position, past=(*self.past, self.now)[-MOST:])

    def undone(self) -> "History":
        """One step back; the same where there is none."""
        if not self.past:
            return self
        return History(now=self.past[-1], past=self.past[:-1], future=(self.now, *self.future))

    def redone(self) -> "History":
        """The last step taken back, taken again; the same where there is none."""
        if not self.future:
            return self
        return replace(self.moved_to(self.future[0]), future=self.future[1:])


def mode_key(check: str) -> str:
    return f"{check}.mode"


def as_widget(threshold: Threshold, number: float) -> float:
    """A number as a slider holds it: whole where only whole numbers are meant."""
    return int(number) if threshold.whole else float(number)


def positions(base: Preset) -> dict[str, Any]:
    """Every slider and mode under `base`, by key."""
    known = all_thresholds()
    sliders = {key: as_widget(known[key], v) for key, v in values(base).items()}
    return sliders | {mode_key(name): mode for name, mode in modes_of(base).items()}


@lru_cache(maxsize=1)
def limit_keys() -> tuple[str, ...]:
    """The keys of the preset, of every slider and of every mode: what undo takes back."""
    return "preset", *positions(preset("default"))


_HISTORY = "history of the limits"


def seed_limits() -> None:
    """What every run begins with, once all widgets have a value: a preset that is there, and the last move noted."""
    if not is_there(st.session_state["preset"]):
        st.session_state["preset"] = "default"  # a saved one that was deleted meanwhile
    if wanted := st.session_state.pop("preset to take", None):
        put(wanted)
    st.session_state[_HISTORY] = history()


def chosen_preset() -> Preset:
    """The preset as it was picked, before anything was moved; the default where a saved one cannot be read."""
    try:
        return named_preset(st.session_state["preset"], home_folder())
    except PresetError:
        return preset("default")


def current_preset() -> Preset:
    """The preset with every slider and mode where it stands now."""
    state = st.session_state.to_dict()  # one look at the session instead of one for each key
    thresholds = {key: float(state[key]) for key in all_thresholds()}
    return chosen_preset().with_values(thresholds, {c.name: state[mode_key(c.name)] for c in all_checks()})


def moved() -> tuple[str, ...]:
    """Keys of the sliders and modes that no longer stand where the preset put them."""
    state = st.session_state.to_dict()
    return tuple(key for key, v in positions(chosen_preset()).items() if state[key] != v)


def reset(*keys: str) -> None:
    """Put these sliders and modes, or all of them, back to where the preset has them; a callback."""
    st.session_state.update({k: v for k, v in positions(chosen_preset()).items() if not keys or k in keys})
    st.rerun()  # the whole page, also where the button stands in a part of it that runs alone


def put(wanted: Preset) -> None:
    """Pick the preset called as `wanted` is, and put everything where `wanted` has it; before anything is drawn."""
    st.session_state.update({"preset": wanted.name, **positions(wanted)})
    st.session_state[_HISTORY] = history()


def put_next(wanted: Preset) -> None:
    """What `put` does, in the run that follows: for when sliders are drawn already."""
    st.session_state["preset to take"] = wanted


def history() -> History:
    """Every move of a slider, a mode or the preset up to now, in the order in which they were made."""
    now = _now()
    return st.session_state.get(_HISTORY, History(now=now)).moved_to(now)


def undo() -> None:
    """Take back the last move; a callback."""
    _go_to(history().undone())
    st.rerun()


def redo() -> None:
    """Make the move again that was taken back last; a callback."""
    _go_to(history().redone())
    st.rerun()


def move_sliders(to: Mapping[str, float]) -> None:
    """Put sliders at these values, by key; a callback."""
    st.session_state.update({key: as_widget(all_thresholds()[key], v) for key, v in to.items()})
    st.rerun()


def hold(group: str, keys: Collection[str], drawn: Collection[str]) -> None:
    """Keep where each of `keys` stands that had a widget and is not among those that will be `drawn` in this run.

    Called before they are: a run may be cut short. A part of a page runs alone, and what it no longer draws is gone
    before the whole page could keep it. group: what the keys are called together.
    """
    place = f"{group} that have a widget"
    for key in st.session_state.get(place, keys):
        if key not in drawn and key in st.session_state:
            write_anew(key, st.session_state[key])
    st.session_state[place] = tuple(drawn)


def write_anew(key: str, held: Any) -> None:
    """Let `key` hold this, whether or not there is a widget of it.

    Streamlit forgets what a widget held once it is not drawn, and then goes back to what its key held before there was
    one: that has to be taken out first.
    """
    if key in st.session_state:
        del st.session_state[key]
    st.session_state[key] = held


def follow(widget: str) -> None:
    """Let a choice of threshold, before it is drawn, follow the slider that was just moved."""
    now = {key: st.session_state[key] for key in all_thresholds()}
    before = st.session_state.setdefault(f"{widget} followed", now)
    changed = [key for key in now if now[key] != before[key]]
    if len(changed) == 1:
        st.session_state[widget] = changed[0]
    st.session_state[f"{widget} followed"] = now


def _go_to(wanted: History) -> None:
    """Put everything where `wanted` says; a saved preset that has gone is the default."""
    st.session_state.update(zip(limit_keys(), wanted.now, strict=True))
    if not is_there(st.session_state["preset"]):
        st.session_state["preset"] = "default"
    st.session_state[_HISTORY] = replace(wanted, now=_now())


def _now() -> Position:
    state = st.session_state.to_dict()
    return tuple(state[key] for key in limit_keys())


def is_there(name: str) -> bool:
    return name in presets() or SavedPresets(home_folder()).holds(name)
