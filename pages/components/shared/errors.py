"""Errors of the core, shown as the one sentence that they are."""

import streamlit as st

from core.case import CaseError
from core.journal import JournalError
from core.library import LibraryError
from core.models.errors import ModelError
from core.presets.comparison import LinkError
from core.presets.saved import PresetError
from core.settings import SettingError
from core.text.hedges import PatternError
from core.thresholds import ThresholdError
from core.tuning.objectives import AimError
from pages.components.shared.plain_text import plain

ERRORS = (
    AimError, CaseError, JournalError, LibraryError, LinkError, ModelError, PatternError, PresetError, SettingError,
    ThresholdError,
)  # fmt: skip


def show(error: Exception) -> None:
    st.error(plain(str(error)), icon=":material/error:")
