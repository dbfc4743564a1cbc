"""Real PDFs for tests."""

from fpdf import FPDF


def pdf(*pages: str) -> bytes:
    """A PDF with one page for each text."""
    document = FPDF()
    document.set_font("Helvetica", size=12)
    for text in pages:
        document.add_page()
        document.multi_cell(0, 6, text)
    return bytes(document.output())
