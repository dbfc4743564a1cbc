"""The main actions of a user of the app, in a browser."""

import re

from tests.support.browser import CRITIC, ask, look_at, more_fields, paste, pick, settle, slider, visible_text
from tests.support.pdfs import chapter

EARTHQUAKES = [
    "A volcano is an opening in the ground through which melted rock comes out. Melted rock above the ground is called lava.",
    "An earthquake is a sudden shaking of the ground. The place where an earthquake begins is called its focus. "
    "The strength of an earthquake is measured with an instrument called a seismograph.",
]
HOSTILE = "A <b>bold</b> $x^2$ [link](javascript:alert(1)) :material/home: www.example.org **star** and 1 -> 2."


def test_a_pdf_is_uploaded_asked_about_and_cited_with_its_page(page):
    page.get_by_role("link", name="Library").click()
    page.get_by_role("combobox", name="Find a document").wait_for()
    page.locator("input[type=file]").set_input_files(
        {"name": "earthquakes.pdf", "mimeType": "application/pdf", "buffer": chapter(EARTHQUAKES)}
    )
    page.get_by_text("earthquakes.pdf was added: 2 pages").wait_for()
    page.get_by_role("link", name="Ask").click()
    pick(page, "Preset", "B: Confidence heuristics")  # this preset answers from a single passage of a short chapter
    page.get_by_label("Question", exact=True).fill("What is an earthquake?")
    page.get_by_label("Question", exact=True).press("Enter")
    assert visible_text(page) == "ANSWERED"
    page.get_by_alt_text("Page 2 of Earthquakes: the ").wait_for()  # beside the answer, without a press
    page.get_by_text("Text of this passage").click()
    page.get_by_text("sudden shaking of the ground").first.wait_for()
    settle(page)  # the page is drawn anew when its picture comes
    page.get_by_role("button", name="Open page 2 in the library").click()
    page.get_by_text("Page 2: the chosen passage is marked").wait_for()


def test_a_slider_moved_by_keyboard_flips_the_verdict_keeps_the_focus_and_redraws_every_limit(page):
    pick(page, "Preset", "As printed")
    assert ask(page, "What is photosynthesis?") == "ANSWERED"
    slider(page, CRITIC).focus()
    page.keyboard.press("End")
    page.locator(".st-key-verdict").get_by_text("REFUSED").wait_for()
    settle(page)
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith(CRITIC)
    page.keyboard.press("Home")
    page.locator(".st-key-verdict").get_by_text(re.compile("ANSWERED")).wait_for()
    page.get_by_role("button", name="Found").click()
    settle(page)
    slider(page, CRITIC).focus()
    for key, limit in (("ArrowRight", "0.01"), ("ArrowRight", "0.02"), ("ArrowLeft", "0.01")):
        page.keyboard.press(key)
        page.get_by_role("radio", name="Best three").get_by_text(f"needs {limit}").wait_for()
        settle(page)


def test_hostile_text_is_escaped(page):
    paste(page, "How fast does sound travel in water?", HOSTILE)
    look_at(page, "Without the guardrail")
    drawn = page.locator(".st-key-without")
    drawn.get_by_text("star").first.wait_for()
    said = re.sub(r"</?b>|\*\*", "", HOSTILE)  # sentences do not contain emphasis
    assert said in drawn.inner_text().replace("\u2060", "")
    for harm in ("b", "a[href^=javascript]", "a[href*=example]", ".katex"):
        assert drawn.locator(harm).count() == 0


def test_hidden_fields_send_no_old_values_back(page):
    def more():
        return page.get_by_role("button", name="More options")

    more_fields(page)
    page.get_by_role("combobox", name="Documents").fill("Sound")
    page.get_by_role("option", name="Sound").first.click()
    page.keyboard.press("Escape")  # closes the list
    page.get_by_label("Question", exact=True).fill("Can sound travel through a vacuum?")
    page.get_by_role("button", name="Ask", exact=True).click()
    visible_text(page)
    look_at(page, "Sentences")
    more().click()
    page.get_by_role("textbox", name="A tool's result").wait_for(state="detached")
    settle(page)
    assert "(1 on)" in more().inner_text() and page.locator(".grid").count() == 1  # the section stays open
    page.get_by_role("button", name="New conversation").click()
    page.locator(".st-key-verdict").wait_for(state="detached")
    settle(page)
    assert "on)" not in more().inner_text()
