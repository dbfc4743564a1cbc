"""The history in a browser: filter, reopen, correct and download decisions."""

import csv
import io
import json

import pytest

from core.banks.saved import SavedBanks
from pages.components.shared.safe_display import ROW
from tests.support.browser import CRITIC, pick, settle, slider, visible_text

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


def ask(page, question, pasted=""):
    page.get_by_role("link", name="Ask", exact=True).click()
    page.get_by_label("Question", exact=True).wait_for()
    settle(page)
    if pasted:
        page.get_by_role("button", name="Check an answer").click()
        page.get_by_label("Answer to judge").fill(pasted)
    page.get_by_label("Question", exact=True).fill(question)
    page.evaluate(WATCH)  # the old answer stays until a script has run, which may end before the first look
    page.get_by_label("Question", exact=True).press("Enter")
    page.wait_for_function("window.hasRun", polling=50)
    return visible_text(page)


def history(page, words=""):
    """Open the History page, filtered by these words."""
    page.get_by_role("link", name="History").click()
    page.get_by_label("Words", exact=True).wait_for()
    settle(page)
    page.get_by_label("Words", exact=True).fill(words)
    page.get_by_label("Words", exact=True).press("Enter")
    settle(page)


def press_cell(page, table, x, row=0):
    """Press a cell of a table, a canvas. x: its distance from the left of the table in pixels."""
    drawn = page.locator(f".st-key-safe_table_{table} [data-testid=stDataFrame]")
    drawn.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    drawn.click(position={"x": x, "y": ROW * (row + 1) + ROW // 2})
    settle(page)


def saved(page, kind):
    with page.expect_download() as taken:
        page.get_by_role("button", name=f"Download as {kind}").click()
    return taken.value.path().read_text("utf-8-sig")


@pytest.fixture
def decided(page):
    """Ask one question that is answered under a moved limit, and one that is refused."""
    pick(page, "Preset", "Lenient")
    slider(page, CRITIC).focus()
    page.keyboard.press("ArrowRight")
    settle(page)
    limit = slider(page, CRITIC).get_attribute("aria-valuetext") or slider(page, CRITIC).input_value()
    assert ask(page, ASKED) == "ANSWERED"
    pick(page, "Preset", "Strict")
    assert ask(page, REFUSED) == "REFUSED"
    return page, limit


def test_decisions_are_filtered_reopened_corrected_and_downloaded(decided, app_home):
    page, limit = decided
    history(page, "what is CHLOROphyll")
    page.get_by_text("1 answered").wait_for()
    page.get_by_text("Every question was answered").wait_for()
    press_cell(page, "decisions", 150)
    page.locator(".st-key-decision").get_by_text(ASKED).wait_for()
    page.get_by_role("button", name="Open on Ask").click()
    assert visible_text(page) == "ANSWERED"
    assert page.get_by_label("Question", exact=True).input_value() == ASKED
    page.get_by_text("From the history: decided on").wait_for()
    now = slider(page, CRITIC)
    assert (now.get_attribute("aria-valuetext") or now.input_value()) == limit
    page.get_by_text("1 change", exact=True).wait_for()
    history(page, "what is chlorophyll")  # reopening a decision writes no new one
    page.get_by_text("1 decision: 1 answered").wait_for()
    history(page, "play Macbeth")
    page.get_by_text("1 decision: 1 refused").wait_for()
    page.get_by_text("without an answer; most common reason: far from the library's topics (1)").wait_for()
    page.get_by_text("1 question that the books do not cover").wait_for()
    rows = list(csv.DictReader(io.StringIO(saved(page, "CSV"), newline="")))
    assert {r["question"] for r in rows} == {REFUSED} and rows[0]["route"] == "refuse"
    assert rows[0]["preset"] == "strict" and rows[0]["models"]
    told = json.loads(saved(page, "JSON"))
    assert [t["query"] for t in told] == [r["question"] for r in rows]
    assert told[0]["preset"]["thresholds"]["context_sufficiency.min_chunks_required"] == 2
    page.locator(".st-key-decision").get_by_role("radio", name="Thumbs down").click()
    page.get_by_text("What should it have been?").wait_for()
    page.get_by_role("radio", name="It should be answered", exact=True).click()
    page.get_by_text("Saved to My questions. Expected: answer.").wait_for()
    labelled = SavedBanks(app_home).rows("own_questions")
    assert [r["expected"] for r in labelled if r["query"] == REFUSED] == ["answered"]


def test_an_escalated_decision_waits_for_a_person(page):
    assert ask(page, "How fast does sound travel in water?", COACHING) == "HANDED OVER"
    history(page, "coaching class")
    page.get_by_text("One answer waits for a review").wait_for()
    press_cell(page, "to-attend", 280)
    page.get_by_text("No reviews pending").wait_for()
