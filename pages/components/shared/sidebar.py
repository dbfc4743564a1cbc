"""The sidebar of Ask and Tune: the preset, five sliders, all thresholds folded, and what re-runs the models."""

from collections.abc import Callable, Collection, Mapping

import streamlit as st

from core.check import GROUPS, Check
from core.checks import all_checks, all_thresholds, check_of
from core.settings import Settings
from pages.components.shared.limits import changed_limits, mode_key
from pages.components.shared.presets import limits_button, preset_box
from pages.components.shared.session import LIMITS
from pages.components.shared.settings_box import settings_box
from pages.components.shared.sliders import mode, mode_switch, slider

ESSENTIALS = (
    "topic_relevance.max_topic_mismatch_score", "confidence.min_confidence", "support.min_support",
    "answer_relevance.min_answer_relevance",
)  # fmt: skip
"""The sliders that are always drawn, in this order; with SWITCH there are five essentials."""
SWITCH = "numbers"
"""The check whose mode is the fifth of the essentials, as a switch between Block and Monitor."""
Strips = Callable[[Collection[str]], Mapping[str, str]]
"""Maps slider keys to the strips under these sliders, as HTML."""


def no_strips(_: Collection[str]) -> Mapping[str, str]:
    return {}


def sidebar(strips: Strips = no_strips, legend: str = "") -> tuple[str, Settings]:
    """Draw the sidebar; return the model profile and the settings. legend: what the strips show, as HTML."""
    with st.sidebar:
        preset_box()
        limits_box(strips, legend)
        return settings_box()


def limits_box(strips: Strips = no_strips, legend: str = "") -> None:
    """Draw the five essentials, then the other limits that differ from the preset, and a box with all thresholds."""
    with st.container(key="main limits", gap="small"):
        pictures = strips(ESSENTIALS)
        for key in ESSENTIALS:
            slider(all_thresholds()[key], pictures)
        mode_switch(SWITCH)
    with st.container(key="pinned limits", gap="small"):
        if not LIMITS.all_box.value:
            _changed(strips)
    box = st.expander("All thresholds", key=LIMITS.all_box.key, icon=":material/tune:", on_change="rerun")
    if box.open:  # a closed box is neither drawn nor sent
        with box:
            limits_button("sidebar")
            _all(strips, legend)


def _changed(strips: Strips) -> None:
    """Draw the limits that differ from the preset, besides the essentials."""
    keys = [key for key in changed_limits() if key not in (*ESSENTIALS, mode_key(SWITCH))]
    pictures = strips(keys)
    for key in keys:
        slider(all_thresholds()[key], pictures) if key in all_thresholds() else mode(check_of(key))


def _all(strips: Strips, legend: str) -> None:
    """Draw the mode and the other limits of every check, or of those that a search finds."""
    st.text_input("Search", **LIMITS.search.kept, placeholder="a check or a limit", icon=":material/search:")
    checks = _matching(LIMITS.search.value)
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
                for threshold in check.thresholds().values():
                    if threshold.key not in ESSENTIALS:
                        slider(threshold, pictures)


def _matching(words: str) -> tuple[Check, ...]:
    """The checks for which each word in `words` is in the name of the check or in the names of its limits."""

    def text(check: Check) -> str:
        names = (check.name, check.short, check.plain, *(f"{t.label} {t.key}" for t in check.thresholds().values()))
        return " ".join(names).lower()

    return tuple(check for check in all_checks() if all(word in text(check) for word in words.lower().split()))
