"""A language model as the writer in a browser: streaming, stopping, judging, and the comparison of both answers."""

from tests.support.browser import look_at, pick, settle, visible_text
from tests.support.language_model_server import RIGHT_KEY, serving

TRUE = "Sound travels at about 1500 metres per second in water [1]."
FALSE = "Sound cannot travel through water at all [1]."


def fill(page, label, text):
    page.get_by_label(label, exact=True).fill(text)
    page.get_by_label(label, exact=True).press("Enter")
    settle(page)


def name_server(page, url, key=RIGHT_KEY):
    page.get_by_text("Settings that re-run the models").first.click()
    page.get_by_label("Server", exact=True).wait_for()
    for label, text in (("Server", url), ("Its model", "good"), ("Its key", key)):
        fill(page, label, text)
    pick(page, "Answer writer", "a model on a server")
    page.get_by_text("Settings that re-run the models").first.click()
    page.get_by_label("Server", exact=True).wait_for(state="detached")  # a closed box keeps the typed values
    settle(page)


def question(page, text):
    page.get_by_label("Question", exact=True).fill(text)
    page.get_by_role("button", name="Ask", exact=True).click()


def box(page):
    look_at(page, "Without the guardrail")
    page.locator(".st-key-with").wait_for()
    return page.locator(".st-key-without"), page.locator(".st-key-with")


_ALL_BUT_ITS_FIELD = """() => {
    const copy = document.documentElement.cloneNode(true);
    copy.querySelectorAll('input[type=password]').forEach(field => field.removeAttribute('value'));
    return copy.outerHTML;
}"""
"""Returns the HTML of the whole page without the content of the password field."""


def test_a_false_sentence_of_a_model_is_marked_and_not_delivered(page):
    with serving(reply=f"{TRUE} {FALSE}", key=RIGHT_KEY) as server:
        name_server(page, server.url)
        question(page, "How fast does sound travel in water?")
        visible_text(page)
        without, guarded = box(page)
        said = without.inner_text().replace("\u2060", "")
        assert "about 1500 metres per second" in said and "cannot travel through water" in said
        assert "endpoint (good at 127.0.0.1" in said
        assert "cannot travel through water" not in guarded.inner_text()
        page.get_by_text("Settings that re-run the models").first.click()
        settle(page)
        assert page.get_by_label("Its key", exact=True).input_value() == RIGHT_KEY
        assert RIGHT_KEY not in page.evaluate(_ALL_BUT_ITS_FIELD)
        assert page.get_by_label("Its key", exact=True).get_attribute("type") == "password"


def test_the_writing_is_seen_and_can_be_stopped(page):
    with serving() as server:
        name_server(page, server.url)
        page.get_by_text("Settings that re-run the models").first.click()
        fill(page, "Its model", "endless")
        question(page, "How fast does sound travel in water?")
        page.locator(".st-key-writing").get_by_text("aaaa").wait_for()
        page.get_by_role("button", name="Stop", exact=True).click()
        page.get_by_text("The question was stopped").wait_for()
        settle(page)
        assert page.locator(".st-key-verdict").count() == 0 and page.locator(".st-key-writing").count() == 0
