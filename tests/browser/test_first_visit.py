"""The first visitor of a server opens a page by its address, not the start page."""

from pages.components.shared.page_run import PAGES
from tests.support.browser import come


def test_a_page_opened_first_has_the_navigation(own_window, address):
    page = own_window
    come(page, f"{address}/history")
    for title in PAGES.values():
        page.get_by_role("link", name=title, exact=True).wait_for()
    page.get_by_text("Nothing has been decided yet").wait_for()
    assert page.get_by_test_id("stSidebarNav").count() == 0
    page.get_by_role("link", name="Ask", exact=True).click()
    page.get_by_role("heading", name="What do your textbooks say?").wait_for()  # appears before the models are loaded
