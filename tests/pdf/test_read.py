"""The program that reads a PDF: every page once, and a word for why it goes no further."""

import pypdfium2 as pdfium
import pytest

from core.pdf.read import TooManyLettersError, page_at
from core.pdf.sandbox import Limits, printed_lines
from tests.support.pdfs import make_pdf

BOOK = make_pdf(*(f"Page {n} of the book." for n in range(1, 8)))


def lines(data, limits=Limits(), **job):
    return [line for _, line in printed_lines(data, [("core.pdf.read", job)], limits)]


def test_it_counts_the_pages_and_reads_them_all():
    count, *pages = lines(BOOK)
    assert count == {"pages": 7} and [p["number"] for p in pages] == [1, 2, 3, 4, 5, 6, 7]
    assert all(p["raw"].startswith(f"Page {p['number']} of") for p in pages)


def test_strides_share_the_pages_out():
    shares = [[p["number"] for p in lines(BOOK, first=n, step=3)[1:]] for n in range(3)]
    assert shares == [[1, 4, 7], [2, 5], [3, 6]]


def test_it_stops_at_a_page_with_too_many_letters():
    assert lines(BOOK, Limits(page_letters=5)) == [{"pages": 7}, {"refused": "letters", "page": 1}]
    with pytest.raises(TooManyLettersError):
        page_at(pdfium.PdfDocument(BOOK), 0, most_letters=5)


def test_what_is_no_pdf_is_damaged():
    assert lines(b"%PDF-1.4 and no more") == [{"refused": "damaged"}]
