"""The limits of the class and subject of a question on the sliders: put there when it is asked, taken off by the next.

A move by hand wins until the next question.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.checks import all_thresholds
from core.graph.startup import home_folder
from core.presets.by_class import ClassLimits, covering, for_scope, limits_by_class
from core.question import Scope
from core.thresholds import Preset
from pages.components.shared.limits import as_widget, chosen_preset, mode_key, positions
from pages.components.shared.session import CLASS_MOVES, fill, notes, value

NOT_READ = "limits by class that cannot be read"
"""Key of the note with the error because of which a question was not asked."""


@dataclass(frozen=True, kw_only=True)
class Move:
    """A slider or a mode that the limits of a class moved. preset: the name of the preset at that time."""

    key: str
    old: Any
    new: Any
    preset: str

    @property
    def stands(self) -> bool:
        """True if nobody has moved it since."""
        return value("preset") == self.preset and value(self.key) == self.new


def entries_for(form: Mapping[str, Any]) -> list[ClassLimits]:
    """The entries for the class and the subject in a question's form, the most exact one last. Raises PresetError."""
    return covering(_scope(form), limits_by_class(home_folder()))


def own_positions(form: Mapping[str, Any]) -> dict[str, Any]:
    """Where the class and the subject in a form want sliders and modes, by widget key. Raises PresetError."""
    own = for_scope(Preset(), _scope(form), limits_by_class(home_folder()))
    sliders = {key: as_widget(all_thresholds()[key], limit) for key, limit in own.thresholds.items()}
    return sliders | {mode_key(name): mode for name, mode in own.modes.items()}


def move_to(own: Mapping[str, Any]) -> None:
    """Put the sliders where a class wants them, in place of what another class has moved; a callback.

    own: of `own_positions`.
    """
    put_back()
    name = value("preset")
    moves = [Move(key=key, old=value(key), new=new, preset=name) for key, new in own.items() if value(key) != new]
    _set({move.key: move.new for move in moves})
    notes(CLASS_MOVES)[:] = moves


def put_back() -> None:
    """Put back what the limits of a class have moved and nobody has moved since; a callback."""
    _set({move.key: move.old for move in notes(CLASS_MOVES) if move.stands})
    notes(CLASS_MOVES).clear()


def standing_moves() -> list[Move]:
    """What the limits of a class have moved and nobody has moved since."""
    return [move for move in notes(CLASS_MOVES) if move.stands]


def adopt(own: Mapping[str, Any]) -> None:
    """Take limits that were restored with a decision of the same class as moved by that class; a callback."""
    base, name = positions(chosen_preset()), value("preset")
    notes(CLASS_MOVES)[:] = [
        Move(key=key, old=base[key], new=new, preset=name)
        for key, new in own.items()
        if value(key) == new and base[key] != new
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


def _set(new_positions: Mapping[str, Any]) -> None:
    for key, position in new_positions.items():
        fill(key, position)
