"""The limits as the user has set them: the preset, every slider and mode, what was moved, and undo and redo."""

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
"""Most steps that can be undone."""
Position = tuple[Hashable, ...]
"""The value of the preset, of every slider and of every mode, in the order of `limit_keys`."""


@dataclass(frozen=True, kw_only=True)
class History:
    """The current position, earlier positions with the latest at the end, and undone positions, the next one first."""

    current: Position
    past: tuple[Position, ...] = ()
    future: tuple[Position, ...] = ()

    def moved_to(self, position: Position) -> "History":
        """The history after a move to `position`, which clears what can be redone; itself if nothing moved."""
        if position == self.current:
            return self
        return History(current=position, past=(*self.past, self.current)[-MOST:])

    def undone(self) -> "History":
        """The history one step back; itself if there is no step to undo."""
        if not self.past:
            return self
        return History(current=self.past[-1], past=self.past[:-1], future=(self.current, *self.future))

    def redone(self) -> "History":
        """The history one step forward; itself if there is no step to redo."""
        if not self.future:
            return self
        return replace(self.moved_to(self.future[0]), future=self.future[1:])


def mode_key(check: str) -> str:
    return f"{check}.mode"


def as_widget(threshold: Threshold, number: float) -> float:
    """A number in the type of its widget: bool for a switch, int for a whole threshold, else float."""
    if threshold.switch:
        return bool(number)
    return int(number) if threshold.whole else float(number)


def positions(base: Preset) -> dict[str, Any]:
    """The value of every slider and mode under `base`, by widget key."""
    thresholds = all_thresholds()
    sliders = {key: as_widget(thresholds[key], v) for key, v in values(base).items()}
    return sliders | {mode_key(name): mode for name, mode in modes_of(base).items()}


@lru_cache(maxsize=1)
def limit_keys() -> tuple[str, ...]:
    """The widget keys of the preset, of every slider and of every mode: what undo restores."""
    return "preset", *positions(preset("default"))


_HISTORY = "history of the limits"


def seed_limits() -> None:
    """Prepare the limits for a run: make sure the preset exists, apply a pending preset and record the last move.

    Call it once all widgets have a value.
    """
    if not is_there(st.session_state["preset"]):
        st.session_state["preset"] = "default"  # a saved preset may have been deleted meanwhile
    if pending := st.session_state.pop("preset to take", None):
        select_preset(pending)
    st.session_state[_HISTORY] = history()


def chosen_preset() -> Preset:
    """The selected preset without the user's moves; the default if a saved preset cannot be read."""
    try:
        return named_preset(st.session_state["preset"], home_folder())
    except PresetError:
        return preset("default")


def current_preset() -> Preset:
    """The selected preset with the current values of every slider and mode."""
    state = st.session_state.to_dict()  # one read of the session instead of one for each key
    thresholds = {key: float(state[key]) for key in all_thresholds()}
    return chosen_preset().with_values(thresholds, {c.name: state[mode_key(c.name)] for c in all_checks()})


def changed_limits() -> tuple[str, ...]:
    """Keys of the sliders and modes that differ from the selected preset."""
    state = st.session_state.to_dict()
    return tuple(key for key, v in positions(chosen_preset()).items() if state[key] != v)


def reset(*keys: str) -> None:
    """Reset these sliders and modes, or all without `keys`, to the selected preset; a callback."""
    st.session_state.update({k: v for k, v in positions(chosen_preset()).items() if not keys or k in keys})
    st.rerun()  # the whole page, even if the button lies in a fragment


def select_preset(target: Preset) -> None:
    """Select the preset with the name of `target` and set every slider and mode to its values.

    Call it before any of these widgets is drawn.
    """
    st.session_state.update({"preset": target.name, **positions(target)})
    st.session_state[_HISTORY] = history()


def select_preset_next(target: Preset) -> None:
    """Call `select_preset` at the start of the next run; for use after sliders are drawn."""
    st.session_state["preset to take"] = target


def history() -> History:
    """The history of moves, including a move that was made since the last run."""
    current = _position()
    return st.session_state.get(_HISTORY, History(current=current)).moved_to(current)


def undo() -> None:
    """Undo the last move; a callback."""
    _go_to(history().undone())
    st.rerun()


def redo() -> None:
    """Redo the move that was undone last; a callback."""
    _go_to(history().redone())
    st.rerun()


def move_sliders(to: Mapping[str, float]) -> None:
    """Set sliders to these values, by key; a callback."""
    st.session_state.update({key: as_widget(all_thresholds()[key], v) for key, v in to.items()})
    st.rerun()


def move_limit(key: str, new: Any) -> None:
    """Set one slider or mode by its widget key; a callback."""
    st.session_state[key] = new
    st.rerun()  # the whole page, since the widget in the sidebar shows the value too


def keep_undrawn_values(group: str, keys: Collection[str], keys_of_run: Collection[str]) -> None:
    """Keep the values of those `keys` that were drawn in the last run and are not in `keys_of_run`.

    Streamlit drops the value of a widget that it does not draw. Call this before drawing: a run may be cut short, and a
    fragment loses the values of widgets that it no longer draws before the whole page runs. group: a name for `keys`.
    """
    field = f"{group} that have a widget"
    for key in st.session_state.get(field, keys):
        if key not in keys_of_run and key in st.session_state:
            write_anew(key, st.session_state[key])
    st.session_state[field] = tuple(keys_of_run)


def write_anew(key: str, new_value: Any) -> None:
    """Set the value of `key`, whether or not it has a widget.

    Once a widget is not drawn, Streamlit restores the value that its key had before the widget existed, so that value
    has to be deleted first.
    """
    if key in st.session_state:
        del st.session_state[key]
    st.session_state[key] = new_value


def follow(widget: str) -> None:
    """Set the select box `widget` to the threshold whose slider was just moved. Call it before the box is drawn."""
    current = {key: st.session_state[key] for key in all_thresholds()}
    previous = st.session_state.setdefault(f"{widget} followed", current)
    changed_keys = [key for key in current if current[key] != previous[key]]
    if len(changed_keys) == 1:
        st.session_state[widget] = changed_keys[0]
    st.session_state[f"{widget} followed"] = current


def _go_to(target: History) -> None:
    """Apply the position of `target`; the default replaces a saved preset that no longer exists."""
    st.session_state.update(zip(limit_keys(), target.current, strict=True))
    if not is_there(st.session_state["preset"]):
        st.session_state["preset"] = "default"
    st.session_state[_HISTORY] = replace(target, current=_position())


def _position() -> Position:
    state = st.session_state.to_dict()
    return tuple(state[key] for key in limit_keys())


def is_there(name: str) -> bool:
    """True if a preset of this name ships with the app or is saved."""
    return name in presets() or SavedPresets(home_folder()).has_preset(name)
