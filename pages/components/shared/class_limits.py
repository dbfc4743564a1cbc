"""Sets the sliders to the limits of the class and subject of a question when it is asked, and sets them back when the
next question is asked.

A slider that the user moves keeps the user's value until the next question.
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.checks import all_thresholds
from core.graph.startup import home_folder
from core.presets.by_class import ClassLimits, for_scope, limits_by_class, presets_covering
from core.question import Scope
from core.thresholds import Preset
from pages.components.shared.limits import (
    as_widget,
    chosen_preset,
    limit_widgets,
    mode_key,
    positions,
    set_limits,
)
from pages.components.shared.session import LIMITS
from pages.components.shared.session_types import ClassMove


def entries_for(form: Mapping[str, Any]) -> list[ClassLimits]:
    """The entries of the table "Limits by class" that apply to the class and subject in a form, the most specific one
    last.

    Raises PresetError if the table cannot be read.
    """
    return presets_covering(_scope(form), limits_by_class(home_folder()))


def own_positions(form: Mapping[str, Any]) -> dict[str, Any]:
    """The values of sliders and modes that are set for the class and the subject in a form, by widget key.

    Raises PresetError if the table of these limits cannot be read.
    """
    own = for_scope(Preset(), _scope(form), limits_by_class(home_folder()))
    sliders = {key: as_widget(all_thresholds()[key], limit) for key, limit in own.thresholds.items()}
    return sliders | {mode_key(name): mode for name, mode in own.modes.items()}


def move_to(own: Mapping[str, Any]) -> None:
    """Set the sliders and modes to the limits of a class; what the limits of an earlier class have set is undone first.
    A callback.

    own: the values to set, from `own_positions`.
    """
    put_back()
    name = LIMITS.preset.value
    moves = [ClassMove(key=key, old=position(key), new=own[key], preset=name) for key in differing(own)]
    set_limits({move.key: move.new for move in moves})
    LIMITS.class_moves.value = moves


def put_back() -> None:
    """Restore the sliders and modes that the limits of a class have set, unless a user has moved them since; a
    callback."""
    set_limits({move.key: move.old for move in unchanged_class_moves()})
    LIMITS.class_moves.clear()


def unchanged_class_moves() -> list[ClassMove]:
    """The moves made by the limits of a class that no user has changed since."""
    name = LIMITS.preset.value
    return [move for move in LIMITS.class_moves.value if move.preset == name and position(move.key) == move.new]


def differing(own: Mapping[str, Any]) -> list[str]:
    """The keys of the sliders and modes whose current value is not that in `own`. own: the values of a class, from
    `own_positions`."""
    return [key for key, new in own.items() if position(key) != new]


def position(key: str) -> Any:
    """The current value of a slider or a mode. key: of its widget."""
    return limit_widgets()[key].value


def adopt(own: Mapping[str, Any]) -> None:
    """After an old decision was opened with its limits, record those of them that its class had set, so that `put_back`
    undoes them; a callback.

    own: the values that the class has now, from `own_positions`.
    """
    base, name = positions(chosen_preset()), LIMITS.preset.value
    LIMITS.class_moves.value = [
        ClassMove(key=key, old=base[key], new=new, preset=name)
        for key, new in own.items()
        if position(key) == new and base[key] != new
    ]


def use_again(own: Mapping[str, Any]) -> None:
    """Call `move_to` and draw the whole page; a callback."""
    move_to(own)
    st.rerun()


def undo_moves() -> None:
    """Call `put_back` and draw the whole page; a callback."""
    put_back()
    st.rerun()


def _scope(form: Mapping[str, Any]) -> Scope:
    return Scope(class_number=form["class_number"] or None, subject=form["subject"])
