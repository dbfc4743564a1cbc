"""The Tune page in Streamlit's AppTest, over a library of one chapter."""

from streamlit.testing.v1 import AppTest

from core.banks.saved import SavedBanks
from pages.components.shared.session import TUNE
from pages.components.tune.question_sets import shared_background
from tests.support.app_pages import PATIENCE, ROOT

PAGE = "pages/tune.py"
TEXT = "Photosynthesis is the process by which green plants make their own food. Chlorophyll is a green substance."


def open_tune_page(home, tab="Questions", name=""):
    """The Tune page with this tab and this set open; by default the first saved one, without any the sample."""
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE).run()
    if chosen := name or next(iter(SavedBanks(home).names()), ""):
        at.session_state[TUNE.bank.key] = chosen
    at.session_state[TUNE.tab.key] = tab
    at.switch_page(PAGE).run()
    assert not at.exception
    return at


def tab(at, name):
    """The same page with another tab open."""
    at.session_state[TUNE.tab.key] = name
    at.run()
    assert not at.exception
    return at


def measure_set(at, home, name):
    """The page after the run of this set has ended."""
    assert shared_background(str(home)).run(name).ended.wait(PATIENCE)
    at.run()
    assert not at.exception
    return at
