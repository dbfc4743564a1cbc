"""The Tune page in a browser: import a file, run it once, move sliders, read its results, make a report."""

import pytest

from pages.components.shared.safe_display import ROW
from tests.support.browser import all_limits, come_to, pick, settle, slider, visible_text

FILE = """question,expected,class,subject,facts
What is photosynthesis?,answered,7,Biology,food
Who wrote the play Hamlet?,refused,,,
What is collateral?,answerd,10,Economics,
"""
RELATED = "Mean of the best three"

pytestmark = pytest.mark.usefixtures("measured")


@pytest.fixture(scope="module")
def measured(own_window, address):
    """A measured bank in the app: the two valid rows of FILE, after the third was reported as wrong."""
    page = come_to(own_window, address, "tune")
    tab(page, "Questions")
    page.locator("input[type=file]").set_input_files(
        {"name": "class 7.csv", "mimeType": "text/csv", "buffer": FILE.encode()}
    )
    page.get_by_text("3 rows: what does each column hold?").wait_for()
    page.get_by_text("The first rows as they will be stored").wait_for()
    page.get_by_text("1 of 3 rows is wrong").wait_for()
    page.get_by_role("button", name="Import only the 2 good rows").click()
    page.get_by_text("2 rows imported into class_7").wait_for()
    tab(page, "Run")
    page.get_by_role("button", name="Run set").click()
    page.get_by_text("All 2 questions are measured").wait_for(
        timeout=600_000
    )  # background measuring has the lowest priority


def tab(page, name):
    """Open a tab of the page."""
    page.get_by_role("tab", name=name, exact=True).click()
    settle(page)
    return page


@pytest.fixture
def tune(opened):
    """Return a function that opens a tab of the Tune page as a new visitor, with the imported set."""

    def tune(name):
        page = opened("tune")
        page.get_by_role("combobox", name="Question set").click()
        page.get_by_role("option", name="class_7").click()
        page.get_by_text("2 questions, all measured").wait_for()
        return tab(page, name)

    return tune


def test_a_slider_decides_the_set_and_a_changed_question_opens(tune):
    page = tune("Bench")
    all_limits(page)  # drawn here first: the Ask page must take over their values
    pick(page, "Preset", "As printed")
    page.get_by_text("No outcomes changed").wait_for()
    related = slider(page, RELATED)
    related.focus()
    page.keyboard.press("End")
    page.get_by_text("1 changed: 1 worse").wait_for()
    settle(page)
    table = page.locator("[class*='st-key-safe_table_table-changed'] [data-testid=stDataFrame]").first
    table.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    table.click(position={"x": 40, "y": ROW + ROW // 2})
    assert visible_text(page) == "REFUSED"
    assert page.get_by_label("Question", exact=True).input_value() == "What is photosynthesis?"


def test_each_picture_of_the_limits_is_drawn(tune):
    page = tune("Diagnose")
    for name in ("Which checks matter", "Calibration", "Pair of limits"):
        page.get_by_role("radio", name=name).or_(page.get_by_role("button", name=name)).first.click()
        settle(page)
        page.locator("[data-testid=stPlotlyChart] .main-svg").first.wait_for()


def test_the_report_of_a_set_has_its_tables_and_prints(tune, chromium, tmp_path):
    page = tune("Diagnose")
    page.get_by_role("radio", name="Report").or_(page.get_by_role("button", name="Report")).first.click()
    page.get_by_text("With the guardrail").wait_for()
    settle(page)  # a button that is being drawn does nothing
    with page.expect_download() as taken:
        page.get_by_role("button", name="Report", exact=True).click()
    path = tmp_path / "report.html"
    taken.value.save_as(path)
    report = chromium.new_page()
    report.goto(path.as_uri())
    assert report.locator("svg").count() == 7 and report.locator("table").count() >= 6
    report.get_by_text("What is photosynthesis?").first.wait_for()
    pdf = report.pdf()
    assert pdf.startswith(b"%PDF") and len(pdf) > 20_000
    report.close()
