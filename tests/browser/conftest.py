"""One Streamlit server on a free port with a home of its own, and one window of Debian's Chromium in front of it.

Each test is a new visitor of both: a second server would load the models again, a second window compile Streamlit's
scripts again.
"""

import os
import shutil

import pytest

from core.lab.bench.app_in_browser import CHROMIUM, served
from pages.components.shared.session import PAGES
from tests.browser.waiting import PATIENCE, settle
from tests.test_connections import traced

EARLY = ("test_first_visit.py", "test_accessibility.py")
"""Tests of a server that nobody has visited, and of pages on which nothing was done yet: they come before all others."""
SCREEN = {"width": 1280, "height": 1000}
STILL = """addEventListener('DOMContentLoaded', () => {
    document.head.append(Object.assign(document.createElement('style'), {textContent:
        '*, ::before, ::after { animation-duration: 0s !important; animation-iteration-count: 1 !important; ' +
        'transition-duration: 0s !important }'}));
})"""
"""Nothing fades, slides or spins: a browser without a graphics card takes most of a processor to draw a wheel that turns."""


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: (*EARLY, item.path.name).index(item.path.name))


@pytest.fixture(scope="session")
def chromium():
    """A headless browser; without one the tests are skipped, or fail where REQUIRE_BROWSER is 1."""
    path = shutil.which("chromium")
    if path is None:
        missing = pytest.fail if os.environ.get("REQUIRE_BROWSER") == "1" else pytest.skip
        missing("no chromium is on the PATH; install Debian's package chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def address(chromium, sample_home, tmp_path_factory):
    """Where the app listens, with a home of its own. Whatever was done with it, it has asked nobody outside."""
    with pytest.MonkeyPatch.context() as environment:
        outside = traced(tmp_path_factory.mktemp("tracer"), environment)
        with served("app.py", sample_home("browser")) as url:
            environment.undo()
            yield url
            assert outside() == []


def window(chromium):
    """A window that shares nothing with any other; all that it shows is still."""
    page = chromium.new_context(viewport=SCREEN, reduced_motion="reduce").new_page()
    page.add_init_script(STILL)
    page.set_default_timeout(PATIENCE)
    return page


def come(page, url):
    """A new visitor in this window, of whom neither the app nor the browser knows anything, at `url`."""
    page.context.clear_cookies()
    if page.url.startswith("http"):
        page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    page.set_viewport_size(SCREEN)
    page.emulate_media(color_scheme="light")
    page.goto(url)


def come_to(page, address, name):
    """The same on another page than the first, by its address; the page, drawn."""
    come(page, f"{address}/{name}")
    page.get_by_role("heading", name=PAGES[name], exact=True).wait_for()
    settle(page)
    return page


@pytest.fixture(scope="session")
def own_window(chromium):
    return window(chromium)


@pytest.fixture(scope="session")
def other_window(chromium):
    """That of somebody else."""
    return window(chromium)


@pytest.fixture
def page(own_window, address):
    """A new visitor on the Ask page, with the cases to try before them and the main limits in the sidebar."""
    come(own_window, address)
    own_window.get_by_text("Try one of these").wait_for()
    settle(own_window)
    return own_window


@pytest.fixture
def opened(own_window, address):
    """Lets a new visitor come to another page, by its name in PAGES."""
    return lambda name: come_to(own_window, address, name)
