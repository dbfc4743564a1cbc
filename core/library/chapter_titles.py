"""The title of a chapter, as its first page prints it: the largest lines with words, without "Chapter 5"."""

import re
from collections import Counter
from collections.abc import Sequence

from core.book_titles import title_case
from core.pdf.exercises import TO_TEACHERS
from core.pdf.furniture import REPRINT, edges
from core.pdf.line_types import END_MARK, body_size
from core.pdf.page import Line, Page
from core.pdf.text_cleaning import clean_page, decode_pages

LONGEST = 120
"""Maximum number of characters of a title."""
_LARGER, _ALIKE = 1.3, 0.95
"""Minimum font size of a title, as a multiple of the running text's; minimum ratio of the smaller to the larger font
size of two lines of one title.
"""
_LEADING, _UPPER = 1.0, 0.7
"""Maximum gap between two lines of a title, as a multiple of its font size; the share of the page, from its top, in
which a title must begin.
"""
_WORDS = 16
_FIRST = 3
"""Number of pages on which the title may be: the first pages may be pictures without text."""
_NUMBER = re.compile(
    r"(?:chapter|unit|lesson|theme|section)\s*(?:\d{1,2}|[ivx]{1,5}|one|two|three|four|five|six|seven|eight|nine|ten|"
    r"eleven|twelve|thirteen|fourteen|fifteen|sixteen)?\s*[:.–—-]?\s*",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[^\W\d_]{3,}")
_NO_TITLE = re.compile(r"(?:table of )?contents|index|glossary|preface|foreword|https?://\S+|www\.\S+", re.IGNORECASE)
"""Lines in the size of a title that name a part of any book."""
_RUNNING, _RUNNING_WORDS = 3, 2
"""Pages on which a running head must stand, and the words that it must have, to be a title: one word is a subject."""


def chapter_title(pages: Sequence[Page], chapter: str = "") -> str:
    """The title on the first page with text: its largest line. If no line is clearly larger than the rest, because the
    page of the title is a picture, the running head; "" if there is none.

    chapter: the number of the chapter, which is removed if it is printed after the title.
    """
    size = body_size(pages)
    # A page of notes for teachers may be before that of the title.
    with_text = [page for page in pages[:_FIRST] if page.lines and not _is_for_teachers(page, size)]
    first = decode_pages([clean_page(page) for page in with_text[:1]])
    groups = [group for page in first for group in _groups(page, size)]
    titles = [(max(line.size for line in group), _text(group, chapter)) for group in groups]
    candidates = [
        (line_size, text)
        for line_size, text in titles
        if _LETTERS.search(text) and len(text.split()) <= _WORDS and not _NO_TITLE.fullmatch(text)
    ]
    return max(candidates, key=lambda item: item[0])[1] if candidates else _running_head(pages)


def _running_head(pages: Sequence[Page]) -> str:
    """The title that stands at the edge of most pages: a few words, the first with a capital, and no sentence. "" if
    none stands on several.
    """
    times: Counter[str] = Counter()
    for text in (line.text for page in pages for line in edges(page)):
        are_words = len(_LETTERS.findall(text)) >= _RUNNING_WORDS and len(text.split()) <= _WORDS
        times[text] += are_words and text[0].isupper() and not END_MARK.search(text) and not REPRINT.fullmatch(text)
    text, count = max(times.items(), key=lambda item: item[1], default=("", 0))
    return _as_title(text) if count >= _RUNNING else ""


def _is_for_teachers(page: Page, size: float) -> bool:
    large = (line for line in page.lines if line.size > size and line.top < _UPPER * page.height)
    return any(TO_TEACHERS.search(line.text) for line in large)


def tidy_title(title: str) -> str:
    """A title as it is stored: single spaces, without control characters, at most LONGEST characters."""
    printable = "".join(letter if letter.isprintable() else " " for letter in title)
    return " ".join(printable.split())[:LONGEST].rstrip()


def _groups(page: Page, size: float) -> list[list[Line]]:
    """The large lines of a page from top to bottom, grouped into titles."""
    groups: list[list[Line]] = []
    for line in page.lines:
        if line.turn or line.size < _LARGER * size or line.top > _UPPER * page.height:
            continue
        if _NUMBER.fullmatch(line.text) or not _LETTERS.search(line.text):
            continue
        before = groups[-1][-1] if groups else line
        is_alike = min(before.size, line.size) >= _ALIKE * max(before.size, line.size)
        is_close = 0 <= line.top - before.bottom + line.size / 2 <= (_LEADING + 0.5) * line.size
        if groups and is_alike and is_close:
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _text(group: Sequence[Line], chapter: str) -> str:
    """The lines as one title, without the number of the chapter before or behind it."""
    text = tidy_title(" ".join(line.text for line in group))
    number = _NUMBER.match(text)
    text = text[number.end() :] if number and any(c.isdigit() for c in number[0]) else text
    text = text.removesuffix(f" {chapter}") if chapter else text
    return _as_title(text)


def _as_title(text: str) -> str:
    return title_case(text) if text.isupper() else text
