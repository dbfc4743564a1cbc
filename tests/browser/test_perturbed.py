"""A perturbed answer in a browser."""

import re

from pages.components.ask.perturb_box import CHANGE_TEXTS, LABELS, NONE_CAUGHT
from tests.support.browser_actions import visible_text
from tests.support.browser_waiting import settle


def test_a_perturbed_answer_shows_the_change_and_what_caught_it(page):
    page.get_by_label("Question", exact=True).fill("How long is the Ganga?")
    page.get_by_label("Question", exact=True).press("Enter")
    assert visible_text(page) == "ANSWERED"
    page.get_by_role("radio", name="Break it").click()
    for way in ("number", "citation"):  # tests/pages covers every kind
        page.get_by_role("button", name=LABELS[way]).click()
        page.get_by_text(f"{CHANGE_TEXTS[way]}:").wait_for()
        settle(page)
        caught = page.get_by_text("Caught by").count()
        assert caught + page.get_by_text(re.compile(f"Nothing to catch|{NONE_CAUGHT}")).count() == 1
        broken = page.locator(".st-key-side-Broken")
        assert caught == ("ANSWERED\n" not in broken.inner_text())
        assert broken.locator("del").count() == 1
        assert "ANSWERED" in page.locator(".st-key-side-As-it-was").inner_text()
