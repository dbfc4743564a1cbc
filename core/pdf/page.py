"""A page as it is laid out: words in lines, lines in boxes. Lengths are points, y grows downwards."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Rectangle = tuple[float, float, float, float]
"""left, top, right, bottom"""
Place = tuple[int, float, float, float, float]
"""A page, counted from 1, and left, top, right and bottom on it as shares of its width and height."""

BULLET = "•"
"""What every bullet is read as, whatever its font calls it."""
UNCODED = "\ufffd"
"""What stands for a glyph that is drawn but has no character code: a letter that nobody can tell."""
_WIDTH, _LEADING, _EM = 595.0, 12.0, 5.0  # points: A4, and a line of ten points as plain text is set


@dataclass(frozen=True, kw_only=True)
class Word:
    """Letters that belong together, between `left` and `right`.

    span: the places of its letters among those of its page, in the order of the file, the first and the one after
    the last; an empty one for letters that do not follow each other there, None where nobody knows.
    """

    text: str
    left: float
    right: float
    span: tuple[int, int] | None = None


@dataclass(frozen=True, kw_only=True)
class Line:
    """Words that stand side by side. size: of most of its letters. box: place in the page's boxes, or None.

    turn: by how many quarters the line is turned to the right. All lengths are those of the page turned back by as
    much, so that the line is upright.
    cell: the table of the page, the row and the column that hold the line, each from 0; row 0 is the header. None for
    a line outside of the tables that are read as rows.
    """

    words: tuple[Word, ...]
    top: float
    bottom: float
    size: float
    bold: bool = False
    italic: bool = False
    box: int | None = None
    turn: int = 0
    cell: tuple[int, int, int] | None = None

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @property
    def left(self) -> float:
        return self.words[0].left

    @property
    def right(self) -> float:
        return self.words[-1].right

    @property
    def rectangle(self) -> Rectangle:
        return self.left, self.top, self.right, self.bottom


@dataclass(frozen=True, kw_only=True)
class Page:
    """One page, its lines in reading order. raw: the text as the file has it, in the file's order, unmended.

    hidden: how many letters the page does not show; none of them is in its lines.
    label: the page number as the file's page labels give it, "" for a file without labels.
    uncoded: how many glyphs are drawn but have no character code, so that nobody can say which letters they are.
    sideways: how many lines of rotated text were not read.
    loose_tables: how many tables were found whose cells could not be put into rows.
    shows_more: whether a page with little text or none shows something beside it, such as the picture of a scan.
    """

    number: int
    width: float
    height: float
    lines: tuple[Line, ...]
    boxes: tuple[Rectangle, ...] = ()
    raw: str = ""
    hidden: int = 0
    label: str = ""
    uncoded: int = 0
    sideways: int = 0
    loose_tables: int = 0
    shows_more: bool = False


def page_row(page: Page) -> dict[str, Any]:
    """`page` as it goes from one process to another: lists of numbers and texts."""
    return {
        "page": page.number, "width": page.width, "height": page.height, "raw": page.raw, "boxes": page.boxes,
        "hidden": page.hidden, "label": page.label, "uncoded": page.uncoded, "sideways": page.sideways,
        "loose_tables": page.loose_tables, "shows_more": page.shows_more,
        "lines": [
            [line.top, line.bottom, line.size, line.bold, line.italic, line.box, line.cell,
             [[w.text, w.left, w.right, w.span] for w in line.words], line.turn]
            for line in page.lines
        ],
    }  # fmt: skip


def page_of(row: Mapping[str, Any]) -> Page:
    """The page that `page_row` made a row of."""
    return Page(
        number=row["page"], width=row["width"], height=row["height"], raw=row["raw"], hidden=row.get("hidden", 0),
        boxes=tuple(map(tuple, row["boxes"])), lines=tuple(map(_line, row["lines"])), label=row.get("label", ""),
        uncoded=row.get("uncoded", 0), sideways=row.get("sideways", 0), loose_tables=row.get("loose_tables", 0),
        shows_more=row.get("shows_more", False),
    )  # fmt: skip


def _line(row: list[Any]) -> Line:
    top, bottom, size, bold, italic, box, cell, words, turn = row
    return Line(
        words=tuple(
            Word(text=text, left=left, right=right, span=span and tuple(span)) for text, left, right, span in words
        ),
        top=top, bottom=bottom, size=size, bold=bold, italic=italic, box=box, cell=cell and tuple(cell), turn=turn,
    )  # fmt: skip


def page_of_text(text: str, number: int = 1) -> Page:
    """A page whose lines are those of a plain text, evenly set: text that comes without a PDF is read by it."""
    lines = [line.split() for line in text.splitlines()]
    height = _LEADING * (len(lines) + 2)
    return Page(
        number=number, width=_WIDTH, height=height, raw=text,
        lines=tuple(_even(words, _LEADING * (place + 1)) for place, words in enumerate(lines) if words),
    )  # fmt: skip


def _even(words: list[str], top: float) -> Line:
    """Words whose letters are all as wide as each other."""
    found, left = [], _EM
    for text in words:
        right = left + _EM * len(text)
        found.append(Word(text=text, left=left, right=right))
        left = right + _EM
    return Line(words=tuple(found), top=top, bottom=top + 2 * _EM, size=2 * _EM)
