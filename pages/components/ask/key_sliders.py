"""The five limits that matter most for the question on screen, before all the others."""

import streamlit as st

from core.case import Trace
from core.chain import verdict
from core.chain.check_results import main_limits
from core.thresholds import Preset
from pages.components.shared.session import first_limits

SHOWN = ("Main five", "All")


def shown_switch() -> bool:
    """The switch; True when the limits beyond the main five are shown too."""
    help_ = "The five limits that the verdict on this question hangs on, or every limit of every check."
    return st.segmented_control("Limits", SHOWN, key="limits shown", required=True, help=help_) == "All"


def first_sliders() -> tuple[str, ...]:
    """The keys of the five, the most pressing first."""
    return first_limits(_chosen)


def _chosen(trace: Trace, preset: Preset) -> tuple[str, ...]:
    return main_limits(verdict(trace, preset).checks)
