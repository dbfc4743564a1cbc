"""Plain text beside the library's reading: a PDF as pypdf alone reads it, and text that is laid out as a page."""

import io
import logging

import pypdf

from core.pdf.page import Line, Page, Word

_WIDTH, _LEADING, _EM = 595.0, 12.0, 5.0  # points: A4, and a line of ten points as plain text is set


def plain_page_texts(data: bytes) -> list[str]:
    """Text of every page of a sound PDF, in this process and without limits. Raises pypdf's own errors."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    return [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages]


def page_of_text(text: str, number: int = 1) -> Page:
    """Lay out plain text as a page with evenly set lines of letters of one width, so that text without a PDF is read in
    the same way."""
    texts, lines = [line.split() for line in text.splitlines()], []
    for index, words in enumerate(texts, 1):
        placed_words, left = [], _EM
        for word in words:
            right = left + _EM * len(word)
            placed_words.append(Word(text=word, left=left, right=right))
            left = right + _EM
        top = _LEADING * index
        lines.append(Line(words=tuple(placed_words), top=top, bottom=top + 2 * _EM, size=2 * _EM))
    return Page(
        number=number, width=_WIDTH, height=_LEADING * (len(texts) + 2), raw=text,
        lines=tuple(line for line in lines if line.words),
    )  # fmt: skip
