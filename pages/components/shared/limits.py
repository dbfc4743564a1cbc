"""The limits as the user has set them: the preset, every slider and mode, which of them differ from the preset,
undo and redo, and the limits of the class and subject of a question, which hold while it is on screen."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import streamlit as st

from core.checks import all_checks, all_thresholds
from core.platform.home import home_folder
from core.presets import PresetError, modes_of, preset, presets, values
from core.presets.by_class import for_scope, limits_by_class
from core.presets.saved import SavedPresets, named_preset
from core.question import Scope
from core.thresholds import Preset, Threshold
from pages.components.shared.session import LIMITS, TUNE
from pages.components.shared.session_types import History, Position
from pages.components.shared.session_values import Group, Widget


def mode_key(check: str) -> str:
    return f"{check}.mode"


def as_widget(threshold: Threshold, number: float) -> float:
    """A number in the type that its widget needs: bool for a switch, int for a threshold with whole numbers, else
    float."""
    if threshold.switch:
        return bool(number)
    return int(number) if threshold.whole else float(number)


def positions(base: Preset) -> dict[str, Any]:
    """The value of every slider and mode under `base`, by widget key."""
    thresholds = all_thresholds()
    sliders = {key: as_widget(thresholds[key], v) for key, v in values(base).items()}
    return sliders | {mode_key(name): mode for name, mode in modes_of(base).items()}


class _Sliders(Group):
    """Every slider and mode, from the declared thresholds and checks. A slider has the key of its threshold."""

    @cached_property
    def widgets(self) -> dict[str, Widget[Any]]:
        return {key: Widget(initial, key) for key, initial in positions(preset("default")).items()}


SLIDERS = _Sliders()


def prepare_limits() -> None:
    """Prepare the limits for a run, once all widgets have a value: replace a preset that no longer exists by the
    default, select a preset that was requested for this run, and record the last move for undo."""
    if (name := existing_preset(LIMITS.preset.value)) != LIMITS.preset.value:
        LIMITS.preset.value = name
    if pending := LIMITS.pending.take():
        select_preset(pending)
    LIMITS.history.value = history()


def chosen_preset() -> Preset:
    """The selected preset without the user's moves; the default if a saved preset cannot be read."""
    try:
        return named_preset(LIMITS.preset.value, home_folder())
    except PresetError:
        return preset("default")


def current_preset() -> Preset:
    """The selected preset with the current values of every slider and mode."""
    current = SLIDERS.values
    thresholds = {key: float(current[key]) for key in all_thresholds()}
    return chosen_preset().with_values(thresholds, {c.name: current[mode_key(c.name)] for c in all_checks()})


def changed_limits() -> tuple[str, ...]:
    """Keys of the sliders and modes that differ from the selected preset."""
    current = SLIDERS.values
    return tuple(key for key, v in positions(chosen_preset()).items() if current[key] != v)


def reset(*keys: str) -> None:
    """Reset these sliders and modes, or all without `keys`, to the selected preset; a callback."""
    SLIDERS.fill({key: v for key, v in positions(chosen_preset()).items() if not keys or key in keys})
    st.rerun()  # the whole page, even if the button lies in a fragment


def select_preset(target: Preset) -> None:
    """Select the preset with the name of `target`, or the default if there is none any more, and set every slider and
    mode to the values of `target`, before any of these widgets is drawn."""
    LIMITS.preset.value = existing_preset(target.name)
    SLIDERS.fill(positions(target))
    LIMITS.history.value = history()


def select_preset_next(target: Preset) -> None:
    """Call `select_preset` at the start of the next run; for use after sliders are drawn."""
    LIMITS.pending.value = target


def history() -> History:
    """The history of moves, including a move that was made since the last run."""
    current = _position()
    return (LIMITS.history.value or History(steps=(current,))).moved_to(current)


def step(by: int) -> None:
    """Undo the last move (-1), or redo the move that was undone last (1); a callback."""
    target = history().gone(by)
    name, *limits = target.current
    LIMITS.preset.value = existing_preset(name)
    SLIDERS.fill(dict(zip(SLIDERS.widgets, limits, strict=True)))
    steps = (*target.steps[: target.at], _position(), *target.steps[target.at + 1 :])
    LIMITS.history.value = History(steps=steps, at=target.at)
    st.rerun()


def move_sliders(to: Mapping[str, float]) -> None:
    """Set sliders to these values, by key; a callback."""
    SLIDERS.fill({key: as_widget(all_thresholds()[key], v) for key, v in to.items()})
    st.rerun()


def follow_last_move() -> None:
    """If exactly one slider has moved since the last run, select its threshold for the curve on Tune. Call it before
    the choice of the curve is drawn."""
    values_by_key = SLIDERS.values
    current = {key: values_by_key[key] for key in all_thresholds()}
    previous = TUNE.limits_at_curve.value or current
    changed_keys = [key for key in current if current[key] != previous[key]]
    if len(changed_keys) == 1:
        TUNE.curve.value = changed_keys[0]
    TUNE.limits_at_curve.value = current


def _position() -> Position:
    return LIMITS.preset.value, *SLIDERS.values.values()


def existing_preset(name: str) -> str:
    """The name of a preset; that of the default for a saved preset that was deleted meanwhile."""
    return name if name in presets() or name in SavedPresets(home_folder()).names() else "default"


def class_limits(form: Mapping[str, Any]) -> dict[str, Any]:
    """The values of sliders and modes that are set for the class and the subject in a form, by widget key.

    Raises PresetError if the file of these limits cannot be read.
    """
    scope = Scope(class_number=form["class_number"] or None, subject=form["subject"])
    own = for_scope(Preset(), scope, limits_by_class(home_folder()))
    sliders = {key: as_widget(all_thresholds()[key], limit) for key, limit in own.thresholds.items()}
    return sliders | {mode_key(name): mode for name, mode in own.modes.items()}


def use_class_limits(own: Mapping[str, Any]) -> None:
    """Set the sliders and modes to the limits of a class, from `class_limits`; what the limits of an earlier class have
    set is undone first. A callback.

    A slider that the user moves keeps the user's value until the next question.
    """
    leave_class_limits()
    current = SLIDERS.values
    moves = {key: (current[key], new) for key, new in own.items() if current[key] != new}
    LIMITS.class_moves.value = LIMITS.preset.value, moves
    SLIDERS.fill(own)


def leave_class_limits() -> None:
    """Restore the sliders and modes that the limits of a class have set, unless a user has moved them or taken another
    preset since; a callback."""
    name, moves = LIMITS.class_moves.take()
    if name == LIMITS.preset.value:
        current = SLIDERS.values
        SLIDERS.fill({key: old for key, (old, new) in moves.items() if current[key] == new})
