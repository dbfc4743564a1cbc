"""Errors of the core, shown as the one sentence that they are."""

import streamlit as st

from core.aims import AimError
from core.case import CaseError
from core.hedges import PatternError
from core.journal import JournalError
from core.library import LibraryError
from core.models.errors import ModelError
from core.preset_link import LinkError
from core.saved_presets import PresetError
from core.settings import SettingError
from core.thresholds import ThresholdError
from pages.components.plain import plain

ERRORS = (
    AimError, CaseError, JournalError, LibraryError, LinkError, ModelError, PatternError, PresetError, SettingError,
    ThresholdError,
)  # fmt: skip


def show(error: Exception) -> None:
    st.error(plain(str(error)), icon=":material/error:")
