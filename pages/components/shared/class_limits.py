"""Sets the sliders to the limits of the class and subject of a question when it is asked, and back for the next; and
says how many of them are in use.

A slider that the user moves keeps the user's value until then.
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.checks import all_thresholds
from core.errors import UserError
from core.platform.home import home_folder
from core.presets.by_class import for_scope, limits_by_class
from core.question import Scope
from core.thresholds import Preset
from pages.components.shared.limits import as_widget, limit_widgets, mode_key, set_limits
from pages.components.shared.safe_display import plain, show
from pages.components.shared.session import LIMITS
from pages.components.shared.session_types import ClassMove


def own_positions(form: Mapping[str, Any]) -> dict[str, Any]:
    """The values of sliders and modes that are set for the class and the subject in a form, by widget key.

    Raises PresetError if the file of these limits cannot be read.
    """
    scope = Scope(class_number=form["class_number"] or None, subject=form["subject"])
    own = for_scope(Preset(), scope, limits_by_class(home_folder()))
    sliders = {key: as_widget(all_thresholds()[key], limit) for key, limit in own.thresholds.items()}
    return sliders | {mode_key(name): mode for name, mode in own.modes.items()}


def move_to(own: Mapping[str, Any]) -> None:
    """Set the sliders and modes to the limits of a class; what the limits of an earlier class have set is undone first.
    A callback.

    own: the values to set, from `own_positions`.
    """
    put_back()
    name = LIMITS.preset.value
    moves = [
        ClassMove(key=key, old=position(key), new=new, preset=name) for key, new in own.items() if position(key) != new
    ]
    set_limits({move.key: move.new for move in moves})
    LIMITS.class_moves.value = moves


def put_back() -> None:
    """Restore the sliders and modes that the limits of a class have set, unless a user has moved them or taken another
    preset since; a callback."""
    moves, name = LIMITS.class_moves.take(), LIMITS.preset.value
    set_limits({move.key: move.old for move in moves if move.preset == name and position(move.key) == move.new})


def position(key: str) -> Any:
    """The current value of a slider or a mode. key: of its widget."""
    return limit_widgets()[key].value


def class_note(form: Mapping[str, Any]) -> None:
    """Draw how many of the limits of the class and subject in `form` the sliders have; nothing if these have none."""
    try:
        own = own_positions(form)
    except UserError as error:
        show(error)
        return
    if own:
        in_use = sum(position(key) == value for key, value in own.items())
        scope = " and ".join(filter(None, (form["subject"], form["class_number"] and f"class {form['class_number']}")))
        names = {key: threshold.label for key, threshold in all_thresholds().items()}
        st.caption(
            plain(f"Limits for {scope}: {in_use} of {len(own)} in use."),
            help=plain("; ".join(f"{names.get(key, key)} {value}" for key, value in own.items())),
        )
