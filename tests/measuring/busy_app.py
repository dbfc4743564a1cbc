"""The Ask page while a bank is measured behind it: BUSY says with which models, fake or real, or not at all."""

import os
import runpy
from pathlib import Path

import streamlit as st

from core.banks import TUNING, read_bank
from core.banks.background_measuring import Background
from core.banks.saved import SavedBanks
from core.settings import Settings
from pages.components.shared.resources import shared_explorer
from pages.components.shared.session import seed
from tests.measuring import fast

ROOT = Path(__file__).parents[2]
HOME = Path(os.environ["GUARDRAIL_HOME"])
ROWS = 2000


def page() -> None:
    runpy.run_path(str(ROOT / "pages" / "ask.py"))
    begin()


@st.cache_resource
def begin() -> None:
    """Start to measure, once a process."""
    if os.environ["BUSY"] == "fake":
        fast.fill(HOME / "fake", ROWS)
        Background(HOME / "fake").start(fast.BANK, fast.explorer(HOME / "fake"))
    elif os.environ["BUSY"] == "real":
        SavedBanks(HOME).add(fast.BANK, read_bank(TUNING))
        Background(HOME).start(fast.BANK, shared_explorer("bundled", Settings()))


st.set_page_config(page_title="Busy", layout="wide", initial_sidebar_state=350)
seed()
st.navigation([st.Page(page, title="Ask")], position="top").run()
