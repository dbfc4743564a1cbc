"""A line on the Ask page on the limits that the class or subject of the question has for itself."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.presentation.class_words import limit_names, moves_text, own_limits_text, value_text
from pages.components.shared.class_limits import (
    differing,
    entries_for,
    own_positions,
    unchanged_class_moves,
    undo_moves,
    use_again,
)
from pages.components.shared.safe_display import ERRORS, plain, show
from pages.components.shared.session import LIMITS


def class_note(form: Mapping[str, Any]) -> None:
    """Draw a line that says if the sliders have the limits of the class and subject in `form`. Draw nothing if these
    have no limits of their own."""
    try:
        entries, own = entries_for(form), own_positions(form)
    except ERRORS as error:
        show(error)
        return
    if not own:
        return
    names = limit_names()
    others = differing(own)
    moved = [move.key for move in unchanged_class_moves() if move.key in own]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="limits of the class"):
        st.caption(
            f":material/school: {plain(f'{own_limits_text(entries)}{state_text(others, moved)}')}",
            help=plain("; ".join(f"{names[key]}: {value_text(key, position)}" for key, position in own.items())),
            width="content",
        )
        if others:
            st.button("Use them", key="use limits of the class", type="tertiary", on_click=use_again, args=(own,))
        elif moved:
            st.button("Undo", key="undo limits of the class", type="tertiary", on_click=undo_moves)


def state_text(others: list[str], moved: list[str]) -> str:
    """The end of the line of `class_note`.

    others: keys of the sliders and modes that differ from the limits of the class. moved: keys of those that these
    limits have moved.
    """
    if others:
        return f": {moves_text(others)} {'differs' if len(others) == 1 else 'differ'} from them."
    return f": {moves_text(moved)} moved." if moved else ", and the sliders match them."


def draw_unread() -> None:
    """Draw, once, the errors that occurred when the limits of the question's class were read."""
    for error in LIMITS.class_errors.take():
        show(error)
