"""A page with its layout: words in lines, lines in boxes. Lengths are points, and y grows downwards."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")
Rectangle = tuple[float, float, float, float]
"""Left, top, right and bottom, in points."""
PageRect = tuple[int, float, float, float, float]
"""Page number from 1, then left, top, right and bottom as shares of the page's width and height."""

BULLET = "•"
"""Every bullet is read as this character, whatever its font."""
_SAME_SIZE = 0.06
UNCODED = "\ufffd"
"""The character for a glyph that is drawn but has no character code, so that its letter is unknown."""


@dataclass(frozen=True, kw_only=True)
class Word:
    """Letters that belong together, between `left` and `right` (points).

    span: (first, last + 1) of the indices of its letters, in the file order of the page's letters. (0, 0) if the
    letters are not consecutive in the file; None if unknown.
    """

    text: str
    left: float
    right: float
    span: tuple[int, int] | None = None

    def joined(self, after: "Word") -> "Word":
        """This word and the next one as one. Its span is (0, 0) if their letters are not consecutive in the file."""
        span = None
        if self.span and after.span:
            is_consecutive = self.span[1] == after.span[0] and self.span[0] < self.span[1]
            span = (self.span[0], after.span[1]) if is_consecutive else (0, 0)
        return Word(text=self.text + after.text, left=self.left, right=after.right, span=span)


@dataclass(frozen=True, kw_only=True)
class Line:
    """Words side by side on one line.

    size: median font size of its letters. box: index into the page's boxes, or None. turn: quarter turns of the line
    clockwise; all lengths are those of the page turned back by as much, in which the line is upright. cell: (table,
    row, column), each from 0; row 0 is the header. None for a line outside the tables that are read as rows.
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
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    @property
    def rectangle(self) -> Rectangle:
        return self.left, self.top, self.right, self.bottom

    def is_sized_like(self, other: "Line") -> bool:
        """True if two lines are set in one size, up to the 6 % by which fonts of one size differ."""
        return abs(self.size - other.size) <= _SAME_SIZE * self.size

    def is_followed_by(self, other: "Line", room: float) -> bool:
        """True if `other` is set in the same size close under this line. room: largest gap between the two, as a share
        of the font size.
        """
        return self.is_sized_like(other) and abs(other.top - self.bottom) < room * self.size


@dataclass(frozen=True, kw_only=True)
class Page:
    """One page with its lines in reading order.

    raw: the text of the page in file order, uncorrected. hidden: number of letters that the page does not show; they
    are in none of its lines. label: page number from the file's page labels, "" for a file without labels. uncoded:
    number of drawn glyphs without a character code. sideways: number of lines of rotated text that were not read.
    loose_tables: number of tables whose cells could not be put into rows. shows_more: True if the page has little or no
    text but shows something else, such as a scanned picture. unread_fields, unread_notes: number of form fields and of
    notes with a text that the page does not show. known: False if nobody could look for fields, notes and layers.
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
    unread_fields: int = 0
    unread_notes: int = 0
    known: bool = True


def groups(items: Iterable[T], follows: Callable[[T, T], bool]) -> Iterator[list[T]]:
    """Yield the items in groups, in order: each item that does not follow the one before begins a new group. follows:
    called with an item and the next one.
    """
    group: list[T] = []
    for item in items:
        if group and not follows(group[-1], item):
            yield group
            group = []
        group.append(item)
    if group:
        yield group
