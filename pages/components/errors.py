"""Errors of the core, shown as the one sentence that they are."""

import streamlit as st

from core.case import CaseError
from core.hedges import PatternError
from core.library import LibraryError
from core.models.errors import ModelError
from core.settings import SettingError
from core.thresholds import ThresholdError
from pages.components.plain import plain

ERRORS = (CaseError, LibraryError, ModelError, PatternError, SettingError, ThresholdError)


def show(error: Exception) -> None:
    st.error(plain(str(error)), icon=":material/error:")
