"""Removes running heads and page numbers, and repairs damaged characters and words that a line end splits."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from core.pdf.page import Line, Page, Word
from core.text.words import STOPWORDS, words

_DEPTH = 3  # a running line is among the highest or lowest three of its page
_SHARE = 0.25  # of the pages: left and right pages have different heads, and some pages have none
_LEAST = 3
_REPRINT = re.compile(r"(?:re)?print(?:ed)?\s+\d{4}\s*[-–]\s*\d{2,4}", re.IGNORECASE)
PAGE_NUMBER = re.compile(r"(?:page\s*)?[-–—\s]*(\d{1,4})[-–—\s]*(?:(?:of|/)\s*\d{1,4})?", re.IGNORECASE)
_ANY_NUMBER = re.compile(r"(?<![.\d])\d{1,4}(?![.\d])")
SOFT_HYPHEN = "\u00ad"
_LIGATURES = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
_WINDOWS_CODES = {sign.encode("cp1252")[0]: sign for sign in "‘’“”–—…"}
"""Control characters of Latin-1 whose codes are signs in Windows-1252, with these signs."""
_DOTS = re.compile(r"\.(?:\s\.){2,}")
_HALF = 61  # letters: half of a split word is no longer
_HIDDEN_HYPHEN = re.compile(r"\u00ad(?!$)")
_HYPHEN_END = re.compile(r"([^\W\d_]{1,60})[-\u2010\u00ad]$")  # bounded, since a page of letters would take too long
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_ECHO = re.compile(r"([\w.(][\w .:()’'-]{3,79}?)(?:\s?\1){3,}")  # without signs, since a sum repeats its terms
_LETTERS = re.compile(r"[^\W\d_]{3}")
_KEEPS_HYPHEN = frozenset(
    ["co", "cross", "ex", "half", "mid", "multi", "non", "self", "semi", "so", "two", "up", "well"]
)


def without_furniture(pages: Sequence[Page]) -> tuple[Page, ...]:
    """Return the pages without their furniture: reprint lines, running heads and feet, and page numbers."""
    pages = tuple(_without(page, [n for n in page.lines if _REPRINT.fullmatch(n.text)]) for page in pages)
    return _without_page_numbers(without_running_lines(pages))


def without_running_lines(pages: Sequence[Page], *, all_may_go: bool = False) -> tuple[Page, ...]:
    """Remove running lines: lines at the top or bottom that recur, digits ignored, on at least 3 pages and on a quarter
    of the pages with text.

    If the lines contain a number, the number must increase with the pages, which that of a caption such as "Fig. 4"
    does not. If no line of the document would remain, the pages only look alike: nothing is then removed unless
    `all_may_go`.
    """
    pages_with_text = sum(bool(page.lines) for page in pages)
    recurring: dict[str, list[tuple[int, str]]] = defaultdict(list)  # (page number, line) of each key
    for number, page in enumerate(pages, 1):
        for text in dict.fromkeys(line.text for line in at_edges(page)):
            recurring[_key(text)].append((number, text))
    running = {key for key, occurrences in recurring.items() if _is_running(key, occurrences, pages_with_text)}
    new_pages = tuple(_without(page, [n for n in at_edges(page) if _key(n.text) in running]) for page in pages)
    return new_pages if all_may_go or any(page.lines for page in new_pages) else tuple(pages)


def _without_page_numbers(pages: Sequence[Page]) -> tuple[Page, ...]:
    """Remove lines that are only a number which increases with the pages.

    In the highest or lowest line of a page, the number must increase on two pages. Elsewhere, such as in the margin, it
    must increase on at least three pages and on half of the pages with text.
    """
    number_lines = [_number_lines(page, number) for number, page in enumerate(pages, 1)]
    at_ends = Counter(offset for page in number_lines for _, offset, is_end in page if is_end)
    anywhere = Counter(offset for page in number_lines for offset in {offset for _, offset, _ in page})
    often = max(_LEAST, sum(bool(page.lines) for page in pages) / 2)
    regular = {offset for offset, count in anywhere.items() if count >= often}
    return tuple(
        _without(page, [n for n, offset, is_end in page_lines if (is_end and at_ends[offset] > 1) or offset in regular])
        for page, page_lines in zip(pages, map(_likeliest_numbers, number_lines), strict=True)
    )


def _likeliest_numbers(lines: Sequence[tuple[Line, int, bool]]) -> list[tuple[Line, int, bool]]:
    """The lines of one page that may be its page number: those at its top or bottom, and others whose offset (see
    `_number_lines`) no other line of the page has.
    """
    count_by_offset = Counter(offset for _, offset, _ in lines)
    return [(line, offset, is_end) for line, offset, is_end in lines if is_end or count_by_offset[offset] == 1]


def _without(page: Page, lines: Sequence[Line]) -> Page:
    return replace(page, lines=tuple(n for n in page.lines if n not in lines)) if lines else page


def _by_height(page: Page) -> list[Line]:
    return sorted(page.lines, key=lambda line: line.top)


def _number_lines(page: Page, page_number: int) -> list[tuple[Line, int, bool]]:
    """Lines that are only a number, as (line, offset, is_end).

    offset: number minus `page_number`, which counts from 1. is_end: whether it is the highest or lowest line.
    """
    lines = _by_height(page)
    matches = [(line, PAGE_NUMBER.fullmatch(line.text)) for line in lines]
    return [(line, int(number[1]) - page_number, line in (lines[0], lines[-1])) for line, number in matches
            if number and line.cell is None]  # fmt: skip


def at_edges(page: Page) -> list[Line]:
    """The highest three and the lowest three lines; of a short page a third each."""
    lines = _by_height(page)
    depth = min(_DEPTH, max(1, (len(lines) + 1) // 3))
    return lines[:depth] + lines[depth:][-depth:]


def _key(text: str) -> str:
    """The part of a running line that recurs: its text without digits, or all of it if it has no letters."""
    letters = "".join(re.sub(r"\d", "", text).split())
    return letters if any(c.isalpha() for c in letters) else "".join(text.split())


def _is_running(key: str, occurrences: list[tuple[int, str]], pages: int) -> bool:
    """True if these lines recur often enough and, if they contain numbers, the numbers increase with the pages.

    occurrences: (page number, line). pages: number of pages with text.
    """
    if len({page for page, _ in occurrences}) < max(_LEAST, _SHARE * pages) or not any(c.isalnum() for c in key):
        return False
    if len({line for _, line in occurrences}) == 1:
        return True
    numbered_lines = [(page, line) for page, line in occurrences if _ANY_NUMBER.search(line)]
    steps = Counter(
        step for page, line in numbered_lines for step in {int(n) - page for n in _ANY_NUMBER.findall(line)}
    )
    return max(steps.values(), default=0) * 2 >= len(numbered_lines)


def clean_page(page: Page) -> Page:
    """Return the page with readable words, and without lines that have no word."""
    lines = (_mended_line(line) for line in page.lines)
    return replace(page, lines=tuple(line for line in lines if line.words))


def _mended_line(line: Line) -> Line:
    """The line with readable words. If the number of words changes, they share the width of the line by their
    lengths.
    """
    text = readable(line.text)
    if text == line.text or not text:
        return line if text else replace(line, words=())
    texts = [readable(word.text) for word in line.words]
    if all(texts) and " ".join(texts) == text and all(" " not in text_ for text_ in texts):
        return replace(line, words=tuple(replace(w, text=text_) for w, text_ in zip(line.words, texts, strict=True)))
    return replace(line, words=tuple(_spread(line, text.split())))


def _spread(line: Line, texts: Sequence[str]) -> Iterator[Word]:
    """Yield words with these texts, spread over the width of a line."""
    full_text = " ".join(texts)
    char_width, offset = (line.right - line.left) / len(full_text), 0
    for text, span in zip(texts, _spans(line, len(texts)), strict=True):
        left = line.left + offset * char_width
        yield Word(text=text, left=left, right=left + len(text) * char_width, span=span)
        offset += len(text) + 1


def _spans(line: Line, parts: int) -> list[tuple[int, int] | None]:
    """Spans of `parts` words that share the letters of a line; (0, 0) if those are not consecutive in the file."""
    spans = [word.span for word in line.words]
    if None in spans:
        return [None] * parts
    if any(before[1] != after[0] for before, after in pairwise(spans)) or any(first == last for first, last in spans):
        return [(0, 0)] * parts
    first, last = spans[0][0], spans[-1][1]
    edges = [first + (last - first) * n // parts for n in range(parts + 1)]
    return [*pairwise(edges)]


def readable(line: str) -> str:
    """Expand ligatures, decode Windows codes, close spaced dots, and remove hidden hyphens and control characters."""
    line = _HIDDEN_HYPHEN.sub("", line.translate(_LIGATURES).translate(_WINDOWS_CODES).rstrip())
    printable = "".join(" " if unicodedata.category(c) in ("Cc", "Cs") else c for c in line)
    return without_echo(_DOTS.sub("...", " ".join(printable.split())))


def without_echo(line: str) -> str:
    """Return `line` with only one copy of a text that is printed several times over itself to look bold.

    Stray spaces may differ between the copies: of a whole line, the copy with the fewest spaces is returned.
    """
    bare = line.replace(" ", "")
    for copies in (5, 4, 3):
        size = len(bare) // copies
        if 3 < size <= 80 and bare == bare[:size] * copies and _LETTERS.search(bare):
            return min((copy.strip() for copy in re.findall(rf"(?:\S\s*){{{size}}}", line)), key=len)
    return _ECHO.sub(_single_copy, line)


def _single_copy(echo: re.Match[str]) -> str:
    """One copy of a text that is printed four to six times; a text with more copies is returned unchanged, since it is
    not meant to look bold.
    """
    bold = _LETTERS.search(echo[1]) and echo[0].count(echo[1]) <= 6
    return echo[1] if bold else echo[0]


def whole_words(lines: Iterable[str]) -> frozenset[str]:
    """Every word of the document in lower case, without halves that a line end splits off."""
    return frozenset(word for line in lines for word in words(line[:-_HALF] + _HYPHEN_END.sub("", line[-_HALF:])))


def seam(before: str, after: str, known_words: frozenset[str]) -> tuple[str, str]:
    """How to join two lines: (`before`, without a hyphen that only splits a word at the line end; the text to insert
    before `after`: "" inside a word, else a space).

    known_words: the whole words of the document. The hyphen is removed if the joined word is known, or if the first
    half is a stopword or unknown. Otherwise it stays, as in "well-known".
    """
    first = _HYPHEN_END.search(before[-_HALF:])
    if not first or not after[:1].isalnum():
        return before, " " if before else ""
    second = _FIRST_WORD.match(after)
    if before.endswith(SOFT_HYPHEN) or (second and _is_broken(first[1].lower(), second[0], known_words)):
        return before[:-1], ""
    return before, ""


def _is_broken(first: str, second: str, known_words: frozenset[str]) -> bool:
    """True if the hyphen between `first` and `second` only splits a word at the line end."""
    if second[0].isupper() or f"{first}-{second.lower()}" in known_words:
        return False
    if first + second.lower() in known_words:
        return True
    return first not in _KEEPS_HYPHEN and (first in STOPWORDS or first not in known_words)
