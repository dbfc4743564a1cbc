"""Places are those on the page that is seen: cropped and turned as the file says."""

import io
import math

import pypdfium2
import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import RectangleObject

from core.pdf.read import page_at
from core.pdf.visibility import Frame, frame
from tests.support.drawn_pages import sheet


def changed(pdf, change):
    """The first page of a drawn PDF, once `change` has had it."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(bytes(pdf.output()))))
    change(writer.pages[0])
    out = io.BytesIO()
    writer.write(out)
    return pypdfium2.PdfDocument(out.getvalue())


def dark(document):
    """Left and top, as shares, of the first dark pixels of the picture of the page."""
    picture = document[0].render(scale=2).to_pil().convert("L").point(lambda v: 255 * (v < 128))
    left, top, _, _ = picture.getbbox()
    return left / picture.width, top / picture.height


def test_a_cropped_page_has_its_places_within_the_crop():
    pdf = sheet()
    pdf.text(100, 200, "Sound needs a medium.")
    pdf.text(20, 20, "a mark of the printer")

    def crop(page):
        page.cropbox = RectangleObject((50, 100, 500, 800))

    page = page_at(changed(pdf, crop), 0)
    (line,) = page.lines
    assert (page.width, page.height) == (450, 700) and line.text == "Sound needs a medium."
    left, top = dark(changed(pdf, crop))
    assert line.left / page.width == pytest.approx(left, abs=0.01)
    assert line.top / page.height == pytest.approx(top, abs=0.01)


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_turned_page_is_read_as_it_is_seen(quarters):
    pdf = sheet()
    with pdf.rotation(90 * quarters, 300, 400):
        pdf.text(300, 400, "Sound needs")
        pdf.text(300, 412, "a medium.")
    document = changed(pdf, lambda page: page.rotate(90 * quarters))
    page = page_at(document, 0)
    assert [line.text for line in page.lines] == ["Sound needs", "a medium."]
    assert (page.width, page.height) == pytest.approx(document[0].get_size())
    left, top = dark(document)
    assert page.lines[0].left / page.width == pytest.approx(left, abs=0.01)
    assert page.lines[0].top / page.height == pytest.approx(top, abs=0.01)


def test_a_crop_beyond_the_sheet_ends_with_the_sheet():
    document = changed(sheet(), lambda page: setattr(page, "cropbox", RectangleObject((-100, -100, 2000, 2000))))
    assert frame(document[0]).size == pytest.approx(document[0].get_size())


def test_turning_four_times_changes_nothing():
    plain = Frame(left=0, bottom=0, right=200, top=100)
    assert plain.visible_point(30, 70) == (30, 30) and plain.rectangle(10, 20, 30, 40) == (10, 60, 30, 80)
    assert [plain.turn_of(angle) for angle in (0.01, 1.5, math.pi / 2, -1.58)] == [0, None, 1, 3]
