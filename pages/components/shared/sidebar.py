"""The sidebar of the Ask and Tune pages: the preset, sliders and modes, and the settings that re-run the models."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

import streamlit as st

from core.case import Trace
from core.chain.display_rounding import threshold_value
from core.check import GROUPS, Check, source_title
from core.checks import all_checks, all_thresholds, check_of
from core.settings import Settings
from core.sweep.sensitivity import main_limits
from core.thresholds import MODE_NAMES, MODES, Preset, Threshold
from pages.components.shared.limits import as_widget, chosen_preset, hold, limit_keys, mode_key, moved, reset
from pages.components.shared.presets import WAYS_BACK, preset_box, take_away, ways_changed
from pages.components.shared.question_state import first_limits, sensitivity_of
from pages.components.shared.safe_display import plain
from pages.components.shared.session import is_standing, notes, seed_part
from pages.components.shared.settings_box import settings_box

SHOWN = ("Essentials", "All")
FIRST = "Key thresholds"
NONE = "No single limit changes how this question ends."
ARROWS = {"higher": "↑", "lower": "↓", "neither": ""}
"""An arrow in the stricter direction of a threshold."""

DECIDED = "what limits decide"
"""Key of the fragment of a page that is drawn again when a limit moves."""
_UNDER = "under the sliders"
Strips = Callable[[Collection[str]], Mapping[str, str]]
"""Maps slider keys to the pictures under these sliders, as HTML."""


def sidebar(strips: Strips = lambda _: {}, whole: Callable[[], bool] = lambda: True) -> tuple[str, Settings]:
    """Draw the sidebar; return the model profile and the settings.

    strips: draws the pictures under sliders. whole: whether a moved limit needs a run of the whole page, not of the
    fragment `DECIDED` alone.
    """
    with st.sidebar:
        preset_box()
        all_sliders(first_limits(_main_five), strips, whole, others=shown_switch())
        take_away()
        return settings_box()


def shown_switch() -> bool:
    """Draw the switch between the main five limits and all; True if all are shown."""
    help_ = "The five limits that the verdict on this question hangs on, or every limit of every check."
    selected = st.segmented_control(
        "Limits", SHOWN, key="limits shown", required=True, help=help_, label_visibility="collapsed"
    )
    return selected == "All"


def _main_five(trace: Trace, preset: Preset) -> tuple[str, ...]:
    """The keys of the five limits that matter most for the verdict, the most pressing first."""
    return main_limits(sensitivity_of(trace), preset)


def all_sliders(
    first: Sequence[str] = (), strips: Strips = lambda _: {}, whole: Callable[[], bool] = lambda: True,
    *, others: bool = True,
) -> None:  # fmt: skip
    """Draw the sliders of the keys `first`; then, if `others`, every check with its mode and its other sliders."""
    hold("limits", limit_keys()[1:], limit_keys()[1:] if others else first)
    notes(_UNDER)[:] = [_under_sliders(all_thresholds() if others else first, strips)]
    move = partial(_moved, strips, whole)
    st.markdown(f"**{FIRST}**" if first else f":gray[{NONE}]")
    with st.container(key="main limits", gap="small"):
        for key in first:
            with st.container(gap=None):  # the text under a slider lies closer to it than to the next one
                st.caption(plain(check_of(key).plain))
                _slider(all_thresholds()[key], move)
    for stage, title in GROUPS.items() if others else ():
        with st.expander(title, expanded=True):
            for check in (c for c in all_checks() if c.stage == stage):
                _check(check, first, move)


def _check(check: Check, drawn: Collection[str], move: Callable[[], None]) -> None:
    """Draw the mode of a check and its sliders, except those whose keys are already `drawn`."""
    st.selectbox(
        check.plain, MODES, key=mode_key(check.name), format_func=MODE_NAMES.get, help=plain(check.doc()),
        on_change=move,
    )  # fmt: skip
    for threshold in check.thresholds().values():
        if threshold.key not in drawn:
            _slider(threshold, move)


def _slider(t: Threshold, move: Callable[[], None]) -> None:
    """Draw a slider, and under it a fragment with its picture and its reset button."""
    st.slider(
        label(t), as_widget(t, t.low), as_widget(t, t.high), as_widget(t, t.default), as_widget(t, t.step),
        key=t.key, format="%d" if t.whole else "%.2f", help=help_text(t), on_change=move,
    )  # fmt: skip
    st.fragment(_strip_and_reset, key=_fragment_key(t.key))(t.key)


def _fragment_key(key: str) -> str:
    return f"under {key}"


def _strip_and_reset(key: str) -> None:
    """Draw the picture under a slider, and a reset button if the slider was moved."""
    picture, preset_value = notes(_UNDER)[0][key]
    if picture:
        st.html(picture)
    if preset_value:
        st.button(
            "", key=f"reset {key}", icon=":material/undo:", type="tertiary", help=f"Back to {preset_value}",
            on_click=reset, args=(key,),
        )  # fmt: skip


def _under_sliders(keys: Collection[str], strips: Strips) -> dict[str, tuple[str, str]]:
    """For each slider its picture and, if it was moved, its value in the preset; "" for a missing one."""
    thresholds, base, changed, pictures = all_thresholds(), chosen_preset().thresholds, moved(), strips(keys)
    preset_values = {
        key: threshold_value(thresholds[key], base.get(key, thresholds[key].default)) for key in keys if key in changed
    }
    return {key: (pictures.get(key, ""), preset_values.get(key, "")) for key in keys}


def _moved(strips: Strips, whole: Callable[[], bool]) -> None:
    """After a move, draw again only what limits decide and what changed in the sidebar; a callback.

    Sliders and forms are not drawn again, since each costs a message to the browser. If the whole page is needed, this
    does nothing and Streamlit runs it.
    """
    if not is_standing() or whole():
        return
    seed_part()
    (before,) = notes(_UNDER)
    notes(_UNDER)[:] = [after := _under_sliders(before, strips)]
    changed = [_fragment_key(key) for key in after if after[key] != before[key]]
    st.rerun([DECIDED, *changed, *([WAYS_BACK] if ways_changed() else [])])


def label(t: Threshold) -> str:
    """The label of a slider: name, unit, and an arrow in the stricter direction."""
    arrow = ARROWS[t.stricter]
    return f"{t.label} ({t.unit})" + (f"\u00a0{arrow}" if arrow else "")


def help_text(t: Threshold) -> str:
    """The help text of a slider: what it does, its stricter direction, its original value and origin, and its key."""
    direction = "" if t.stricter == "neither" else f" {t.stricter.capitalize()} is stricter ({ARROWS[t.stricter]})."
    return plain(
        f"{t.help}{direction} As printed {threshold_value(t, t.default)}, "
        f"from {source_title(t.source_document)}. Name: {t.key}"
    )
