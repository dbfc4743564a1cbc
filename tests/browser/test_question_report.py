"""The report of one question in a browser: downloaded, opened offline, and printed to a PDF."""

import re

import pypdfium2
import pytest

from tests.support.browser import CRITIC, PATIENCE, ask, settle, slider


@pytest.fixture
def taken(page, tmp_path):
    """Return a function that downloads the report of an example."""

    def taken(example):
        ask(page, example)
        slider(page, CRITIC).focus()
        page.keyboard.press("ArrowLeft")
        settle(page)
        with page.expect_download(timeout=PATIENCE) as download:
            page.get_by_role("button", name="Print", exact=True).click()
        assert re.fullmatch(r"report-[a-z-]+\.html", download.value.suggested_filename)
        path = tmp_path / "report.html"
        download.value.save_as(path)
        return path

    return taken


def opened(chromium, path):
    """Open the file in its own window; return it with a list of its requests and console messages."""
    page = chromium.new_page(viewport={"width": 1000, "height": 1000})
    page.set_default_timeout(PATIENCE)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: asked.append(message.text))
    page.goto(path.as_uri())
    return page, [one for one in asked if not one.startswith(("file:", "data:"))]


def test_a_report_opens_offline_and_prints_with_the_verdict_on_its_first_page(taken, chromium, tmp_path):
    path = taken("What is photosynthesis?")
    page, loaded = opened(chromium, path)
    assert loaded == []
    assert page.locator("h1").inner_text() == "What is photosynthesis?"
    assert page.locator(".verdict h2").inner_text() == "ANSWERED"
    for picture in page.locator("img").all():
        assert picture.evaluate("one => one.complete && one.naturalWidth") == 900
    assert 1 <= page.locator("img").count() <= 6
    assert path.stat().st_size < 4_000_000

    printed = page.pdf(path=tmp_path / "report.pdf", format="A4", prefer_css_page_size=True, print_background=False)
    text, wide = words(printed)
    assert 3 <= len(text) <= 20
    assert "ANSWERED" in text[0] and "Evidence confidence" in text[0]
    assert "Default, with 1 change" in text[0].replace("\r\n", " ")
    assert "retrieval_confidence.min_retrieval_confidence" in "".join(text)
    assert re.search(rf"{len(text)} of {len(text)}", text[-1])
    assert all(width == pytest.approx(595, abs=2) for width in wide)


def words(printed):
    """The text of each page of a PDF, and the page widths in points."""
    document = pypdfium2.PdfDocument(printed)
    return [p.get_textpage().get_text_range() for p in document], [p.get_width() for p in document]
