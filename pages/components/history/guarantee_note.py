"""The history beside the guarantee of the chosen preset: are questions still like those of its set?"""

import streamlit as st

from core.graph.startup import home_folder
from core.presets.saved import SavedPresets
from core.tuning.certificates import certificate_of, void_reason
from pages.components.shared.drift_box import drift_box
from pages.components.shared.limits import chosen_preset
from pages.components.shared.resources import current_conditions
from pages.components.shared.safe_display import ERRORS, show
from pages.components.shared.session import TUNE
from pages.components.shared.settings_box import chosen_settings


def guarantee_note() -> None:
    """Draw the drift since the guarantee of the chosen preset; nothing if it has no valid one."""
    preset = chosen_preset()
    try:
        certificate = certificate_of(SavedPresets(home_folder()), preset.name)
    except ERRORS as error:
        show(error)
        return
    if certificate and not void_reason(certificate, preset, current_conditions(*chosen_settings()).models_digest):
        drift_box(preset.name, certificate)
        if st.button("Open the guarantee", key="open the guarantee", icon=":material/verified:", type="tertiary"):
            TUNE.tab.value = "Limits"
            st.switch_page("pages/tune.py")
