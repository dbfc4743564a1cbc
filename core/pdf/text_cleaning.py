"""Running heads and page numbers gone, and small repairs of lines and of the seam between two of them."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from core.pdf.page import Line, Page, Word
from core.text.words import STOPWORDS, words

_DEPTH = 3  # a running line is among the highest or lowest three of its page
_SHARE = 0.25  # left and right pages have heads of their own, and some pages have none
_LEAST = 3
_REPRINT = re.compile(r"(?:re)?print(?:ed)?\s+\d{4}\s*[-–]\s*\d{2,4}", re.IGNORECASE)
PAGE_NUMBER = re.compile(r"(?:page\s*)?[-–—\s]*(\d{1,4})[-–—\s]*(?:(?:of|/)\s*\d{1,4})?", re.IGNORECASE)
_ANY_NUMBER = re.compile(r"(?<![.\d])\d{1,4}(?![.\d])")
SOFT_HYPHEN = "\u00ad"
_LIGATURES = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
_WINDOWS_CODES = {sign.encode("cp1252")[0]: sign for sign in "‘’“”–—…"}
"""The control characters of Latin-1 that are signs in a file of Windows."""
_DOTS = re.compile(r"\.(?:\s\.){2,}")
_HALF = 61  # letters: no half of a word is longer
_HIDDEN_HYPHEN = re.compile(r"\u00ad(?!$)")
_HYPHENATED = re.compile(r"([^\W\d_]{1,60})[-\u2010\u00ad]$")  # bounded, or a page of letters takes for ever
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_ECHO = re.compile(r"([\w.(][\w .:()’'-]{3,79}?)(?:\s?\1){3,}")  # no signs: a sum repeats its terms
_LETTERS = re.compile(r"[^\W\d_]{3}")
_KEEPS_HYPHEN = frozenset(
    ["co", "cross", "ex", "half", "mid", "multi", "non", "self", "semi", "so", "two", "up", "well"]
)


def without_furniture(pages: Sequence[Page]) -> tuple[Page, ...]:
    """The pages without their reprint lines, running heads and feet, and page numbers."""
    pages = tuple(_without(page, [n for n in page.lines if _REPRINT.fullmatch(n.text)]) for page in pages)
    return without_page_numbers(without_running_lines(pages))


def without_running_lines(pages: Sequence[Page], *, all_may_go: bool = False) -> tuple[Page, ...]:
    """The pages without lines at the top or bottom that recur, digits ignored, on 3 pages or more and a quarter of
    those with text.

    A line with a number must count on with the pages: captions such as "Fig. 4" recur too, and do not. Where
    nothing would be left of the document, its pages are alike, and nothing is taken away unless `all_may_go`.
    """
    written = sum(bool(page.lines) for page in pages)
    running = {key for key, places in _recurring(pages).items() if _is_running(key, places, written)}
    kept = tuple(_without(page, [n for n in at_edges(page) if _key(n.text) in running]) for page in pages)
    return kept if all_may_go or any(page.lines for page in kept) else tuple(pages)


def without_page_numbers(pages: Sequence[Page]) -> tuple[Page, ...]:
    """The pages without numbers alone in a line that count on with the pages: in the highest or lowest line on two
    pages or more; elsewhere, such as in the margin, on three pages or more and half of those with text.
    """
    alone = [_numbers_alone(page, number) for number, page in enumerate(pages, 1)]
    at_ends = Counter(ahead for page in alone for _, ahead, is_end in page if is_end)
    anywhere = Counter(ahead for page in alone for ahead in {ahead for _, ahead, _ in page})
    often = max(_LEAST, sum(bool(page.lines) for page in pages) / 2)
    regular = {ahead for ahead, count in anywhere.items() if count >= often}
    return tuple(
        _without(page, [n for n, ahead, is_end in found if (is_end and at_ends[ahead] > 1) or ahead in regular])
        for page, found in zip(pages, map(_likeliest, alone), strict=True)
    )


def _likeliest(found: Sequence[tuple[Line, int, bool]]) -> list[tuple[Line, int, bool]]:
    """Of lines of one page with the same number only one is its page number: the one at the end, or the only one."""
    same = Counter(ahead for _, ahead, _ in found)
    return [(line, ahead, is_end) for line, ahead, is_end in found if is_end or same[ahead] == 1]


def _without(page: Page, lines: Sequence[Line]) -> Page:
    return replace(page, lines=tuple(n for n in page.lines if n not in lines)) if lines else page


def _by_height(page: Page) -> list[Line]:
    return sorted(page.lines, key=lambda line: line.top)


def _numbers_alone(page: Page, counted: int) -> list[tuple[Line, int, bool]]:
    """The lines that are a number alone: how far each runs ahead of the counted page, and whether the line is the
    highest or the lowest one."""
    lines = _by_height(page)
    found = [(line, PAGE_NUMBER.fullmatch(line.text)) for line in lines]
    return [(line, int(number[1]) - counted, line in (lines[0], lines[-1])) for line, number in found
            if number and line.cell is None]  # fmt: skip


def at_edges(page: Page) -> list[Line]:
    """The highest and the lowest three lines, or a third of the page where that is less."""
    lines = _by_height(page)
    depth = min(_DEPTH, max(1, (len(lines) + 1) // 3))
    return lines[:depth] + lines[depth:][-depth:]


def _key(text: str) -> str:
    """What recurs of a running line: its text without digits; all of it when nothing but digits and signs."""
    letters = "".join(re.sub(r"\d", "", text).split())
    return letters if any(c.isalpha() for c in letters) else "".join(text.split())


def _recurring(pages: Sequence[Page]) -> dict[str, list[tuple[int, str]]]:
    """For each key at the edge of a page, the pages and lines where it stands."""
    places: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for number, page in enumerate(pages, 1):
        for text in dict.fromkeys(line.text for line in at_edges(page)):
            places[_key(text)].append((number, text))
    return places


def _is_running(key: str, places: list[tuple[int, str]], pages: int) -> bool:
    if len({page for page, _ in places}) < max(_LEAST, _SHARE * pages) or not any(c.isalnum() for c in key):
        return False
    if len({line for _, line in places}) == 1:
        return True
    counted = [(page, line) for page, line in places if _ANY_NUMBER.search(line)]
    steps = Counter(step for page, line in counted for step in {int(n) - page for n in _ANY_NUMBER.findall(line)})
    return max(steps.values(), default=0) * 2 >= len(counted)


def mended(page: Page) -> Page:
    """The page with every word fit to be stored and read, and no line without a word."""
    found = (_mended(line) for line in page.lines)
    return replace(page, lines=tuple(line for line in found if line.words))


def _mended(line: Line) -> Line:
    """The same line; where its words themselves change, they share its width by their lengths."""
    text = readable(line.text)
    if text == line.text or not text:
        return line if text else replace(line, words=())
    each = [readable(word.text) for word in line.words]
    if all(each) and " ".join(each) == text and all(" " not in part for part in each):
        return replace(line, words=tuple(replace(w, text=part) for w, part in zip(line.words, each, strict=True)))
    return replace(line, words=tuple(_shared(line, text.split())))


def _shared(line: Line, texts: Sequence[str]) -> Iterator[Word]:
    """Words for these texts, which share the width of a line."""
    whole = " ".join(texts)
    each, place = (line.right - line.left) / len(whole), 0
    for text, span in zip(texts, _spans(line, len(texts)), strict=True):
        left = line.left + place * each
        yield Word(text=text, left=left, right=left + len(text) * each, span=span)
        place += len(text) + 1


def _spans(line: Line, parts: int) -> list[tuple[int, int] | None]:
    """What each of `parts` words has of the letters of a line; nothing where they are not one run in the file."""
    spans = [word.span for word in line.words]
    if None in spans:
        return [None] * parts
    if any(before[1] != after[0] for before, after in pairwise(spans)) or any(first == last for first, last in spans):
        return [(0, 0)] * parts
    first, last = spans[0][0], spans[-1][1]
    edges = [first + (last - first) * n // parts for n in range(parts + 1)]
    return [*pairwise(edges)]


def readable(line: str) -> str:
    """Ligatures opened, codes of Windows read, spaced dots closed up, hidden hyphens and control characters gone."""
    line = _HIDDEN_HYPHEN.sub("", line.translate(_LIGATURES).translate(_WINDOWS_CODES).rstrip())
    shown = "".join(" " if unicodedata.category(c) in ("Cc", "Cs") else c for c in line)
    return without_echo(_DOTS.sub("...", " ".join(shown.split())))


def without_echo(line: str) -> str:
    """A line printed several times over itself, to look bold, once; the same for its parts.

    Stray spaces may differ between the copies: of a whole line, the copy with the fewest stays.
    """
    bare = line.replace(" ", "")
    for copies in (5, 4, 3):
        size = len(bare) // copies
        if 3 < size <= 80 and bare == bare[:size] * copies and _LETTERS.search(bare):
            return min(_in_parts(line, size), key=len)
    return _ECHO.sub(_once, line)


def _once(echo: re.Match[str]) -> str:
    """One copy of words printed four to six times; more often is not for boldness."""
    bold = _LETTERS.search(echo[1]) and echo[0].count(echo[1]) <= 6
    return echo[1] if bold else echo[0]


def _in_parts(line: str, size: int) -> list[str]:
    """`line` cut after every `size` characters that are no spaces."""
    return [part.strip() for part in re.findall(rf"(?:\S\s*){{{size}}}", line)]


def whole_words(lines: Iterable[str]) -> frozenset[str]:
    """Every word of the document, lower case, without the halves that a line end has broken off."""
    return frozenset(word for line in lines for word in words(line[:-_HALF] + _HYPHENATED.sub("", line[-_HALF:])))


def seam(before: str, after: str, known: frozenset[str]) -> tuple[str, str]:
    """`before` as it meets `after`, and what stands between them: nothing inside a word, else a space.

    `known` are the whole words of the document. A hyphen goes when the joined word is known, or when its
    first half is no word that carries content; in doubt it stays, as in "well-known".
    """
    first = _HYPHENATED.search(before[-_HALF:])
    if not first or not after[:1].isalnum():
        return before, " " if before else ""
    second = _FIRST_WORD.match(after)
    if before.endswith(SOFT_HYPHEN) or (second and _is_broken(first[1].lower(), second[0], known)):
        return before[:-1], ""
    return before, ""


def _is_broken(first: str, second: str, known: frozenset[str]) -> bool:
    """True where the hyphen only says that the line was full."""
    if second[0].isupper() or f"{first}-{second.lower()}" in known:
        return False
    if first + second.lower() in known:
        return True
    return first not in _KEEPS_HYPHEN and (first in STOPWORDS or first not in known)
