"""A perturbed answer in a browser."""

from pages.components.ask.perturb_box import CHANGE_TEXTS, LABELS, NONE_CAUGHT
from tests.support.browser_actions import visible_text
from tests.support.browser_visits import come
from tests.support.browser_waiting import settle


def test_a_perturbed_answer_shows_the_change_and_what_caught_it(page):
    page.get_by_label("Question", exact=True).fill("How long is the Ganga?")
    page.get_by_label("Question", exact=True).press("Enter")
    assert visible_text(page) == "ANSWERED"
    page.get_by_role("radio", name="Break it").click()
    for way in ("number", "negation"):  # tests/pages covers every kind
        page.get_by_role("button", name=LABELS[way]).click()
        page.get_by_text(f"{CHANGE_TEXTS[way]}:").wait_for()
        settle(page)
        caught = page.get_by_text("Caught by").count()
        assert caught + page.get_by_text(NONE_CAUGHT).count() == 1
        broken = page.locator(".st-key-side-Broken")
        assert caught == ("ANSWERED\n" not in broken.inner_text())
        changed = page.locator(".st-key-side-As-it-was .stMarkdownColoredBackground")
        assert changed.count() == 1 and broken.locator(".stMarkdownColoredBackground").count() == 1
        assert "ANSWERED" in page.locator(".st-key-side-As-it-was").inner_text()


def test_the_door_break_it_and_an_example_bring_what_they_open_into_view(own_window, address):
    def is_in_view(locator):
        locator.wait_for()
        settle(own_window)
        own_window.wait_for_function(
            "box => { const {top, bottom} = box.getBoundingClientRect(); return top > 60 && bottom < innerHeight; }",
            arg=locator.element_handle(),
        )
        return True

    come(own_window, address)
    own_window.get_by_role("button", name="Break it").click()
    assert is_in_view(own_window.get_by_role("button", name=LABELS["number"]))
    own_window.get_by_role("button", name="Who wrote the play Hamlet?").click()
    assert is_in_view(own_window.get_by_text("I don't know based on NCERT textbooks").first)
