"""A perturbed answer and a list of questions in a browser."""

import csv
import io
import json

import pytest

from pages.components.ask.perturb_box import DONE, LABELS, NONE_CAUGHT
from pages.components.evaluate.list_table import ROUTES, WIDTHS
from pages.components.shared.safe_display import ROW
from tests.support.browser_actions import shown
from tests.support.browser_waiting import settle

ASKED = [
    "What is photosynthesis?", "How fast does sound travel in water?", "Who proposed the pH scale?",
    "What is collateral?", "Which frequencies can people hear?",
]  # fmt: skip


@pytest.fixture
def evaluate(opened):
    page = opened("evaluate")
    page.get_by_role("button", name="Ask them all").wait_for()
    return page


def press_cell(page, row, column):
    """Press the button in a cell of the table, a canvas: its position follows from the column widths."""
    table = page.locator("[data-testid=stDataFrame]")
    table.scroll_into_view_if_needed()
    before = sum(list(WIDTHS.values())[: list(WIDTHS).index(column)])
    page.wait_for_timeout(500)
    table.click(position={"x": before + WIDTHS[column] // 2, "y": ROW * (row + 1) + ROW // 2})


def test_a_perturbed_answer_shows_the_change_and_what_caught_it(page):
    page.get_by_label("Question", exact=True).fill("How long is the Ganga?")
    page.get_by_label("Question", exact=True).press("Enter")
    assert shown(page) == "ANSWERED"
    page.get_by_role("radio", name="Break it").click()
    for way in ("number", "citation"):  # tests/pages covers every kind
        page.get_by_role("button", name=LABELS[way]).click()
        page.get_by_text(f"{DONE[way]}:").wait_for()
        settle(page)
        caught = page.get_by_text("Caught by").count()
        assert caught + page.get_by_text(NONE_CAUGHT).count() == 1
        broken = page.locator(".st-key-side-Broken")
        assert caught == ("ANSWERED\n" not in broken.inner_text())
        assert broken.locator("del").count() == 1
        assert "ANSWERED" in page.locator(".st-key-side-As-it-was").inner_text()


def pasted(page, questions):
    """Ask these questions and wait for the last result."""
    page.get_by_label("Questions, one a line").fill("\n".join(questions))
    page.get_by_role("button", name="Ask them all").click()
    page.get_by_text(f"{len(questions)} questions asked", exact=True).wait_for(timeout=600_000)
    settle(page)


@pytest.mark.long
def test_twenty_pasted_questions_become_a_table_and_a_csv(evaluate):
    questions = [*ASKED, "=1+1"] + [f"{q[:-1]}, number {n}?" for n, q in enumerate(ASKED * 3) if n < 14]
    pasted(evaluate, questions)
    evaluate.locator("[data-testid=stDataFrame]").hover()  # the table's own download keeps formulas, and is hidden
    with evaluate.expect_download() as taken:
        evaluate.get_by_role("button", name="Download as CSV").click()
    text = taken.value.path().read_text("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [r["question"] for r in rows] == [f"'{q}" if q[0] == "=" else q for q in questions] and len(rows) == 20
    assert {r["route"] for r in rows} <= set(ROUTES) and rows[0]["route"] == "deliver"
    assert all(0 <= float(r["confidence"]) <= 100 and int(r["page"]) >= 1 for r in rows)
    assert all(r["reason"] for r in rows if r["route"] == "refuse")


def test_a_list_is_asked_downloaded_labelled_and_opened_on_the_ask_page(evaluate, app_home):
    evaluate.locator("input[type=file]").set_input_files(
        {"name": "list.csv", "mimeType": "text/csv", "buffer": b"question,class,subject\nWhat is photosynthesis?,7,Biology\nHi?,,\n=1+1,,\n"}
    )  # fmt: skip
    evaluate.get_by_text("3 questions asked", exact=True).wait_for()
    settle(evaluate)
    evaluate.locator("[data-testid=stDataFrame]").hover()  # the table's own download keeps formulas, and is hidden
    with evaluate.expect_download() as taken:
        evaluate.get_by_role("button", name="Download as CSV").click()
    rows = list(csv.DictReader(io.StringIO(taken.value.path().read_text("utf-8-sig"), newline="")))
    assert [r["question"] for r in rows] == ["What is photosynthesis?", "Hi?", "'=1+1"] and rows[0][
        "route"
    ] == "deliver"
    assert {r["route"] for r in rows} <= set(ROUTES) and int(rows[0]["page"]) >= 1
    assert all(r["reason"] for r in rows if r["route"] == "refuse") and 0 <= float(rows[0]["confidence"]) <= 100
    press_cell(evaluate, 0, "Answered")
    said = evaluate.get_by_text("Saved to My questions")
    said.wait_for()
    row = json.loads((app_home / "banks" / "own_questions.jsonl").read_text("utf-8"))
    assert (row["query"], row["expected"], row["class_number"]) == ("What is photosynthesis?", "answered", 7)
    press_cell(evaluate, 0, "Open")
    assert shown(evaluate) == "ANSWERED"
    assert evaluate.get_by_label("Question", exact=True).input_value() == "What is photosynthesis?"
