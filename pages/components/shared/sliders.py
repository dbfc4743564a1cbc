"""The one slider of a limit and the one choice of a check's mode, wherever the app draws them."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import streamlit as st

from core.check import Check, source_title
from core.checks import check_of
from core.reply.display_rounding import threshold_value
from core.thresholds import MODE_NAMES, MODES, Threshold
from pages.components.shared.limits import as_widget, chosen_preset, limit_widgets, mode_key, reset
from pages.components.shared.safe_display import plain
from pages.components.shared.session_values import Value, Widget

ARROWS = {"higher": "↑", "lower": "↓", "neither": ""}
"""An arrow in the stricter direction of a threshold."""


def slider(t: Threshold, strips: Mapping[str, str] = MappingProxyType({}), place: str = "") -> None:
    """Draw a slider, or a switch for a limit of two values, and under it its strip and its reset button.

    strips: the strip of each slider as HTML, by key. place: where it is drawn besides the sidebar, such as "check".
    """
    own, on_change = _in(place, t.key)
    with st.container(gap=None):  # what is under a slider lies closer to it than to the next one
        if t.switch:
            st.toggle(t.label, **own.kept, help=help_text(t), on_change=on_change)
        else:
            st.slider(
                label(t), as_widget(t, t.low), as_widget(t, t.high), as_widget(t, t.default), as_widget(t, t.step),
                **own.kept, format="%d" if t.whole else "%.2f", help=help_text(t) if place else None,
                on_change=on_change,
            )  # fmt: skip
        if t.key in strips:
            st.html(strips[t.key])
        chosen = chosen_preset().value(t)
        if not place and limit_widgets()[t.key].value != as_widget(t, chosen):
            st.button(
                "", key=f"reset {t.key}", icon=":material/undo:", type="tertiary", on_click=reset, args=(t.key,),
                help=f"Back to {threshold_value(t, chosen)}",
            )  # fmt: skip


def mode(check: Check, place: str = "") -> None:
    """Draw the choice of what a check does: block, monitor, or nothing."""
    own, on_change = _in(place, mode_key(check.name))
    st.selectbox(
        check.plain, MODES, **own.kept, format_func=MODE_NAMES.get, help=plain(check.doc()), on_change=on_change,
        label_visibility="collapsed" if place else "visible",
    )  # fmt: skip


def mode_switch(name: str) -> None:
    """Draw the mode of a check as a switch between Block and Monitor."""
    check, widget, switch = check_of(name), limit_widgets()[mode_key(name)], Value(False, f"{name} as a switch")
    switch.value = widget.value == "blocks"

    def move() -> None:
        widget.value = "blocks" if switch.value else "watches"

    st.toggle(f"Block unless {check.plain[:1].lower()}{check.plain[1:]}", key=switch.key, on_change=move)


def _in(place: str, key: str) -> tuple[Widget[Any], Callable[[], None] | None]:
    """(widget, callback) of a limit in this place. A second widget of a limit shows the value of the first one, and
    sets it when it is moved."""
    main = limit_widgets()[key]
    if not place:
        return main, None
    own = Widget[Any](None, f"{place} {key}")
    if own.value != main.value:
        own.value = main.value

    def move() -> None:
        main.value = own.value

    return own, move


def label(t: Threshold) -> str:
    """The label of a slider: name, unit, and an arrow in the stricter direction."""
    arrow = ARROWS[t.stricter]
    return f"{t.label} ({t.unit})" + (f"\u00a0{arrow}" if arrow else "")


def help_text(t: Threshold) -> str:
    """What a slider does, its stricter direction, its default and origin, and its key."""
    direction = "" if t.stricter == "neither" else f" {t.stricter.capitalize()} is stricter ({ARROWS[t.stricter]})."
    return plain(
        f"{t.help}{direction} Default {threshold_value(t, t.default)}, from {source_title(t.source_document)}. "
        f"Name: {t.key}"
    )
