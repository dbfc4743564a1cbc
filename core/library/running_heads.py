"""What stands on many pages and belongs to none: running heads, page numbers, reprint lines."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.pdf.page import Line, Page

_DEPTH = 3  # a running line is among the highest or lowest three of its page
_SHARE = 0.25  # left and right pages have heads of their own, and some pages have none
_LEAST = 3
_REPRINT = re.compile(r"(?:re)?print(?:ed)?\s+\d{4}\s*[-–]\s*\d{2,4}", re.IGNORECASE)
_PAGE_NUMBER = re.compile(r"(?:page\s*)?[-–—\s]*(\d{1,4})[-–—\s]*(?:(?:of|/)\s*\d{1,4})?", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![.\d])\d{1,4}(?![.\d])")


def without_furniture(pages: Sequence[Page]) -> tuple[Page, ...]:
    """The pages without their reprint lines, running heads and feet, and page numbers."""
    pages = tuple(_without(page, [n for n in page.lines if _REPRINT.fullmatch(n.text)]) for page in pages)
    return without_page_numbers(without_running_lines(pages))


def without_running_lines(pages: Sequence[Page]) -> tuple[Page, ...]:
    """Lines at the top or bottom that recur, digits ignored, on at least 3 pages and a quarter of all.

    A line with a number must count on with the pages: captions such as "Fig. 4" recur too, and do not. Where
    nothing would be left of the document, its pages are alike, and nothing is taken away.
    """
    running = {key for key, places in _recurring(pages).items() if _is_running(key, places, len(pages))}
    kept = tuple(_without(page, [n for n in _at_edges(page) if _key(n.text) in running]) for page in pages)
    return kept if any(page.lines for page in kept) else tuple(pages)


def without_page_numbers(pages: Sequence[Page]) -> tuple[Page, ...]:
    """A number alone in the highest or lowest line goes when it counts on with the pages."""
    alone = [_numbers_alone(page, number) for number, page in enumerate(pages, 1)]
    seen = Counter(ahead for page in alone for _, ahead in page)
    return tuple(
        _without(page, [line for line, ahead in found if seen[ahead] > 1])
        for page, found in zip(pages, alone, strict=True)
    )


def _without(page: Page, lines: Sequence[Line]) -> Page:
    return replace(page, lines=tuple(n for n in page.lines if n not in lines)) if lines else page


def _by_height(page: Page) -> list[Line]:
    return sorted(page.lines, key=lambda line: line.top)


def _numbers_alone(page: Page, counted: int) -> list[tuple[Line, int]]:
    """The highest and lowest line, where it is a number alone, and how far it runs ahead of the counted page."""
    lines = _by_height(page)
    found = [(line, _PAGE_NUMBER.fullmatch(line.text)) for line in dict.fromkeys(lines[:1] + lines[-1:])]
    return [(line, int(number[1]) - counted) for line, number in found if number]


def _at_edges(page: Page) -> list[Line]:
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
        for text in dict.fromkeys(line.text for line in _at_edges(page)):
            places[_key(text)].append((number, text))
    return places


def _is_running(key: str, places: list[tuple[int, str]], pages: int) -> bool:
    if len({page for page, _ in places}) < max(_LEAST, _SHARE * pages) or not any(c.isalnum() for c in key):
        return False
    if len({line for _, line in places}) == 1:
        return True
    counted = [(page, line) for page, line in places if _NUMBER.search(line)]
    steps = Counter(step for page, line in counted for step in set(_steps(line, page)))
    return max(steps.values(), default=0) * 2 >= len(counted)


def _steps(line: str, page: int) -> Iterator[int]:
    return (int(number) - page for number in _NUMBER.findall(line))
