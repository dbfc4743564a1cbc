"""Lines that are set sideways are read apart from the upright text of their page, as if the page were turned."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.pdf.page import Page
from core.pdf.text_cleaning import without_furniture, without_running_lines

_FEW = 0.25
"""Share of a page's letters: its running head and page number may be upright though all of its text is turned."""


def views(pages: Sequence[Page]) -> list[Page]:
    """Each page without its furniture, followed by the same page turned for each way in which other lines are set.

    On the first the lines are turned as the text of the page is. What is set otherwise is a box as large as the page:
    it stands beside the running text.
    """
    mains = [_main_turn(page) for page in pages]
    upright = without_furniture([_view(page, main) for page, main in zip(pages, mains, strict=True)])
    others = _others(pages, mains)
    return [view for page, *rest in zip(upright, *others, strict=True) for view in (page, *filter(_holds_lines, rest))]


def _holds_lines(page: Page) -> bool:
    return bool(page.lines)


def _others(pages: Sequence[Page], mains: Sequence[int]) -> Iterator[Sequence[Page]]:
    """For each turn, what of the pages is turned so while most of their letters are not."""
    for turn in range(4):
        found = [
            _boxed(_view(page, turn)) if turn != main else replace(page, lines=())
            for page, main in zip(pages, mains, strict=True)
        ]
        if any(map(_holds_lines, found)):
            yield without_running_lines(found, all_may_go=True)


def _main_turn(page: Page) -> int:
    """How the text of a page is turned: as most letters are where few are upright, else not at all."""
    letters: Counter[int] = Counter({0: 0})
    for line in page.lines:
        letters[line.turn] += len(line.text)
    return 0 if letters[0] > _FEW * letters.total() else letters.most_common(1)[0][0]


def _view(page: Page, turn: int) -> Page:
    return replace(page, lines=tuple(line for line in page.lines if line.turn == turn))


def _boxed(page: Page) -> Page:
    """The page as one box that holds all of its lines."""
    whole = (0.0, 0.0, page.width, page.height)
    written = (line for line in page.lines if any(c.isalnum() for c in line.text))  # no arrow heads of a drawing
    lines = tuple(replace(line, box=len(page.boxes)) for line in written)
    return replace(page, boxes=(*page.boxes, whole), lines=lines)
