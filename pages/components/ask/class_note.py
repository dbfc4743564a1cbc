"""A line on the Ask page on the limits that the class or subject of the question has for itself."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.checks import all_thresholds
from pages.components.shared.class_limits import own_positions, position
from pages.components.shared.safe_display import ERRORS, plain, show
from pages.components.shared.session import LIMITS


def class_note(form: Mapping[str, Any]) -> None:
    """Draw how many of the limits of the class and subject in `form` the sliders have; nothing if these have none."""
    try:
        own = own_positions(form)
    except ERRORS as error:
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


def draw_unread() -> None:
    """Draw, once, the errors that occurred when the limits of the question's class were read."""
    for error in LIMITS.class_errors.take():
        show(error)
