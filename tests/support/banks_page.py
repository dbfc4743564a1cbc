"""The Banks page in Streamlit's AppTest, over a library of one chapter."""

from streamlit.testing.v1 import AppTest

from pages.components.shared.resources import shared_background
from tests.support.app_pages import PATIENCE, ROOT

PAGE = "pages/banks.py"
TEXT = "Photosynthesis is the process by which green plants make their own food. Chlorophyll is a green substance."


def opened(home, page=PAGE):
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE).run()
    at.switch_page(page).run()
    assert not at.exception
    return at


def measured(at, home, name):
    """The page after the run of this bank has ended."""
    assert shared_background(str(home)).run(name).ended.wait(PATIENCE)
    at.run()
    assert not at.exception
    return at
