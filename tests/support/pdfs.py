"""Real PDFs for tests."""

import io

from fpdf import FPDF
from pypdf import PdfReader, PdfWriter


def chapter(paragraphs, title="1.1 A test"):
    """One page a paragraph, under a title."""
    document = FPDF()
    document.set_font("helvetica", size=12)
    for text in paragraphs:
        document.add_page()
        document.multi_cell(0, 8, title, new_x="LMARGIN", new_y="NEXT")
        document.multi_cell(0, 8, text, new_x="LMARGIN", new_y="NEXT")
    return bytes(document.output())


def long_chapter(pages):
    """Many pages, all different, of about as much text as a textbook has."""
    text = (
        "On day {n} of the journey number {n} the walkers counted {m} birds, {n} trees and one river near the village. "
    )
    return chapter(["".join(text.format(n=page * 10 + i, m=page + i) for i in range(10)) for page in range(pages)])


def make_pdf(*pages):
    """A PDF with one page for each text; a line of the text is a line of the page."""
    document = FPDF()
    document.set_font("Helvetica", size=11)
    for text in pages:
        document.add_page()
        document.multi_cell(0, 6, text or " ")
    return bytes(document.output())


def rewritten(data, change):
    """The PDF after `change(writer)`."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    change(writer)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()
