"""A small PDF for a test, written by us."""

from fpdf import FPDF


def chapter(paragraphs, title="1.1 A test"):
    """One page a paragraph, under a title."""
    pdf = FPDF()
    pdf.set_font("helvetica", size=12)
    for text in paragraphs:
        pdf.add_page()
        pdf.multi_cell(0, 8, title, new_x="LMARGIN", new_y="NEXT")
        pdf.multi_cell(0, 8, text, new_x="LMARGIN", new_y="NEXT")
    return bytes(pdf.output())
