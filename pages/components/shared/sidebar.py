"""The sidebar of the Ask and Tune pages: preset, sliders and modes, and apart from them what re-runs the models."""

from collections.abc import Collection, Sequence
from typing import Any

import streamlit as st

from core.case import Trace
from core.chain.number_format import threshold_value
from core.check import GROUPS, Check
from core.checks import all_checks, all_thresholds, check_of
from core.settings import Settings
from core.sweep.main_limits import main_limits
from core.thresholds import MODES, Preset, Threshold
from pages.components.shared.asked_question import first_limits, sensitivity_of
from pages.components.shared.limits import as_widget, chosen_preset, hold, limit_keys, mode_key, moved, reset
from pages.components.shared.presets import preset_box, take_away
from pages.components.shared.safe_display import plain
from pages.components.shared.session import leave_room
from pages.components.shared.settings_box import settings_box

SHOWN = ("Main five", "All")
FIRST = "What matters most here"
NONE = "No single limit changes how this question ends."
ARROWS = {"higher": "↑", "lower": "↓", "neither": ""}
"""The stricter direction."""


def sidebar() -> tuple[str, Settings]:
    """Draws it; returns the profile and the settings that it now says."""
    with st.sidebar:
        preset_box()
        all_sliders(first_sliders(), others=shown_switch())
        take_away()
        return settings_box()


def shown_switch() -> bool:
    """The switch; True when the limits beyond the main five are shown too."""
    help_ = "The five limits that the verdict on this question hangs on, or every limit of every check."
    shown = st.segmented_control(
        "Limits", SHOWN, key="limits shown", required=True, help=help_, label_visibility="collapsed"
    )
    return shown == "All"


def first_sliders() -> tuple[str, ...]:
    """The keys of the five, the most pressing first."""
    return first_limits(_chosen)


def _chosen(trace: Trace, preset: Preset) -> tuple[str, ...]:
    return main_limits(sensitivity_of(trace), preset)


def all_sliders(first: Sequence[str] = (), *, others: bool = True) -> None:
    """The sliders of the keys `first`, then, unless only they are wanted, every check with its mode and the rest.

    Under each slider room is left for its strip.
    """
    hold("limits", limit_keys()[1:], limit_keys()[1:] if others else first)
    changed, places = frozenset(moved()), {}
    st.markdown(f"**{FIRST}**" if first else f":gray[{NONE}]")
    with st.container(key="main limits", gap="small"):
        for key in first:
            with st.container(gap=None):  # what is said under a slider stands nearer to it than to the next
                st.caption(plain(check_of(key).plain))
                places[key] = _slider(all_thresholds()[key], key in changed)
    for stage, title in GROUPS.items() if others else ():
        with st.expander(title, expanded=True):
            for check in all_checks():
                if check.stage == stage:
                    places |= _check(check, changed, first)
    leave_room(places)


def _check(check: Check, changed: frozenset[str], above: Collection[str]) -> dict[str, Any]:
    """A check with its mode and its sliders, save those that stand above; the room under each."""
    st.selectbox(check.plain, MODES, key=mode_key(check.name), help=plain(check.doc()))
    below = [t for t in check.thresholds().values() if t.key not in above]
    return {t.key: _slider(t, t.key in changed) for t in below}


def _slider(t: Threshold, is_moved: bool) -> Any:
    """One slider; returns the room under it."""
    st.slider(
        label(t), as_widget(t, t.low), as_widget(t, t.high), as_widget(t, t.default), as_widget(t, t.step),
        key=t.key, format="%d" if t.whole else "%.2f", help=help_text(t),
    )  # fmt: skip
    room = st.container(key=f"strip {t.key}")
    if is_moved:  # it is drawn beside the slider
        back = threshold_value(t, chosen_preset().thresholds.get(t.key, t.default))
        room.button(
            "", key=f"reset {t.key}", icon=":material/undo:", type="tertiary", help=f"Back to {back}",
            on_click=reset, args=(t.key,),
        )  # fmt: skip
    return room


def label(t: Threshold) -> str:
    """What a slider is called: its label, its unit, and an arrow in the stricter direction."""
    arrow = ARROWS[t.stricter]
    return f"{t.label} ({t.unit})" + (f"\u00a0{arrow}" if arrow else "")


def help_text(t: Threshold) -> str:
    """What a slider does, which way is stricter, the number as printed and the seed that it comes from."""
    way = "" if t.stricter == "neither" else f" {t.stricter.capitalize()} is stricter ({ARROWS[t.stricter]})."
    source = "ours" if t.seed == "ours" else f"seed {t.seed}"
    return plain(f"{t.help}{way} As printed {threshold_value(t, t.default)}, from {source}. Name: {t.key}")
