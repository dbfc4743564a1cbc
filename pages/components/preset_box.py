"""The preset, what has been moved since it was picked, and the way back."""

import streamlit as st

from core.presets import presets
from pages.components.plain import plain
from pages.components.session import chosen_preset, moved, reset


def preset_box() -> None:
    st.selectbox("Preset", list(presets()), key="preset", format_func=_titled, on_change=reset)
    st.caption(plain(chosen_preset().help))
    count = len(moved())
    # Always drawn: what comes and goes above the sliders would take the keyboard's focus from them.
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":blue[**{count} moved**] from the preset" if count else "As the preset has it", width="content")
        st.button("Reset", key="reset all", icon=":material/undo:", type="tertiary", on_click=reset, disabled=not count)


def _titled(name: str) -> str:
    """A preset's name as people say it: seed_a is Seed A."""
    word, _, letter = name.partition("_")
    return f"{word.capitalize()} {letter.upper()}".strip()
