"""A perturbed answer in a browser."""

from pages.components.ask.perturb_box import CHANGE_TEXTS, LABELS, NONE_CAUGHT
from tests.support.browser_actions import look_at, visible_text, word
from tests.support.browser_visits import come
from tests.support.browser_waiting import settle


def test_a_perturbed_answer_shows_the_change_what_caught_it_and_what_goes_out(page):
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
        assert caught == ("ANSWERED\n" not in page.locator(".st-key-side-out").inner_text())
        assert page.locator(".st-key-side-broken .stMarkdownColoredBackground").count() == 1
    look_at(page, "Without the guardrail")  # it shows what was broken, not the answer before
    page.get_by_text("Broken:").wait_for()


def test_break_it_on_the_first_screen_opens_an_answer_that_is_right_and_comes_into_view(own_window, address):
    come(own_window, address)
    own_window.set_viewport_size({"width": 1280, "height": 720})
    own_window.locator(".st-key-verdict").wait_for()
    settle(own_window)
    look_at(own_window, "Break it")
    button = own_window.get_by_role("button", name=LABELS["number"])
    button.wait_for()
    settle(own_window)
    own_window.wait_for_function(
        "box => { const {top, bottom} = box.getBoundingClientRect(); return top > 60 && bottom < innerHeight; }",
        arg=button.element_handle(),
    )
    assert word(own_window) == "ANSWERED"
