"""The sidebar of the Ask and Tune pages: preset, sliders and modes, and apart from them what re-runs the models."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

import streamlit as st

from core.case import Trace
from core.chain.display_rounding import threshold_value
from core.check import GROUPS, Check
from core.checks import all_checks, all_thresholds, check_of
from core.settings import Settings
from core.sweep.sensitivity import main_limits
from core.thresholds import MODES, Preset, Threshold
from pages.components.shared.limits import as_widget, chosen_preset, hold, limit_keys, mode_key, moved, reset
from pages.components.shared.presets import WAYS_BACK, preset_box, take_away, ways_changed
from pages.components.shared.question_state import first_limits, sensitivity_of
from pages.components.shared.safe_display import plain
from pages.components.shared.session import is_standing, notes, seed_part
from pages.components.shared.settings_box import settings_box

SHOWN = ("Main five", "All")
FIRST = "What matters most here"
NONE = "No single limit changes how this question ends."
ARROWS = {"higher": "↑", "lower": "↓", "neither": ""}
"""The stricter direction."""

DECIDED = "what limits decide"
"""The part of a page that is drawn again when a limit was moved."""
_UNDER = "under the sliders"
Strips = Callable[[Collection[str]], Mapping[str, str]]
"""The pictures under the sliders of these keys, as HTML."""


def sidebar(strips: Strips = lambda _: {}, whole: Callable[[], bool] = lambda: True) -> tuple[str, Settings]:
    """Draws it; returns the profile and the settings that it now says.

    whole: whether the whole page has to run for the limits as they stand, rather than the part `DECIDED` alone.
    """
    with st.sidebar:
        preset_box()
        all_sliders(first_limits(_chosen), strips, whole, others=shown_switch())
        take_away()
        return settings_box()


def shown_switch() -> bool:
    """The switch; True when the limits beyond the main five are shown too."""
    help_ = "The five limits that the verdict on this question hangs on, or every limit of every check."
    shown = st.segmented_control(
        "Limits", SHOWN, key="limits shown", required=True, help=help_, label_visibility="collapsed"
    )
    return shown == "All"


def _chosen(trace: Trace, preset: Preset) -> tuple[str, ...]:
    """The keys of the five, the most pressing first."""
    return main_limits(sensitivity_of(trace), preset)


def all_sliders(
    first: Sequence[str] = (), strips: Strips = lambda _: {}, whole: Callable[[], bool] = lambda: True,
    *, others: bool = True,
) -> None:  # fmt: skip
    """The sliders of the keys `first`, then, unless only they are wanted, every check with its mode and the rest."""
    hold("limits", limit_keys()[1:], limit_keys()[1:] if others else first)
    notes(_UNDER)[:] = [_under_sliders(all_thresholds() if others else first, strips)]
    move = partial(_moved, strips, whole)
    st.markdown(f"**{FIRST}**" if first else f":gray[{NONE}]")
    with st.container(key="main limits", gap="small"):
        for key in first:
            with st.container(gap=None):  # what is said under a slider stands nearer to it than to the next
                st.caption(plain(check_of(key).plain))
                _slider(all_thresholds()[key], move)
    for stage, title in GROUPS.items() if others else ():
        with st.expander(title, expanded=True):
            for check in all_checks():
                if check.stage == stage:
                    _check(check, first, move)


def _check(check: Check, above: Collection[str], move: Callable[[], None]) -> None:
    """A check with its mode and its sliders, save those that stand above."""
    st.selectbox(check.plain, MODES, key=mode_key(check.name), help=plain(check.doc()), on_change=move)
    for threshold in check.thresholds().values():
        if threshold.key not in above:
            _slider(threshold, move)


def _slider(t: Threshold, move: Callable[[], None]) -> None:
    """One slider with what stands under it, a part of the page that can be drawn again alone."""
    st.slider(
        label(t), as_widget(t, t.low), as_widget(t, t.high), as_widget(t, t.default), as_widget(t, t.step),
        key=t.key, format="%d" if t.whole else "%.2f", help=help_text(t), on_change=move,
    )  # fmt: skip
    st.fragment(_under, key=_part(t.key))(t.key)


def _part(key: str) -> str:
    return f"under {key}"


def _under(key: str) -> None:
    """The strip under a slider; and the way back of one that was moved, which is seen beside it."""
    picture, back = notes(_UNDER)[0][key]
    if picture:
        st.html(picture)
    if back:
        st.button(
            "", key=f"reset {key}", icon=":material/undo:", type="tertiary", help=f"Back to {back}", on_click=reset,
            args=(key,),
        )  # fmt: skip


def _under_sliders(keys: Collection[str], strips: Strips) -> dict[str, tuple[str, str]]:
    """Under each of these sliders its strip, and where the way back leads; "" where there is none."""
    known, base, changed, drawn = all_thresholds(), chosen_preset().thresholds, moved(), strips(keys)
    back = {key: threshold_value(known[key], base.get(key, known[key].default)) for key in keys if key in changed}
    return {key: (drawn.get(key, ""), back.get(key, "")) for key in keys}


def _moved(strips: Strips, whole: Callable[[], bool]) -> None:
    """After a move: where the page stands, only what limits decide is drawn again, and of the sidebar what has changed.

    A callback. Sliders and forms stand as they are: each of them would be a message to draw it as it is.
    """
    if not is_standing() or whole():
        return
    seed_part()
    (before,) = notes(_UNDER)
    notes(_UNDER)[:] = [after := _under_sliders(before, strips)]
    changed = [_part(key) for key in after if after[key] != before[key]]
    st.rerun([DECIDED, *changed, *([WAYS_BACK] if ways_changed() else [])])


def label(t: Threshold) -> str:
    """What a slider is called: its label, its unit, and an arrow in the stricter direction."""
    arrow = ARROWS[t.stricter]
    return f"{t.label} ({t.unit})" + (f"\u00a0{arrow}" if arrow else "")


def help_text(t: Threshold) -> str:
    """What a slider does, which way is stricter, the number as printed and the seed that it comes from."""
    way = "" if t.stricter == "neither" else f" {t.stricter.capitalize()} is stricter ({ARROWS[t.stricter]})."
    source = "ours" if t.seed == "ours" else f"seed {t.seed}"
    return plain(f"{t.help}{way} As printed {threshold_value(t, t.default)}, from {source}. Name: {t.key}")
