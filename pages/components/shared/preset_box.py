"""The preset, what has been moved since it was picked, and the ways back."""

import streamlit as st

from core.presets import presets
from core.presets.named import titled
from core.presets.saved import SavedPresets, named_preset
from core.startup import home_folder
from pages.components.shared.errors import ERRORS, show
from pages.components.shared.limits import chosen_preset, history, moved, redo, reset, undo
from pages.components.shared.link import open_link, share_dialog
from pages.components.shared.plain_text import plain
from pages.components.shared.preset_comparison import compare_dialog
from pages.components.shared.save_preset import save_dialog
from pages.components.shared.session import value


def preset_box() -> None:
    with st.container():  # always there: what comes and goes above the sliders would take the keyboard's focus
        open_link()
        _say_what_is_broken()
    names = [*presets(), *SavedPresets(home_folder()).names()]
    st.selectbox("Preset", names, key="preset", format_func=titled, on_change=reset)
    st.caption(plain(chosen_preset().help))
    _ways_back()
    with st.container(horizontal=True, gap="small"):
        if st.button("Save", key="save preset", icon=":material/bookmark_add:", type="tertiary"):
            save_dialog()
        if st.button("Share", key="share preset", icon=":material/link:", type="tertiary"):
            share_dialog()
        if st.button("Compare", key="compare presets", icon=":material/compare_arrows:", type="tertiary"):
            compare_dialog()


def _say_what_is_broken() -> None:
    """The sentence of a saved preset that was picked and cannot be read."""
    try:
        named_preset(value("preset"), home_folder())
    except ERRORS as error:
        show(error)


def _ways_back() -> None:
    """Undo, redo and reset. Their keys are not Ctrl+Z, which Streamlit would take from a text that is being typed."""
    count, steps = len(moved()), history()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":blue[**{count} moved**] from the preset" if count else "As the preset has it", width="content")
        st.button(
            "Reset", key="reset all", icon=":material/restart_alt:", type="tertiary", on_click=reset,
            disabled=not count,
        )  # fmt: skip
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Undo", key="undo", icon=":material/undo:", type="tertiary", on_click=undo, disabled=not steps.past,
            shortcut="Alt+Z",
        )  # fmt: skip
        st.button(
            "Redo", key="redo", icon=":material/redo:", type="tertiary", on_click=redo, disabled=not steps.future,
            shortcut="Alt+Shift+Z",
        )  # fmt: skip
