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
    """Lay out plain text as a page with evenly set lines, so that text without a PDF is read in the same way."""
    lines = [line.split() for line in text.splitlines()]
    height = _LEADING * (len(lines) + 2)
    return Page(
        number=number, width=_WIDTH, height=height, raw=text,
        lines=tuple(_monospaced_line(words, _LEADING * (index + 1)) for index, words in enumerate(lines) if words),
    )  # fmt: skip


def _monospaced_line(words: list[str], top: float) -> Line:
    """A line of words in which all letters have the same width. top: of the line (points)."""
    placed_words, left = [], _EM
    for text in words:
        right = left + _EM * len(text)
        placed_words.append(Word(text=text, left=left, right=right))
        left = right + _EM
    return Line(words=tuple(placed_words), top=top, bottom=top + 2 * _EM, size=2 * _EM)
