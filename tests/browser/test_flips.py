"""The flip that the page names, made in a browser."""

import re

import pytest

from tests.support.browser_actions import all_limits, ask, slider, word
from tests.support.browser_waiting import settle

NUMBER = r"(-?\d+(?:\.\d+)?)"
ANSWERED = ("ANSWERED", "ANSWERED IN PART", "CORRECTED")


def named(page):
    """The flip that the page names: the label of the slider, its value and its new value."""
    if not page.get_by_role("radio", name="Best three").count():
        page.get_by_role("button", name="Found").click()
        settle(page)
    text = page.locator(".st-key-flip").inner_text().replace("\u2060", "")
    found = re.search(rf"To \w+ this, (?:raise|lower) (.+?) from {NUMBER} to {NUMBER}", text)
    return found[1], float(found[2]), float(found[3])


def step_to(page, label, value):
    """Move a slider by keyboard, step by step; return the words of the verdicts on the way."""
    handle, seen = slider(page, f"{label} ("), []
    handle.focus()
    while abs(float(handle.get_attribute("value")) - value) > 1e-9:
        before = float(handle.get_attribute("value"))
        page.keyboard.press("ArrowRight" if before < value else "ArrowLeft")
        page.wait_for_function(
            "([start, was]) => document.querySelector(`input[type=range][aria-label^='${start} (']`).value != was",
            arg=[label, str(before)],
            polling=50,
        )
        settle(page)
        seen.append(word(page))
    return seen


@pytest.mark.long
def test_the_verdict_flips_at_the_named_value_and_not_one_step_before(page):
    was = ask(page, "What is photosynthesis?")
    label, old, new = named(page)
    assert was in ANSWERED and float(slider(page, f"{label} (").get_attribute("value")) == old
    seen = step_to(page, label, new)
    assert set(seen[:-1]) <= {was} and seen[-1] not in ANSWERED
    assert named(page)[1] == new  # the opposite move is named at once


def test_every_slider_has_its_strip_and_the_button_flips_the_verdict(page):
    assert page.locator(".strip").count() == 0
    was = ask(page, "What is photosynthesis?")
    all_limits(page)
    strips = page.locator(".strip:has(img:not(.switch))")
    sliders = page.locator("section[data-testid=stSidebar] input[type=range]")
    assert strips.count() == sliders.count()
    assert strips.filter(has_text="No effect").count() > 0
    assert page.locator(".strip img[title*=': refused']").count() > 0
    label, _, new = named(page)
    page.locator(".st-key-flip").get_by_role("button", name="Apply", exact=True).click()
    page.wait_for_function(
        "([start, to]) => +document.querySelector(`input[type=range][aria-label^='${start} (']`).value === to",
        arg=[label, new],
        polling=50,
    )
    settle(page)
    assert (word(page) in ANSWERED) != (was in ANSWERED)
