"""Pages whose font gives its glyphs the codes that a test wants, written object by object."""

import pypdfium2

from core.pdf.opened_file import opened_file
from core.pdf.read import page_at
from tests.support.crafted_pdfs import crafted, stream

_GLYPHS = "ÀÁÂÃÄÅÈÉÊË"
"""What Helvetica draws for the marks of a text, each as wide as two letters."""
UPRIGHT = (1, 0, 0, 1)
TURNS = {0: UPRIGHT, 1: (0, -1, 1, 0), 2: (-1, 0, 0, -1), 3: (0, 1, -1, 0)}
"""The matrix of text that is turned by so many quarters to the right."""


def shown(text, left=60, bottom=700, size=12, matrix=UPRIGHT, marks=()):
    """The operators that draw one line; each of `marks` in it is drawn as a glyph of its own."""
    drawn = text.translate({ord(mark): _GLYPHS[n] for n, mark in enumerate(marks)})
    code = drawn.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    turn = " ".join(map(str, matrix)).encode()
    return b"BT /F %d Tf %s %d %d Tm (%s) Tj ET\n" % (size, turn, left, bottom, code)


def file_of(content, codes=None, size=(600, 800)):
    """A PDF of one page. codes: for each mark of its texts, the characters that the font says its glyph is."""
    rows = b"\n".join(
        b"<%s> <%s>" % (_GLYPHS[n].encode("cp1252").hex().encode(), text.encode("utf-16-be").hex().encode())
        for n, text in enumerate((codes or {}).values())
    )
    table = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /T def /CMapType 2 def\n"
        b"1 begincodespacerange <00> <FF> endcodespacerange\n%d beginbfchar\n%s\nendbfchar\n"
        b"endcmap CMapName currentdict /CMap defineresource pop end end"
    ) % (len(codes or {}), rows)
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding%s>>"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>" % size
    return crafted(
        b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>", page, stream(content),
        font % (b"/ToUnicode 6 0 R" if codes else b""), stream(table),
    )  # fmt: skip


def read(data):
    document = pypdfium2.PdfDocument(data)
    try:
        return page_at(document, 0, file=opened_file(data))
    finally:
        document.close()


def page_of(*lines, codes=None):
    """A page of lines under each other; the keys of `codes` in them are glyphs of their own."""
    drawn = (shown(text, bottom=700 - 16 * place, marks=codes or ()) for place, text in enumerate(lines))
    return read(file_of(b"".join(drawn), codes))


def texts(page):
    return [line.text for line in page.lines]
