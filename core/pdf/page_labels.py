"""The printed number of each page: a number at its top or bottom that increases with the pages, else the file's page
label.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from core.pdf.page import Page
from core.pdf.text_cleaning import PAGE_NUMBER, at_edges

_LABEL = re.compile(r"(?:page\s*)?(?<![\d.])(\d{1,4})(?![\d.])(?:\s|$)|(?:\s|^)(?:page\s*)?(?<![\d.])(\d{1,4})$", re.I)
_LEAST, _SHARE = 2, 0.5  # fewest pages with such a number, and its smallest share of the pages with any number


def page_labels(pages: Sequence[Page]) -> tuple[str, ...]:
    """The printed number of each page; a page that does not print its number gets the number that follows from the
    others. "" if unknown.

    If no printed number increases with the pages, it is the file's page label, unless that is only the page's index in
    the file.
    """
    offset = _offset(pages)
    labels = []
    for page in pages:
        if offset is not None and page.number + offset > 0:
            labels.append(str(page.number + offset))
        else:
            labels.append("" if page.label == str(page.number) else page.label)
    return tuple(labels)


def _offset(pages: Sequence[Page]) -> int | None:
    """Printed number of a page minus its index in the file, from 1; None if no printed number increases with
    the pages.
    """
    pages_by_offset: dict[int, set[int]] = defaultdict(set)
    for page in pages:
        for number in _numbers(page):
            pages_by_offset[number - page.number].add(page.number)
    if not pages_by_offset:
        return None
    offset, _ = Counter(
        {difference: len(page_numbers) for difference, page_numbers in pages_by_offset.items()}
    ).most_common(1)[0]
    numbered_pages = set().union(*pages_by_offset.values())
    counts_on = len(pages_by_offset[offset]) >= max(_LEAST, _SHARE * len(numbered_pages))
    return offset if counts_on else None


def _numbers(page: Page) -> Iterator[int]:
    """Yield the numbers at the start or end of the highest and lowest lines: on their own, or in a running head."""
    for line in at_edges(page):
        if alone := PAGE_NUMBER.fullmatch(line.text):
            yield int(alone[1])
            continue
        for match in _LABEL.finditer(line.text) if len(line.words) <= 12 else ():
            if match.start() == 0 or match.end() == len(line.text):
                yield int(match[1] or match[2])
