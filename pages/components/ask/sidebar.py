"""The sidebar of the Ask page: preset, sliders, and apart from them what re-runs the models."""

import streamlit as st

from core.settings import Settings
from pages.components.ask.key_sliders import first_sliders, shown_switch
from pages.components.shared.preset_box import preset_box
from pages.components.shared.settings_box import settings_box
from pages.components.shared.sliders import all_sliders


def sidebar() -> tuple[str, Settings]:
    """Draws it; returns the profile and the settings that it now says."""
    with st.sidebar:
        preset_box()
        others = shown_switch()
        all_sliders(first_sliders(), others=others)
        return settings_box()
