"""The main actions of a user of the app, in a browser."""

import re

from tests.browser.waiting import settle
from tests.pdfs import chapter

EARTHQUAKES = [
    "A volcano is an opening in the ground through which melted rock comes out. Melted rock above the ground is called lava.",
    "An earthquake is a sudden shaking of the ground. The place where an earthquake begins is called its focus. "
    "The strength of an earthquake is measured with an instrument called a seismograph.",
]
CRITIC = "Mean of the best three"
HOSTILE = "A <b>bold</b> $x^2$ [link](javascript:alert(1)) :material/home: www.example.org **star** and 1 -> 2."


def ask(page, example):
    page.get_by_role("button", name=example).click()
    return shown(page)


def shown(page):
    """The word of the verdict, after waiting until it is drawn."""
    page.locator(".st-key-verdict").get_by_role("heading").first.wait_for()
    settle(page)
    return word(page)


def word(page):
    text = page.locator(".st-key-verdict").get_by_role("heading").first.inner_text()
    return re.search(r"[A-Z]{3,}[A-Z, ]*$", text.strip())[0]


def look_at(page, kind):
    """Open a section that explains the verdict."""
    page.get_by_role("radio", name=kind, exact=True).click()
    settle(page)


def more_fields(page):
    """Open the popover with more fields of the question."""
    page.get_by_test_id("stPopover").get_by_role("button", name="More").click()
    page.get_by_label("Answer by").wait_for()


def slider(page, label):
    """The slider whose label starts with `label`, among all limits."""
    all_limits(page)
    return page.locator(f"input[type=range][aria-label^='{label}']")


def all_limits(page):
    """Show all limits in the sidebar, not only the main ones."""
    every = page.get_by_role("radio", name="All", exact=True)
    if not every.is_checked():
        every.click()
        page.locator("input[type=range][aria-label^='Refined searches']").wait_for(state="attached")
        settle(page)  # a press during the redraw of the sidebar would be lost


def pick_preset(page, name):
    box = page.get_by_role("combobox", name="Preset")
    box.scroll_into_view_if_needed()
    page.wait_for_timeout(300)  # a list that opens while its box still scrolls closes again
    box.click()
    page.get_by_role("option", name=name).click()
    settle(page)


def test_a_pdf_is_uploaded_asked_about_and_cited_with_its_page(page):
    page.get_by_role("link", name="Library").click()
    page.get_by_text("7 documents").wait_for()
    page.locator("input[type=file]").set_input_files(
        {"name": "earthquakes.pdf", "mimeType": "application/pdf", "buffer": chapter(EARTHQUAKES)}
    )
    page.get_by_text("earthquakes.pdf was added: 2 pages").wait_for()
    page.get_by_role("link", name="Ask").click()
    pick_preset(page, "B: Confidence heuristics")  # this preset answers from a single passage of a short chapter
    page.get_by_label("Question", exact=True).fill("What is an earthquake?")
    page.get_by_label("Question", exact=True).press("Enter")
    assert shown(page) == "ANSWERED"
    page.locator(".st-key-verdict").get_by_role("button", name="Earthquakes, page 2").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("sudden shaking of the ground").first.wait_for()
    assert "Earthquakes, page 2" in dialog.inner_text().replace("\u2060", "")
    dialog.get_by_alt_text("Page 2 of Earthquakes: the ").wait_for()
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    page.locator(".st-key-verdict").get_by_role("button", name="Earthquakes, page 2").click()
    page.get_by_role("button", name="Open page 2 in the library").click()
    page.get_by_text("Page 2: the chosen passage is marked").wait_for()


def test_a_slider_moved_by_keyboard_flips_the_verdict_keeps_the_focus_and_redraws_every_limit(page):
    pick_preset(page, "As printed")
    assert ask(page, "What is photosynthesis?") == "ANSWERED"
    slider(page, CRITIC).focus()
    page.keyboard.press("End")
    page.locator(".st-key-verdict").get_by_text("REFUSED").wait_for()
    settle(page)
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith(CRITIC)
    page.keyboard.press("Home")
    page.locator(".st-key-verdict").get_by_text("ANSWERED").wait_for()
    look_at(page, "Checks")
    line = page.locator(".st-key-checks_table tr", has_text="The passages are about the question")
    slider(page, CRITIC).focus()
    for key, limit in (("ArrowRight", "0.01"), ("ArrowRight", "0.02"), ("ArrowLeft", "0.01")):
        page.keyboard.press(key)
        line.get_by_text(f"at least {limit}").wait_for()
        settle(page)


def test_hostile_text_is_escaped(page):
    page.get_by_role("button", name="Sound in water, 5100 m/s").click()
    shown(page)
    page.get_by_label("Answer to judge").fill(HOSTILE)
    page.get_by_label("Answer to judge").press("Control+Enter")
    settle(page)
    page.get_by_role("button", name="Ask", exact=True).click()
    settle(page)
    look_at(page, "With and without")
    drawn = page.locator(".st-key-without")
    drawn.get_by_text("star").first.wait_for()
    assert HOSTILE.replace("**", "") in drawn.inner_text().replace("\u2060", "")  # sentences do not contain emphasis
    for harm in ("b", "a[href^=javascript]", "a[href*=example]", ".katex"):
        assert drawn.locator(harm).count() == 0
