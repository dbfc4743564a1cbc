"""The first visitor of a server comes by the address of a page, and not through the first one."""

import pytest

from core.workshop.bench.browser import served
from pages.components.shared.session import PAGES
from tests.browser.conftest import PATIENCE


@pytest.fixture
def address(chromium, tmp_path):
    with served("app.py", tmp_path / "home") as url:
        yield url


def test_a_page_opened_first_stands_among_the_others(chromium, address):
    page = chromium.new_context(viewport={"width": 1280, "height": 1000}).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/journal")
    for title in PAGES.values():
        page.get_by_role("link", name=title, exact=True).wait_for()
    page.get_by_text("Nothing has been decided yet").wait_for()
    assert page.get_by_test_id("stSidebarNav").count() == 0
    page.get_by_role("link", name="Ask", exact=True).click()
    page.get_by_role("heading", name="What do your textbooks say?").wait_for()  # drawn before the models are loaded
    page.context.close()
