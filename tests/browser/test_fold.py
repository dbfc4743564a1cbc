"""The verdict with its band and its checks is seen without scrolling, and the page stays short until more is opened."""

import pytest

from tests.browser.test_app import ask
from tests.browser.waiting import settle

TALLEST = 2500
"""Pixels of the whole page before anything is opened."""


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1280, 720)])
@pytest.mark.parametrize("example", ["What is photosynthesis?", "Who wrote the play Hamlet?"])
def test_verdict_band_and_checks_stand_in_the_first_fold(page, example, width, height):
    page.set_viewport_size({"width": width, "height": height})
    ask(page, example)
    for part in (".st-key-verdict h2", ".st-key-band", ".st-key-checks_strip"):
        box = page.locator(part).first.bounding_box()
        assert box["height"] > 0 and box["y"] + box["height"] <= height, part


def test_the_page_is_short_on_every_screen(page):
    ask(page, "Sound, and Hamlet")
    for width, height in ((1440, 900), (1280, 720), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight") <= TALLEST
