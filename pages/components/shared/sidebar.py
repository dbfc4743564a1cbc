"""The sidebar of the Ask and Tune pages: the preset, sliders and modes, and the settings that re-run the models."""

from collections.abc import Callable, Collection, Mapping
from functools import partial

import streamlit as st

from core.check import GROUPS, Check, source_title
from core.checks import all_checks, all_thresholds, check_of
from core.reply.display_rounding import threshold_value
from core.settings import Settings
from core.thresholds import MODE_NAMES, MODES, Threshold
from pages.components.shared.limits import (
    as_widget,
    changed_limits,
    chosen_preset,
    keep_undrawn_values,
    limit_widgets,
    mode_key,
    reset,
)
from pages.components.shared.page_run import is_rendered, prepare_fragment
from pages.components.shared.presets import UNDO_STATE, has_undo_changed, preset_box
from pages.components.shared.safe_display import plain
from pages.components.shared.session import LIMITS
from pages.components.shared.settings_box import settings_box

DETAIL_OPTIONS = ("Essentials", "All")
ESSENTIALS = (
    "topic_relevance.max_topic_mismatch_score", "confidence.min_confidence", "support.min_support",
    "answer_relevance.min_answer_relevance",
)  # fmt: skip
"""The sliders that are always drawn first, in this order; with SWITCH there are five essentials."""
SWITCH = "numbers"
"""The check whose mode is the fifth of the essentials, as a switch between Block and Monitor."""
ARROWS = {"higher": "↑", "lower": "↓", "neither": ""}
"""An arrow in the stricter direction of a threshold."""

DECISION_FIELDS = "what limits decide"
"""Key of the fragment of a page that is drawn again when a limit moves."""
Strips = Callable[[Collection[str]], Mapping[str, str]]
"""Maps slider keys to the pictures under these sliders, as HTML."""


def sidebar(
    strips: Strips = lambda _: {}, whole: Callable[[], bool] = lambda: True, legend: str = ""
) -> tuple[str, Settings]:
    """Draw the sidebar; return the model profile and the settings.

    strips: draws the pictures under sliders. whole: whether a moved limit needs a run of the whole page, not of the
    fragment `DECISION_FIELDS` alone. legend: what the pictures show, as HTML.
    """
    with st.sidebar:
        preset_box()
        limits_box(strips, whole, legend)
        return settings_box()


def limits_box(strips: Strips = lambda _: {}, whole: Callable[[], bool] = lambda: True, legend: str = "") -> None:
    """Draw the five essentials. Below them draw every check if the user has chosen "All", otherwise the limits that
    differ from the preset.

    strips, whole: as for `sidebar`.
    """
    has_all = _shows_all()
    checks = _matching(LIMITS.search.value) if has_all else ()
    others = [t.key for check in checks for t in check.thresholds().values() if t.key not in ESSENTIALS]
    modes = [mode_key(check.name) for check in checks]
    keys = [] if has_all else [key for key in changed_limits() if key not in (*ESSENTIALS, mode_key(SWITCH))]
    keep_undrawn_values("limits", limit_widgets().values(), [*ESSENTIALS, *others, *modes, *keys])
    LIMITS.under.value = _under_sliders([*ESSENTIALS, *others, *(k for k in keys if k in all_thresholds())], strips)
    if legend and any(picture for picture, _ in LIMITS.under.value.values()):
        st.html(legend)
    move = partial(_redraw, strips, whole)
    with st.container(key="main limits", gap="small"):
        for key in ESSENTIALS:
            with st.container(gap=None):  # the text under a slider lies closer to it than to the next one
                _slider(all_thresholds()[key], move)
        _switch(move)
    if keys:
        st.markdown("**Changed**")
        with st.container(key="pinned limits", gap="small"):
            for key in keys:
                with st.container(gap=None):
                    _slider(all_thresholds()[key], move) if key in all_thresholds() else _mode(check_of(key), move)
    if has_all:
        st.text_input("Search", key=LIMITS.search.key, placeholder="a check or a limit", icon=":material/search:")
    for stage, title in GROUPS.items():
        if members := [check for check in checks if check.stage == stage]:
            with st.expander(title, expanded=True):
                for check in members:
                    _check(check, move)
    if has_all and not checks:
        st.caption("No check and no limit has these words in its name.")


def _shows_all() -> bool:
    """Draw the switch between the essentials and all limits, and return True if the user wants all."""
    help_ = "The five limits that matter most, always in the same order, or every limit of every check."
    selected = st.segmented_control(
        "Limits", DETAIL_OPTIONS, key=LIMITS.shown.key, required=True, help=help_, label_visibility="collapsed"
    )
    return selected == "All"


def _matching(words: str) -> tuple[Check, ...]:
    """The checks for which each word in `words` is in the name of the check or in the names of its limits."""

    def text(check: Check) -> str:
        names = (check.name, check.short, check.plain, *(f"{t.label} {t.key}" for t in check.thresholds().values()))
        return " ".join(names).lower()

    return tuple(check for check in all_checks() if all(word in text(check) for word in words.lower().split()))


def _switch(move: Callable[[], None]) -> None:
    """Draw the switch that lets the check SWITCH block or only monitor."""
    check = check_of(SWITCH)
    mode = limit_widgets()[mode_key(SWITCH)]
    LIMITS.number_switch.value = mode.value == "blocks"

    def on_switch() -> None:
        mode.value = "blocks" if LIMITS.number_switch.value else "watches"
        move()

    label = f"Block unless {check.plain[:1].lower()}{check.plain[1:]}"
    st.toggle(label, key=LIMITS.number_switch.key, on_change=on_switch, help=plain(check.doc()))


def _check(check: Check, move: Callable[[], None]) -> None:
    """Draw the mode of a check and its sliders, except those that are essentials, which are drawn above. move: called
    after a move."""
    _mode(check, move)
    for threshold in check.thresholds().values():
        if threshold.key not in ESSENTIALS:
            _slider(threshold, move)


def _mode(check: Check, move: Callable[[], None]) -> None:
    st.selectbox(
        check.plain, MODES, key=mode_key(check.name), format_func=MODE_NAMES.get, help=plain(check.doc()),
        on_change=move,
    )  # fmt: skip


def _slider(t: Threshold, move: Callable[[], None]) -> None:
    """Draw a slider, or a switch for a limit of two values, and under it its picture and its reset button."""
    if t.switch:
        st.toggle(t.label, key=t.key, help=help_text(t), on_change=move)
    else:
        st.slider(
            label(t), as_widget(t, t.low), as_widget(t, t.high), as_widget(t, t.default), as_widget(t, t.step),
            key=t.key, format="%d" if t.whole else "%.2f", help=help_text(t), on_change=move,
        )  # fmt: skip
    st.fragment(_strip_and_reset, key=_fragment_key(t.key))(t.key)


def _fragment_key(key: str) -> str:
    return f"under {key}"


def _strip_and_reset(key: str) -> None:
    """Draw the picture under a slider, and a reset button if the slider was moved."""
    picture, preset_value = LIMITS.under.value[key]
    if picture:
        st.html(picture)
    if preset_value:
        st.button(
            "", key=f"reset {key}", icon=":material/undo:", type="tertiary", help=f"Back to {preset_value}",
            on_click=reset, args=(key,),
        )  # fmt: skip


def _under_sliders(keys: Collection[str], strips: Strips) -> dict[str, tuple[str, str]]:
    """For each slider by key: (its picture, its value in the preset). The picture is "" if there is none, and the value
    is "" if the slider was not moved."""
    thresholds, base, changes, pictures = all_thresholds(), chosen_preset().thresholds, changed_limits(), strips(keys)
    preset_values = {
        key: threshold_value(thresholds[key], base.get(key, thresholds[key].default)) for key in keys if key in changes
    }
    return {key: (pictures.get(key, ""), preset_values.get(key, "")) for key in keys}


def _redraw(strips: Strips, whole: Callable[[], bool]) -> None:
    """After a move, rerun only the fragments that show decisions, and those of the sidebar that changed; a callback.

    Sliders and forms are not drawn again, since each costs a message to the browser. If `whole` returns True, this does
    nothing, and Streamlit runs the whole page.
    """
    if not is_rendered() or whole():
        return
    prepare_fragment()
    before = LIMITS.under.value
    after = LIMITS.under.value = _under_sliders(before, strips)
    fragments = [_fragment_key(key) for key in after if after[key] != before[key]]
    st.rerun([DECISION_FIELDS, *fragments, *([UNDO_STATE] if has_undo_changed() else [])])


def label(t: Threshold) -> str:
    """The label of a slider: name, unit, and an arrow in the stricter direction."""
    arrow = ARROWS[t.stricter]
    return f"{t.label} ({t.unit})" + (f"\u00a0{arrow}" if arrow else "")


def help_text(t: Threshold) -> str:
    """The help text of a slider: what it does, its stricter direction, its original value and origin, and its key."""
    direction = "" if t.stricter == "neither" else f" {t.stricter.capitalize()} is stricter ({ARROWS[t.stricter]})."
    return plain(
        f"{t.help}{direction} Printed value {threshold_value(t, t.default)}, "
        f"from {source_title(t.source_document)}. Name: {t.key}"
    )
