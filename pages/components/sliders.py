"""Sliders and modes, drawn from the declarations of the checks."""

import streamlit as st

from core.check import Check, all_checks
from core.thresholds import MODES, Threshold
from pages.components.digits import threshold_value
from pages.components.plain import plain
from pages.components.session import as_widget, chosen_preset, mode_key, moved, reset

GROUPS = {"query": "Finding passages", "answer": "The answer"}
"""What the checks of each stage guard."""
ARROWS = {"higher": "↑", "lower": "↓", "neither": ""}
"""The stricter direction."""


def all_sliders() -> None:
    """Every check in its group, with its mode and its sliders."""
    changed = frozenset(moved())
    for stage, title in GROUPS.items():
        with st.expander(title, expanded=True):
            for check in all_checks():
                if check.stage == stage:
                    _check(check, changed)


def _check(check: Check, changed: frozenset[str]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{check.plain}**", help=plain(check.doc()), width=136)
        st.selectbox(f"Mode of {check.name}", MODES, key=mode_key(check.name), label_visibility="collapsed", width=104)
    for threshold in check.thresholds().values():
        _slider(threshold, threshold.key in changed)


def _slider(t: Threshold, is_moved: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.slider(
            label(t), as_widget(t, t.low), as_widget(t, t.high), step=as_widget(t, t.step), key=t.key,
            format="%d" if t.whole else "%.2f", help=help_text(t),
        )  # fmt: skip
        if is_moved:
            back = threshold_value(t, chosen_preset().thresholds.get(t.key, t.default))
            st.button(
                "", key=f"reset {t.key}", icon=":material/undo:", type="tertiary", help=f"Back to {back}",
                on_click=reset, args=(t.key,),
            )  # fmt: skip


def label(t: Threshold) -> str:
    """What a slider is called: its label, its unit, and an arrow in the stricter direction."""
    arrow = ARROWS[t.stricter]
    return f"{t.label} ({t.unit})" + (f"\u00a0{arrow}" if arrow else "")


def help_text(t: Threshold) -> str:
    """What a slider does, which way is stricter, its default and the seed that it comes from."""
    way = "" if t.stricter == "neither" else f" {t.stricter.capitalize()} is stricter ({ARROWS[t.stricter]})."
    source = "ours" if t.seed == "ours" else f"seed {t.seed}"
    return plain(f"{t.help}{way} Default {threshold_value(t, t.default)}, from {source}. Name: {t.key}")
