"""Pages drawn for the tests with fpdf2, read back with pdfium in this process."""

import pypdfium2
from fpdf import FPDF

from core.pdf.opened_file import opened_file
from core.pdf.read import page_at


def sheet():
    """An empty A4 page in points, with Helvetica of 10."""
    pdf = FPDF(unit="pt", format="A4")
    pdf.add_page()
    pdf.set_font("Helvetica", size=10)
    return pdf


def column(pdf, left, top, *lines, leading=12):
    """Lines of text under each other."""
    for row, text in enumerate(lines):
        pdf.text(left, top + row * leading, text)


def read_back(pdf, number=1):
    data = bytes(pdf.output())
    document = pypdfium2.PdfDocument(data)
    try:
        return page_at(document, number - 1, file=opened_file(data))
    finally:
        document.close()


def texts(pdf):
    return [line.text for line in read_back(pdf).lines]
