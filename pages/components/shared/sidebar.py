"""The sidebar of Ask and Tune: the preset, five sliders, all thresholds folded, and what re-runs the models. Its slider
of a limit and its choice of a check's mode are also drawn elsewhere."""

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Any

import streamlit as st

from core.check import GROUPS, Check, source_title
from core.checks import all_checks, all_thresholds, check_of
from core.reply.display_rounding import threshold_value
from core.thresholds import MODE_NAMES, MODES, Threshold
from pages.components.shared.limits import SLIDERS, as_widget, changed_limits, chosen_preset, mode_key, reset
from pages.components.shared.presets import limits_button, preset_box
from pages.components.shared.safe_display import plain
from pages.components.shared.session import LIMITS
from pages.components.shared.session_values import Value, Widget
from pages.components.shared.settings_box import settings_box

ESSENTIALS = (
    "topic_relevance.max_topic_mismatch_score", "confidence.min_confidence", "support.min_support",
    "answer_relevance.min_answer_relevance",
)  # fmt: skip
"""The sliders that are always drawn, in this order; with SWITCH there are five essentials."""
SWITCH = "numbers"
"""The check whose mode is the fifth of the essentials, as a switch between Block and Monitor."""
ARROWS = {"higher": "↑", "lower": "↓", "neither": ""}
"""An arrow in the stricter direction of a threshold."""
Strips = Callable[[Collection[str]], Mapping[str, str]]
"""Maps slider keys to the strips under these sliders, as HTML."""


def sidebar(strips: Strips = lambda _: {}, legend: str = "") -> None:
    """Draw the sidebar. legend: what the strips show, as HTML."""
    with st.sidebar:
        preset_box()
        limits_box(strips, legend)
        settings_box()


def limits_box(strips: Strips = lambda _: {}, legend: str = "") -> None:
    """Draw the five essentials, then the other limits that differ from the preset, and a box with all thresholds."""
    with st.container(key="main limits", gap="small"):
        _sliders(ESSENTIALS, strips(ESSENTIALS))
        _switch(SWITCH)
    with st.container(key="pinned limits", gap="small"):
        drawn = (*ESSENTIALS, mode_key(SWITCH))
        keys = () if LIMITS.all_box.value else [key for key in changed_limits() if key not in drawn]
        _sliders(keys, strips(keys) if keys else {})
    box = st.expander("All thresholds", key=LIMITS.all_box.key, icon=":material/tune:", on_change="rerun")
    if box.open:  # a closed box is neither drawn nor sent
        with box:
            limits_button("sidebar")
            _all(strips, legend)


def _sliders(keys: Collection[str], strips: Mapping[str, str]) -> None:
    """Draw the sliders and modes of these keys, each slider with its strip."""
    for key in keys:
        slider(all_thresholds()[key], strips) if key in all_thresholds() else mode(check_of(key))


def _all(strips: Strips, legend: str) -> None:
    """Draw the mode and the other limits of every check, or of those whose name or limits have all words of a
    search."""
    st.text_input("Search", **LIMITS.search.kept, placeholder="a check or a limit", icon=":material/search:")
    words, checks = LIMITS.search.value.lower().split(), []
    for check in all_checks():
        names = (check.name, check.short, check.plain, *(f"{t.label} {t.key}" for t in check.thresholds().values()))
        if all(word in " ".join(names).lower() for word in words):
            checks.append(check)
    if not checks:
        st.caption("No check and no limit has these words in its name.")
    pictures = strips([t.key for check in checks for t in check.thresholds().values()])
    if pictures and legend:
        st.html(legend)
    for stage, title in GROUPS.items():
        if members := [check for check in checks if check.stage == stage]:
            st.markdown(f"**{title}**")
            for check in members:
                mode(check)
                _sliders([t.key for t in check.thresholds().values() if t.key not in ESSENTIALS], pictures)


def slider(t: Threshold, strips: Mapping[str, str] = MappingProxyType({}), place: str = "") -> None:
    """Draw a slider, or a switch for a limit of two values, and under it its strip and its reset button.

    strips: the strip of each slider as HTML, by key. place: where it is drawn besides the sidebar, such as "check".
    """
    own, on_change = _in(place, t.key)
    with st.container(gap=None):  # what is under a slider lies closer to it than to the next one
        if t.switch:
            st.toggle(t.label, **own.kept, help=help_text(t), on_change=on_change)
        else:
            low, high, value, step = (as_widget(t, number) for number in (t.low, t.high, t.default, t.step))
            st.slider(
                label(t), low, high, value, step, **own.kept, format="%d" if t.whole else "%.2f",
                help=help_text(t) if place else None, on_change=on_change,
            )  # fmt: skip
        if t.key in strips:
            st.html(strips[t.key])
        chosen = chosen_preset().value(t)
        if not place and own.value != as_widget(t, chosen):
            st.button(
                "", key=f"reset {t.key}", icon=":material/undo:", type="tertiary", on_click=reset, args=(t.key,),
                help=f"Back to {threshold_value(t, chosen)}",
            )  # fmt: skip


def mode(check: Check, place: str = "") -> None:
    """Draw the choice of what a check does: block, monitor, or nothing. place: as in `slider`."""
    own, on_change = _in(place, mode_key(check.name))
    st.selectbox(
        check.plain, MODES, **own.kept, format_func=MODE_NAMES.get, help=plain(check.doc()), on_change=on_change,
        label_visibility="collapsed" if place else "visible",
    )  # fmt: skip


def _switch(name: str) -> None:
    """Draw the mode of a check as a switch between Block and Monitor."""
    check, widget, switch = check_of(name), SLIDERS.widgets[mode_key(name)], Value(False, f"{name} as a switch")
    switch.value = widget.value == "blocks"

    def move() -> None:
        widget.value = "blocks" if switch.value else "watches"

    st.toggle(f"Block unless {check.plain[:1].lower()}{check.plain[1:]}", key=switch.key, on_change=move)


def _in(place: str, key: str) -> tuple[Widget[Any], Callable[[], None] | None]:
    """(widget, callback) of a limit in this place. A second widget of a limit shows the value of the first one, and
    sets it when it is moved."""
    main = SLIDERS.widgets[key]
    if not place:
        return main, None
    own = Widget[Any](None, f"{place} {key}")
    if own.value != main.value:
        own.value = main.value
    return own, lambda: main.set(own.value)


def label(t: Threshold) -> str:
    """The label of a slider: name, unit, and an arrow in the stricter direction."""
    return f"{t.label} ({t.unit})\u00a0{ARROWS[t.stricter]}".rstrip("\u00a0")


def help_text(t: Threshold) -> str:
    """What a slider does, its stricter direction, its default and origin, and its key."""
    direction = "" if t.stricter == "neither" else f" {t.stricter.capitalize()} is stricter ({ARROWS[t.stricter]})."
    origin = f"Default {threshold_value(t, t.default)}, from {source_title(t.source_document)}."
    return plain(f"{t.help}{direction} {origin} Name: {t.key}")
