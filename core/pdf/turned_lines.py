"""Separates the turned lines of a page from its main text, so that they are read as if the page were turned."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.pdf.furniture import without_furniture, without_running_lines
from core.pdf.page import Page

_FEW = 0.25
"""Maximum share of upright letters on a page whose text is turned: its running head and page number may be upright."""


def views(pages: Sequence[Page]) -> list[Page]:
    """Return each page without its furniture (page numbers and running heads), followed by further pages for its turned
    lines.

    The first page has the lines that are turned like the main text. For each other turn of its lines there is one
    further page, on which these lines are in one box as large as the page, since they are no part of the running text.
    """
    mains = [_main_turn(page) for page in pages]
    upright = without_furniture([_view(page, main) for page, main in zip(pages, mains, strict=True)])
    others = _other_turns(pages, mains)
    return [view for page, *rest in zip(upright, *others, strict=True) for view in (page, *filter(_holds_lines, rest))]


def _holds_lines(page: Page) -> bool:
    return bool(page.lines)


def _other_turns(pages: Sequence[Page], mains: Sequence[int]) -> Iterator[Sequence[Page]]:
    """For each turn, yield the pages with only their lines of that turn. A page whose main text has that turn gets no
    lines.
    """
    for turn in range(4):
        turned_pages = [
            _put_in_box(_view(page, turn)) if turn != main else replace(page, lines=())
            for page, main in zip(pages, mains, strict=True)
        ]
        if any(map(_holds_lines, turned_pages)):
            yield without_running_lines(turned_pages, all_may_go=True)


def _main_turn(page: Page) -> int:
    """Quarter turns of the page's text: those of most letters if few letters are upright, else 0."""
    letters: Counter[int] = Counter({0: 0})
    for line in page.lines:
        letters[line.turn] += len(line.text)
    return 0 if letters[0] > _FEW * letters.total() else letters.most_common(1)[0][0]


def _view(page: Page, turn: int) -> Page:
    return replace(page, lines=tuple(line for line in page.lines if line.turn == turn))


def _put_in_box(page: Page) -> Page:
    """Return the page with all its lines in one new box."""
    page_box = (0.0, 0.0, page.width, page.height)
    has_words = (
        line for line in page.lines if any(c.isalnum() for c in line.text)
    )  # arrow heads of a drawing are left out
    lines = tuple(replace(line, box=len(page.boxes)) for line in has_words)
    return replace(page, boxes=(*page.boxes, page_box), lines=lines)
