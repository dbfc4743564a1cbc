"""Verdict, band and checks are visible without scrolling, and the page stays short until a section is opened."""

import pytest

from core.checks import all_checks
from tests.support.browser_actions import ask, visible_text
from tests.support.browser_visits import come
from tests.support.browser_waiting import settle

TALLEST = 2500
"""Most pixels of the whole page before a section is opened."""


@pytest.mark.parametrize("example", ["What is photosynthesis?", "Who wrote the play Hamlet?"])
def test_verdict_band_and_checks_are_visible_without_scrolling(page, example):
    ask(page, example)
    seen = (".st-key-verdict h2", ".scale", ".lane h3 >> nth=0")
    for width, height, parts in ((1440, 900, (*seen, ".lane >> nth=1")), (1280, 720, seen)):
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        for part in parts:
            box = page.locator(part).first.bounding_box()
            assert box["height"] > 0 and box["y"] + box["height"] <= height, part


def test_a_first_visitor_sees_all_checks_by_name_and_five_essentials_in_the_first_fold(own_window, address):
    page = own_window
    come(page, address)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.locator(".grid").wait_for()
    settle(page)
    tiles, switch = page.locator(".lanes .tile"), page.get_by_text("Block unless numbers and names match the passages")
    assert tiles.count() == len(all_checks())
    for element in (tiles.last, switch, page.locator(".st-key-preset-buttons")):
        box = element.bounding_box()
        assert box["height"] > 0 and box["y"] + box["height"] <= 900


def test_a_tile_opens_its_reason_and_its_slider_keeps_the_focus(own_window, address):
    page = own_window
    come(page, address)
    page.locator("[data-check=support]").click()
    page.get_by_text("Failed. Required: The books support every sentence").wait_for()
    assert page.locator(".detail blockquote").inner_text().startswith("Sound is generally fastest in gases")
    page.locator("input[data-focus='support.min_support']").focus()
    page.keyboard.press("Home")
    page.locator(".st-key-verdict").get_by_text("ANSWERED").wait_for()
    settle(page)
    assert page.evaluate("document.activeElement.dataset.focus") == "support.min_support"
    assert page.locator("[data-testid=stSidebar] input[aria-label^='Support (']").input_value() == "0"


def test_a_phone_shows_the_whole_pasted_answer_and_the_verdict_in_the_first_fold(own_window, address):
    page = own_window
    come(page, address)
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".grid").wait_for()
    settle(page)
    box = page.get_by_label("Answer to judge")
    assert box.evaluate("box => box.scrollHeight <= box.clientHeight")
    heading = page.locator(".st-key-verdict h2").bounding_box()
    assert heading["y"] + heading["height"] <= 844


def test_the_page_is_short_on_every_screen(page):
    ask(page, "Sound, and Hamlet")
    for width, height in ((1440, 900), (1280, 720), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight") <= TALLEST


def test_a_follow_up_is_visible_without_scrolling_below_the_earlier_turns(page):
    page.set_viewport_size({"width": 1440, "height": 900})
    for question in ("How fast does sound travel in water?", "And in steel?"):
        page.get_by_label("Question", exact=True).fill(question)
        page.get_by_role("button", name="Ask", exact=True).click()
        visible_text(page)
    page.get_by_role("button", name="How fast does sound travel in water?").wait_for()
    page.get_by_text("How fast does sound travel in steel?").wait_for()
    strip = page.locator(".lane").last.bounding_box()
    assert strip["height"] > 0 and strip["y"] + strip["height"] <= 900
    page.get_by_role("button", name="New conversation").click()
    settle(page)
    page.get_by_text("Try one of these").wait_for()
