"""A Streamlit server on a free port with a home of its own, and Debian's Chromium in front of it."""

import os
import shutil

import pytest

from core.workshop.app_in_browser import CHROMIUM, served
from tests.browser.waiting import settle
from tests.test_connections import traced

PATIENCE = 180_000
"""Milliseconds for one step: the first one loads the models, and the sample."""


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


@pytest.fixture(scope="session")
def quiet_address(chromium, sample_home):
    """Where another app listens, for tests that look at all that was asked or measured: nobody else asks it anything.

    The tests of banks come first, since the journal makes a bank of its own.
    """
    with served("app.py", sample_home("quiet")) as url:
        yield url


@pytest.fixture
def page(chromium, address):
    """A new visitor on the Ask page, with the cases to try before them and the main limits in the sidebar."""
    context = chromium.new_context(viewport={"width": 1280, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.get_by_text("Try one of these").wait_for()
    settle(page)
    yield page
    context.close()
