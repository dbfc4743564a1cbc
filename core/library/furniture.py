"""What stands on many pages and belongs to none: running heads, page numbers, reprint lines."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

Lines = tuple[str, ...]

_DEPTH = 3  # a running line is among the first or last three of its page
_SHARE = 0.25  # left and right pages have heads of their own, and some pages have none
_LEAST = 3
_REPRINT = re.compile(r"(?:re)?print(?:ed)?\s+\d{4}\s*[-–]\s*\d{2,4}", re.IGNORECASE)
_PAGE_NUMBER = re.compile(r"(?:page\s*)?[-–—\s]*(\d{1,4})[-–—\s]*(?:(?:of|/)\s*\d{1,4})?", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![.\d])\d{1,4}(?![.\d])")


def without_furniture(pages: Sequence[Lines]) -> tuple[Lines, ...]:
    """The lines of each page without its reprint line, page number and running heads or feet."""
    pages = tuple(tuple(line for line in page if not _REPRINT.fullmatch(line.strip())) for page in pages)
    return without_page_numbers(without_running_lines(pages))


def without_running_lines(pages: Sequence[Lines]) -> tuple[Lines, ...]:
    """Lines at the top or bottom that recur, digits ignored, on at least 3 pages and a quarter of all.

    A line with a number must count on with the pages: captions such as "Fig. 4" recur too, and do not. Where
    nothing would be left of the document, its pages are alike, and nothing is taken away.
    """
    running = {key for key, places in _recurring(pages).items() if _is_running(key, places, len(pages))}
    kept = tuple(
        tuple(line for i, line in enumerate(page) if not (_at_edge(i, page) and _key(line) in running))
        for page in pages
    )
    return kept if any(kept) else tuple(pages)


def without_page_numbers(pages: Sequence[Lines]) -> tuple[Lines, ...]:
    """A number alone in the first or last line goes when it counts on with the pages."""
    alone = [_numbers_alone(page, number) for number, page in enumerate(pages, 1)]
    seen = Counter(ahead for page in alone for ahead in set(page.values()))
    return tuple(
        tuple(line for i, line in enumerate(page) if i not in found or (found[i] and seen[found[i]] < 2))
        for page, found in zip(pages, alone, strict=True)
    )


def _numbers_alone(page: Lines, counted: int) -> dict[int, int]:
    """For the first and last line, where it is a number alone: how far it runs ahead of the counted page."""
    ends = {0, len(page) - 1} if page else set()
    found = {i: _PAGE_NUMBER.fullmatch(page[i].strip()) for i in ends}
    return {i: int(number[1]) - counted for i, number in found.items() if number}


def _at_edge(place: int, page: Lines) -> bool:
    depth = min(_DEPTH, max(1, (len(page) + 1) // 3))
    return place < depth or place >= len(page) - depth


def _key(line: str) -> str:
    """What recurs of a running line: its text without digits; all of it when nothing but digits and signs."""
    letters = "".join(re.sub(r"\d", "", line).split())
    return letters if any(c.isalpha() for c in letters) else "".join(line.split())


def _recurring(pages: Sequence[Lines]) -> dict[str, list[tuple[int, str]]]:
    """For each key at the edge of a page, the pages and lines where it stands."""
    places: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for number, page in enumerate(pages, 1):
        for line in dict.fromkeys(line for i, line in enumerate(page) if _at_edge(i, page)):
            places[_key(line)].append((number, line))
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
