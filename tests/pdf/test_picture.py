"""A page is drawn as it looks, and what is marked is painted over with a felt pen."""

import io

import pypdfium2 as pdfium
import pytest
from fpdf import FPDF
from PIL import Image, ImageChops

from core.pdf.read import highlight, render_page
from core.pdf.sandbox import Limits, printed_lines

WHITE, BLACK = (255, 255, 255), (0, 0, 0)


def book(width=210, height=297):
    """Two pages; the second is black in its upper half."""
    pdf = FPDF(format=(width, height))
    pdf.add_page()
    pdf.add_page()
    pdf.rect(0, 0, width, height / 2, style="F")
    return bytes(pdf.output())


def lines(data, page, width=900, marks=()):
    job = {"picture": {"page": page, "width": width, "marks": marks}}
    return [line for _, line in printed_lines(data, [("core.pdf.read", job)], Limits())]


def test_a_page_is_as_wide_as_it_was_asked_for():
    picture = render_page(pdfium.PdfDocument(book()), 1, 300)
    assert picture.width == pytest.approx(300, abs=1) and picture.height == pytest.approx(424, abs=2)
    assert picture.getpixel((150, 100)) == BLACK and picture.getpixel((150, 400)) == WHITE


def test_a_very_long_page_is_drawn_narrower():
    picture = render_page(pdfium.PdfDocument(book(20, 2000)), 0, 300)
    assert picture.height <= 1201 and picture.width < 50


def test_a_mark_is_yellow_on_white_and_leaves_black_and_the_rest_alone():
    picture = render_page(pdfium.PdfDocument(book()), 1, 300)
    found = highlight(picture, [(0.2, 0.4, 0.6, 0.6)])
    red, green, blue = found.getpixel((120, 240))
    assert red > green > blue and blue < 200
    assert found.getpixel((120, 180)) == BLACK
    left, top, right, bottom = ImageChops.difference(picture, found).getbbox()
    assert (left, right) == pytest.approx((60, 180), abs=4) and bottom == pytest.approx(0.6 * picture.height, abs=4)
    assert top >= picture.height / 2 - 1  # what is black above stays as it is


def test_marks_that_overlap_are_no_darker():
    picture = Image.new("RGB", (100, 100), "white")
    once, twice = (highlight(picture, [(0.1, 0.1, 0.5, 0.5)] * n) for n in (1, 2))
    assert once.tobytes() == twice.tobytes() and highlight(picture, []) is picture


def test_a_mark_beyond_the_page_is_no_error():
    assert highlight(Image.new("RGB", (10, 10), "white"), [(-1.0, -1.0, 2.0, 2.0)]).getpixel((5, 5)) != WHITE


def test_the_program_gives_a_png():
    import base64

    (line,) = lines(book(), 2, 200, [[0.1, 0.6, 0.9, 0.7]])
    picture = Image.open(io.BytesIO(base64.b64decode(line["picture"])))
    assert picture.format == "PNG" and picture.width == pytest.approx(200, abs=1)


@pytest.mark.parametrize(("data", "page"), [(b"no pdf", 1), (book(), 3), (book(), 0)])
def test_what_cannot_be_drawn_is_refused(data, page):
    assert [set(line) for line in lines(data, page)] == [{"refused"}]
