"""Fixtures: one Streamlit server on a free port with its own home, and one window of Debian's Chromium.

All tests share both, and each test starts as a new visitor: a second server would load the models again, and a second
window would compile Streamlit's scripts again.
"""

import os
import shutil

import pytest

from core.lab.bench.app_in_browser import CHROMIUM, served
from tests.support.browser import PATIENCE, SCREEN, come, come_to, settle
from tests.support.connections import traced

EARLY = ("test_first_visit.py", "test_accessibility.py")
"""Tests that run first: they need a server without visitors, or pages without any earlier action."""
STILL = """addEventListener('DOMContentLoaded', () => {
    document.head.append(Object.assign(document.createElement('style'), {textContent:
        '*, ::before, ::after { animation-duration: 0s !important; animation-iteration-count: 1 !important; ' +
        'transition-duration: 0s !important }'}));
})"""
"""Disables animations: without a graphics card, a spinner takes most of a processor."""


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: (*EARLY, item.path.name).index(item.path.name))


@pytest.fixture(scope="session")
def chromium():
    """A headless browser. Without one the tests are skipped, or fail if REQUIRE_BROWSER is 1."""
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
def app_home(sample_home):
    """The run-time folder of the app."""
    return sample_home("browser")


@pytest.fixture(scope="session")
def address(chromium, app_home, tmp_path_factory):
    """The address of the app with its own home. At the end, check that it made no outside connection."""
    with pytest.MonkeyPatch.context() as environment:
        outside = traced(tmp_path_factory.mktemp("tracer"), environment)
        with served("app.py", app_home) as url:
            environment.undo()
            yield url
            assert outside() == []


def window(chromium):
    """A window with its own browser context and without animations."""
    page = chromium.new_context(viewport=SCREEN, reduced_motion="reduce").new_page()
    page.add_init_script(STILL)
    page.set_default_timeout(PATIENCE)
    return page


@pytest.fixture(scope="session")
def own_window(chromium):
    return window(chromium)


@pytest.fixture(scope="session")
def other_window(chromium):
    """The window of another user."""
    return window(chromium)


@pytest.fixture
def page(own_window, address):
    """The Ask page of a new visitor who has left the prepared case, with the examples and the essentials."""
    come(own_window, address)
    own_window.get_by_role("button", name="Ask your own").click()
    own_window.locator(".st-key-verdict").wait_for(state="detached")
    settle(own_window)  # while a script runs, Streamlit may show the elements of the run before as well
    own_window.get_by_text("Try an example").wait_for()
    return own_window


@pytest.fixture
def opened(own_window, address):
    """Return a function that opens another page as a new visitor, by its key in PAGES."""
    return lambda name: come_to(own_window, address, name)
