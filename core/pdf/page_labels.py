"""The number that each page is printed with: what counts on with the pages at their edges, else the file's label."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from core.pdf.page import Page
from core.pdf.text_cleaning import PAGE_NUMBER, at_edges

_PRINTED = re.compile(
    r"(?:page\s*)?(?<![\d.])(\d{1,4})(?![\d.])(?:\s|$)|(?:\s|^)(?:page\s*)?(?<![\d.])(\d{1,4})$", re.I
)
_LEAST, _SHARE = 2, 0.5  # pages that bear a number, at least, and the share of those that bear any


def page_labels(pages: Sequence[Page]) -> tuple[str, ...]:
    """For each page the number it is printed with, also where it is left out on that page; "" where none is known.

    Where no printed number counts on with the pages, the label of the file, if it is not the plain number of the page.
    """
    ahead = _ahead(pages)
    return tuple(
        str(page.number + ahead) if ahead is not None and page.number + ahead > 0 else _own(page) for page in pages
    )


def _own(page: Page) -> str:
    """The label that the file gives a page, "" where it says nothing new."""
    return "" if page.label == str(page.number) else page.label


def _ahead(pages: Sequence[Page]) -> int | None:
    """How far the printed numbers run ahead of the pages; None where no number counts on with them."""
    bearing: dict[int, set[int]] = defaultdict(set)
    for page in pages:
        for number in _numbers(page):
            bearing[number - page.number].add(page.number)
    if not bearing:
        return None
    ahead, _ = Counter({step: len(found) for step, found in bearing.items()}).most_common(1)[0]
    any_number = set().union(*bearing.values())
    counts_on = len(bearing[ahead]) >= max(_LEAST, _SHARE * len(any_number))
    return ahead if counts_on else None


def _numbers(page: Page) -> Iterator[int]:
    """The numbers at the beginning or end of the highest and lowest lines of a page: alone, or with a running head."""
    for line in at_edges(page):
        if alone := PAGE_NUMBER.fullmatch(line.text):
            yield int(alone[1])
            continue
        for found in _PRINTED.finditer(line.text) if len(line.words) <= 12 else ():
            if found.start() == 0 or found.end() == len(line.text):
                yield int(found[1] or found[2])
