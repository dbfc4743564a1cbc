"""Opens a page of the app in a browser as a new visitor."""

from pages.components.shared.page_run import PAGES
from tests.support.browser_waiting import settle

SCREEN = {"width": 1280, "height": 1000}


def come(page, url):
    """Open `url` as a new visitor: without cookies and without stored data."""
    page.context.clear_cookies()
    if page.url.startswith("http"):
        page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    page.set_viewport_size(SCREEN)
    page.emulate_media(color_scheme="light")
    page.goto(url)


def come_to(page, address, name):
    """Open a page by its address as a new visitor, and wait until it is drawn. name: the page's key in PAGES."""
    come(page, f"{address}/{name}")
    page.get_by_role("heading", name=PAGES[name], exact=True).wait_for()
    settle(page)
    return page
