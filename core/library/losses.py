"""Counts text that pages show and the library could not read, and says in one sentence per kind what to do."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from core.pdf.page import Page


class Loss(NamedTuple):
    """Something on a page that was not read. kind: a key of `LOSSES`. count: how many of it."""

    kind: str
    page: int
    count: int


LOSSES = {
    "no text": "{pages} {has} no text; it may be a scan: run OCR on it and add the file again",
    "sideways": "{lines} set at a slant on {pages} {was} not read; look there before you rely on an answer",
    "uncoded": "{glyphs} on {pages} {was} drawn without saying which letters they are; export the file again with "
    "its fonts, or run OCR on it",
    "tables": "{tables} on {pages} could not be put into rows, so that no row of it is quoted; look it up on the page",
}
"""Sentence for each kind: what was lost, then what to do."""
_MOST = 8
"""Largest number of pages that a sentence lists."""


def losses_of(pages: Sequence[Page], cleaned_pages: Sequence[Page]) -> tuple[Loss, ...]:
    """What was not read of `pages`. cleaned_pages: the same pages without running heads and page numbers."""
    losses = []
    for page, read_page in zip(pages, cleaned_pages, strict=True):
        counts = {
            "no text": int(page.shows_more and not read_page.lines), "sideways": page.sideways, "uncoded": page.uncoded,
            "tables": page.loose_tables,
        }  # fmt: skip
        losses += [Loss(kind, page.number, count) for kind, count in counts.items() if count]
    return tuple(losses)


def loss_sentences(losses: Iterable[Loss]) -> list[str]:
    """One sentence for each kind of loss, without a full stop."""
    order = list(LOSSES)
    in_order = sorted(losses, key=lambda loss: (order.index(loss.kind), loss.page))
    return [_sentence(kind, list(group)) for kind, group in groupby(in_order, key=lambda loss: loss.kind)]


def _sentence(kind: str, losses: Sequence[Loss]) -> str:
    number, several = sum(loss.count for loss in losses), len(losses) > 1
    text = LOSSES[kind].format(
        pages=_pages([loss.page for loss in losses]), has="have" if several else "has",
        was="was" if number == 1 else "were", lines=_counted(number, "line"), glyphs=_counted(number, "letter"),
        tables=_counted(number, "table"),
    )  # fmt: skip
    return _plural(text) if several or number > 1 else text


def _plural(text: str) -> str:
    """The same sentence about several things."""
    for singular, plural in (("it may be a scan", "they may be scans"), ("OCR on it and", "OCR on them and"),
                      ("row of it", "row of them"), ("look it up on the page", "look them up there")):  # fmt: skip
        text = text.replace(singular, plural)
    return text


def _pages(pages: Sequence[int]) -> str:
    if len(pages) == 1:
        return f"page {pages[0]}"
    if len(pages) > _MOST:
        return f"pages {', '.join(map(str, pages[:_MOST]))} and {len(pages) - _MOST} more"
    return f"pages {', '.join(map(str, pages[:-1]))} and {pages[-1]}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
