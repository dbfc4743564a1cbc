"""A note on the History page that says if the questions in the journal still resemble those from which the guarantee of
the chosen preset was computed."""

import streamlit as st

from core.graph.startup import home_folder
from core.presets.saved import SavedPresets
from core.tuning.certificates import certificate_of, void_reason
from core.tuning.drift import Drift
from pages.components.shared.drift_box import drift_box, drift_of
from pages.components.shared.limits import chosen_preset
from pages.components.shared.resources import current_conditions
from pages.components.shared.safe_display import ERRORS, show
from pages.components.shared.session import TUNE
from pages.components.shared.settings_box import chosen_settings


def guarantee_note() -> None:
    """Draw the drift since the guarantee of the chosen preset was saved, and a link to that guarantee. Draw nothing if
    the preset has no valid guarantee."""
    preset = chosen_preset()
    try:
        certificate = certificate_of(SavedPresets(home_folder()), preset.name)
    except ERRORS as error:
        show(error)
        return
    if certificate and not void_reason(certificate, preset, current_conditions(*chosen_settings()).models_digest):
        drift = drift_of(preset.name, certificate)
        if drift:
            drift_box(drift)
        _open_button(drift)


def _open_button(drift: Drift | None) -> None:
    """Draw the button that opens the guarantee on Tune. Its icon is a warning if `drift` has the state "different",
    else a tick."""
    icon = ":material/gpp_maybe:" if drift and drift.state == "different" else ":material/verified:"
    if st.button("Open the guarantee", key="open the guarantee", icon=icon, type="tertiary"):
        TUNE.tab.value = "Limits"
        st.switch_page("pages/tune.py")
