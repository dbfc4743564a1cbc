"""Verdict, page, band and checks are visible without scrolling, and the first opening is calm."""

import re

import pytest

from core.checks import all_checks
from pages.components.ask.perturb_box import LABELS
from tests.support.browser import SCREEN, ask, come, look_at, paste, settle, visible_text, word

TALLEST = {1440: 1500, 1280: 1500, 390: 2500}
"""Most pixels of the whole page before a section is opened, by the width of the screen."""
COUNTS = r"""() => {
    const seen = e => e.checkVisibility({checkOpacity: true, checkVisibilityCSS: true}) && e.getBoundingClientRect().width;
    const controls = 'button, a[href], input, select, textarea, summary, [role=combobox]';
    const text = document.body.innerText, count = pattern => (text.match(pattern) ?? []).length;
    return {
        controls: [...document.querySelectorAll(controls)]
            .filter(e => seen(e) && !e.parentElement.closest('button, a[href], summary')).length,
        words: text.split(/\s+/).filter(word => /[A-Za-z]/.test(word)).length,
        numbers: count(/\d+(?:[.,]\d+)*/g),
        height: document.querySelector('[data-testid=stMain]').scrollHeight,
    };
}"""
MOST = {
    "ask": {"controls": 40, "words": 350, "numbers": 40, "height": 800},
    "tune": {"controls": 60, "words": 350, "numbers": 80, "height": 900},
}
"""What the first opening of a page may show at most at 1280 by 720 pixels."""


EVER_GREY = """async () => {
    for (let n = 0; n < 40; n += 1) {
        if (document.documentElement.hasAttribute('data-edited')) return true;
        await new Promise(done => setTimeout(done, 30));
    }
    return false;
}"""
"""True if the verdict is grey at any time within 1.2 seconds."""


def calm(page, name):
    """Check the first opening of a page, by its name in MOST."""
    page.set_viewport_size({"width": 1280, "height": 720})
    settle(page)
    counts = page.evaluate(COUNTS)
    assert {of: count for of, count in counts.items() if count > MOST[name][of]} == {}, counts


def test_the_first_opening_of_tune_is_calm_and_shows_its_matrix_its_curve_and_its_promise(opened):
    page = opened("tune")
    page.locator("[data-testid=stPlotlyChart] .main-svg").first.wait_for()
    calm(page, "tune")
    promise = page.get_by_text("of the answers are wrong (95 % confidence)").bounding_box()
    assert promise["y"] + promise["height"] <= 720


@pytest.fixture(scope="module")
def first(own_window, address):
    """The page with the prepared case as a new visitor opens it; the next three tests look at it one after the other."""
    come(own_window, address)
    return own_window


def test_the_first_opening_is_calm_and_shows_every_check_by_name(first):
    page = first
    names = page.locator(".checks [data-check]")
    for element in (page.locator(".st-key-page-beside"), names.nth(len(all_checks()) - 1)):
        element.wait_for()
    page.locator("[data-testid=stSidebar] input[type=range]").first.wait_for()
    calm(page, "ask")
    assert names.count() == len(all_checks())
    for element in (names.last, page.locator(".scale"), page.get_by_text("Block unless numbers and names match")):
        box = element.bounding_box()
        assert box["height"] > 0 and box["y"] + box["height"] <= 720


def test_a_phone_shows_the_verdict_with_its_red_pen_in_the_first_fold(first):
    page = first
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".st-key-verdict del").first.wait_for()
    settle(page)
    for part in (page.locator(".st-key-verdict h2"), page.locator(".st-key-verdict del").last):
        box = part.bounding_box()
        assert box["y"] + box["height"] <= 844


def test_break_it_on_the_first_screen_opens_an_answer_that_is_right_and_comes_into_view(first):
    page = first
    page.set_viewport_size({"width": 1280, "height": 720})
    settle(page)
    look_at(page, "Break it")
    button = page.get_by_role("button", name=LABELS["number"])
    button.wait_for()
    settle(page)
    page.wait_for_function(
        "box => { const {top, bottom} = box.getBoundingClientRect(); return top > 60 && bottom < innerHeight; }",
        arg=button.element_handle(),
    )
    assert word(page) == "ANSWERED"
    button.click()
    result = page.locator(".st-key-side-out")
    result.wait_for()
    settle(page)
    assert result.bounding_box()["y"] < 720 - 60  # what the checks said of the broken answer comes into view, too


def test_a_check_opens_its_reason_and_its_slider_keeps_the_focus(own_window, address):
    page = own_window
    come(page, address)
    page.get_by_role("radio", name="Support").click()
    page.get_by_text("Failed: The books support every sentence").wait_for()
    settle(page)
    assert (
        page.locator(".st-key-check-detail blockquote").inner_text().startswith("Sound is generally fastest in gases")
    )
    page.locator(".st-key-check-detail input[type=range]").focus()
    page.keyboard.press("Home")
    page.locator(".st-key-verdict").get_by_text(re.compile("ANSWERED")).wait_for()
    settle(page)
    assert page.evaluate("document.activeElement.closest('.st-key-check-detail') !== null")
    assert page.locator("[data-testid=stSidebar] input[aria-label^='Support (']").input_value() == "0"


def test_verdict_band_and_checks_are_visible_without_scrolling_and_the_page_is_short(page):
    for example in ("What is photosynthesis?", "Who wrote the play Hamlet?", "Sound, and Hamlet"):
        ask(page, example)
        for width, height in ((1440, 900), (1280, 720), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            settle(page)
            assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight") <= TALLEST[width]
            if width == 390 or example == "Sound, and Hamlet":
                continue
            for part in (".st-key-verdict h2", ".scale", ".checks >> nth=2"):
                box = page.locator(part).first.bounding_box()
                assert box["height"] > 0 and box["y"] + box["height"] <= height, part
        page.set_viewport_size(SCREEN)
        page.get_by_role("button", name="New conversation").click()
        settle(page)


def test_a_follow_up_is_visible_without_scrolling_below_the_earlier_turns(page):
    page.set_viewport_size({"width": 1440, "height": 900})
    for question in ("How fast does sound travel in water?", "And in steel?"):
        page.get_by_label("Question", exact=True).fill(question)
        page.get_by_role("button", name="Ask", exact=True).click()
        visible_text(page)
    page.get_by_role("button", name="How fast does sound travel in water?").wait_for()
    page.get_by_text("How fast does sound travel in steel?").wait_for()
    assert page.locator(".st-key-other-turns-shown").bounding_box()["height"] < 50  # question and answer in one line
    strip = page.locator(".checks").last.bounding_box()
    assert strip["height"] > 0 and strip["y"] + strip["height"] <= 900
    page.get_by_role("button", name="New conversation").click()
    settle(page)
    page.get_by_text("Try an example").wait_for()


def test_an_old_verdict_is_grey_at_once_and_no_press_is_lost(page):
    question = "What is the speed of sound in air at room temperature?"
    assert (
        paste(page, question, "At room temperature the speed of sound in air is about 340 metres per second.")
        == "ANSWERED"
    )
    note = page.get_by_text("The text was changed: press Ask to judge it.")
    assert not note.is_visible()
    for speed, wanted in (("940", "CORRECTED"), ("340", "ANSWERED"), ("980", "CORRECTED")):
        page.get_by_role("button", name="Change the answer").click()
        box = page.get_by_label("Answer to judge")
        box.fill(f"At room temperature the speed of sound in air is about {speed} metres per second.")
        note.wait_for(timeout=2_000)
        page.get_by_role("button", name="Ask", exact=True).click()  # at once, while the text is still being typed
        settle(page)
        assert visible_text(page) == wanted and not page.evaluate(EVER_GREY)


def test_the_verdict_of_a_later_question_is_not_grey(page):
    paste(page, "What is an echo?", "An echo is a sound that comes back.")
    page.get_by_role("button", name="New conversation").click()
    settle(page)
    for question in ("What is an echo?", "What is photosynthesis?", "What is an acid?"):
        page.get_by_label("Question", exact=True).fill(question)
        page.get_by_role("button", name="Ask", exact=True).click()
        visible_text(page)
        assert not page.evaluate(EVER_GREY)
