"""The journal in a browser: filter, reopen, correct and download decisions."""

import csv
import io
import json

import pytest
from playwright.sync_api import expect

from pages.components.history.decisions import WIDTHS
from pages.components.shared.decision_columns import BUTTONS, HEAD
from pages.components.shared.safe_display import ROW
from tests.support.browser_actions import CRITIC, more_fields, pick_preset, shown, slider
from tests.support.browser_waiting import settle

ASKED, REFUSED = "What is chlorophyll?", "Who wrote the play Macbeth?"
"""Questions that no other test asks, so that a filter finds only these."""
COACHING = "You should join a private coaching class and buy its guide book for this."
WATCH = """() => {
    const app = document.querySelector('[data-testid=stApp]');
    window.hasRun = false;
    new MutationObserver(() => { window.hasRun ||= app.dataset.testScriptState !== 'notRunning'; }).observe(
        app, {attributes: true}
    );
}"""
COLUMNS = ("Open", "When", "Question", "Outcome", "Reason", "Confidence", *BUTTONS.values())


def ask(page, question, pasted=""):
    page.get_by_role("link", name="Ask", exact=True).click()
    page.get_by_label("Question", exact=True).wait_for()
    settle(page)
    if pasted:
        more_fields(page)
        page.get_by_role("combobox", name="Answer by").click()
        page.get_by_role("option", name="an answer that you paste").click()
        page.get_by_label("Answer to judge").fill(pasted)
        page.get_by_label("Answer to judge").press("Control+Enter")
        settle(page)
    page.get_by_label("Question", exact=True).fill(question)
    page.evaluate(WATCH)  # the old answer stays until a script has run, which may end before the first look
    page.get_by_label("Question", exact=True).press("Enter")
    page.wait_for_function("window.hasRun", polling=50)
    return shown(page)


def journal(page, words=""):
    """Open the History page, filtered by these words."""
    page.get_by_role("link", name="History").click()
    page.get_by_label("Words", exact=True).wait_for()
    settle(page)
    page.get_by_label("Words", exact=True).fill(words)
    page.get_by_label("Words", exact=True).press("Enter")
    settle(page)


def press_cell(page, table, columns, name, row=0):
    """Press the button in a cell of a table, a canvas: its position follows from the column widths.

    If the columns do not fill the table, it widens each of them equally.
    """
    drawn = page.locator(f".st-key-safe_table_{table} [data-testid=stDataFrame]")
    drawn.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    wide = drawn.bounding_box()["width"]
    more = max(0, wide - sum(WIDTHS[column] for column in columns)) / len(columns)
    before = sum(WIDTHS[column] + more for column in columns[: columns.index(name)])
    drawn.click(position={"x": before + (WIDTHS[name] + more) / 2, "y": ROW * (row + 1) + ROW // 2})


def saved(page, kind):
    with page.expect_download() as taken:
        page.get_by_role("button", name=f"Download as {kind}").click()
    return taken.value.path().read_text("utf-8-sig")


@pytest.fixture
def decided(page):
    """Ask one question that is answered under a moved limit, and one that is refused."""
    pick_preset(page, "Lenient")
    slider(page, CRITIC).focus()
    page.keyboard.press("ArrowRight")
    settle(page)
    limit = slider(page, CRITIC).get_attribute("aria-valuetext") or slider(page, CRITIC).input_value()
    assert ask(page, ASKED) == "ANSWERED"
    pick_preset(page, "Strict")
    assert ask(page, REFUSED) == "REFUSED"
    return page, limit


def test_decisions_are_filtered_reopened_corrected_and_downloaded(decided, app_home):
    page, limit = decided
    journal(page, "what is CHLOROphyll")
    page.get_by_text("1 answered").wait_for()
    page.get_by_text("Every one of these questions got an answer").wait_for()
    press_cell(page, "decisions", COLUMNS, "Open")
    assert shown(page) == "ANSWERED"
    assert page.get_by_label("Question", exact=True).input_value() == ASKED
    page.get_by_text("From the journal: as it was decided on").wait_for()
    now = slider(page, CRITIC)
    assert (now.get_attribute("aria-valuetext") or now.input_value()) == limit
    page.get_by_text("1 change", exact=True).wait_for()
    journal(page, "what is chlorophyll")  # reopening a decision writes no new one
    page.get_by_text("1 decision", exact=True).wait_for()
    journal(page, "play Macbeth")
    page.get_by_text("0 answered").wait_for()
    page.get_by_text("without an answer; no topic of the library").wait_for()
    page.get_by_text("on 1 missing topic").wait_for()
    rows = list(csv.DictReader(io.StringIO(saved(page, "CSV"), newline="")))
    assert {r["question"] for r in rows} == {REFUSED} and rows[0]["route"] == "refuse"
    assert rows[0]["preset"] == "strict" and rows[0]["models"]
    told = json.loads(saved(page, "JSON"))
    assert [t["question"] for t in told] == [r["question"] for r in rows]
    assert told[0]["preset"]["thresholds"]["context_sufficiency.min_chunks_required"] == 2
    press_cell(page, "decisions", COLUMNS, "Answered")
    said = page.get_by_text("Saved to My questions")
    said.wait_for()
    file = app_home / "banks" / "own_questions.jsonl"
    labelled = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [r["expected"] for r in labelled if r["query"] == REFUSED] == ["answered"]
    expect(page.get_by_text(f"The buttons under “{HEAD}” put it right")).to_have_count(1, timeout=60_000)


def test_an_escalated_decision_waits_for_a_person(page):
    assert ask(page, "How fast does sound travel in water?", COACHING) == "HANDED OVER"
    journal(page, "coaching class")
    page.get_by_text("One decision waits for a person").wait_for()
    press_cell(page, "to-attend", ("Open", "Attended", "When", "Question", "Reason"), "Attended")
    page.get_by_text("No reviews pending").wait_for()
