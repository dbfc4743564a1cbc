"""Presets in a browser: save, share by a link with another user, compare, and undo moves by keyboard."""

import re

import pytest

from core.presets import PARAMETER
from tests.support.browser import CRITIC, all_limits, ask, come, pick, settle, slider


@pytest.fixture
def visit(other_window, address):
    """Return a function that opens the app as another user, optionally by a link."""

    def visit(link=""):
        come(other_window, link or address)
        other_window.get_by_role("combobox", name="Preset").wait_for()
        settle(other_window)
        return other_window

    yield visit
    other_window.goto("about:blank")


def at(page, label):
    return float(slider(page, label).input_value())


def picked(page):
    """The selected preset."""
    shown = page.locator(".st-key-preset").evaluate("e => `${e.querySelector('input')?.value ?? ''}\\n${e.innerText}`")
    return {line.strip() for line in shown.split("\n")} - {"", "Preset"}


def move(page, label, key):
    slider(page, label).focus()
    page.keyboard.press(key)
    settle(page)


def limits(page, tab):
    """The dialog of the limits with this tab open."""
    all_limits(page)
    page.get_by_role("button", name="Limits", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("tab", name=tab).click()
    settle(page)
    return dialog


def save(page, name):
    dialog = limits(page, "Save")
    dialog.get_by_label("Name", exact=True).fill(name)
    dialog.get_by_role("button", name="Save", exact=True).click()
    return dialog


def test_a_preset_is_saved_shared_by_its_link_and_compared(page, visit):
    pick(page, "Preset", "Strict")
    move(page, CRITIC, "End")
    save(page, "Class 10").wait_for(state="detached")
    settle(page)
    assert picked(page) == {"Class 10"} and at(page, CRITIC) == 1.0
    page.get_by_text("Preset unchanged").wait_for()

    link = limits(page, "Link").locator("code").inner_text()
    assert PARAMETER in link and "min_retrieval_confidence=1" in link
    page.keyboard.press("Escape")

    other = visit(link)
    other.get_by_text("Opened from a link").wait_for()
    assert at(other, CRITIC) == 1.0 and picked(other) == {"Class 10"}
    assert PARAMETER not in other.url
    dialog = limits(other, "Compare")
    dialog.get_by_text("are the same in every limit").wait_for()
    dialog.get_by_role("combobox", name="Current limits compared with").click()
    other.get_by_role("option", name="Strict").click()
    dialog.get_by_role("table").wait_for()
    assert dialog.locator("tbody tr").count() == 1
    row = dialog.locator("tbody tr").inner_text()
    assert "1.00" in row and "0.70" in row and "probability" in row and row.strip().endswith("Current limits")

    other.keyboard.press("Escape")
    other.get_by_role("button", name="Undo").click()
    settle(other)
    assert at(other, CRITIC) == 0.6 and picked(other) == {"Default"}

    limits(page, "Save").get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("button", name="Delete Class 10 for good").click()
    page.get_by_role("dialog", name="Limits").wait_for(state="detached")
    settle(page)
    assert picked(page) == {"Default"} and at(page, CRITIC) == 1.0


def test_a_preset_saved_by_another_user_changes_no_selection(page, visit):
    bystander = visit()
    pick(bystander, "Preset", "Exam")
    save(page, "Of somebody").wait_for(state="detached")
    move(bystander, CRITIC, "ArrowRight")
    assert picked(bystander) == {"Exam"} and at(bystander, CRITIC) == 0.86
    pick(bystander, "Preset", "Of somebody")
    bystander.get_by_text("Preset unchanged").wait_for()
    assert picked(bystander) == {"Of somebody"} and at(bystander, CRITIC) == 0.6


def test_moves_are_undone_and_redone_by_keyboard_and_the_verdict_follows(page):
    pick(page, "Preset", "As printed")
    assert ask(page, "What is photosynthesis?") == "ANSWERED"
    move(page, CRITIC, "End")
    page.locator(".st-key-verdict").get_by_text("REFUSED").wait_for()
    page.keyboard.press("Alt+z")
    page.locator(".st-key-verdict").get_by_text(re.compile("ANSWERED")).wait_for()
    settle(page)
    assert at(page, CRITIC) == 0.6
    page.keyboard.press("Alt+Shift+Z")
    page.locator(".st-key-verdict").get_by_text("REFUSED").wait_for()
    settle(page)
    assert at(page, CRITIC) == 1.0
    question = page.get_by_label("Question", exact=True)
    question.click()
    question.press_sequentially(" and sound")
    question.press("Control+z")  # Ctrl+Z in a text field belongs to the field
    settle(page)
    assert not question.input_value().endswith(" and sound") and at(page, CRITIC) == 1.0
