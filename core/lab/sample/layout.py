"""Fills columns with pieces of fixed height, such as lines of text.

Columns break between pieces that need not stay together. All sizes are in points.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from core.lab.sample.typography import Colour, Line, Sheet, Style, Word

_WIDEST_GAP = 0.5  # share of the type size; a line with wider gaps would look torn, and is not justified
_BASELINE = 0.76  # share of the leading, from the top of a line to its baseline

Draw = Callable[[Sheet, float, float], None]
"""A function that draws on a sheet at the given left and top."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Box:
    """The background of consecutive pieces: a tint between two edges, or a bar on the left.

    It is open at a page break. pad: space inside on all sides.
    """

    tint: Colour | None
    edge: Colour
    pad: float = 8.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Piece:
    """An item that is never divided by a page break. keeps: True if no break may follow it.

    The space between two pieces is the larger of `below` and the next one's `above`; at the top of a column it is 0.
    """

    height: float
    draw: Draw
    above: float = 0.0
    below: float = 0.0
    keeps: bool = False
    box: Box | None = None


@dataclass(frozen=True, kw_only=True)
class Setting:
    """How a text is set in its column: `mark` is printed left of its first line, `tail` at the right end of its last
    line.

    `align`: 0 left, 0.5 centred. With `keeps`, no break divides the lines or separates them from what follows.
    """

    style: Style
    width: float
    indent: float = 0.0
    mark: str = ""
    tail: str = ""
    above: float = 0.0
    below: float = 0.0
    align: float = 0.0
    justified: bool = False
    keeps: bool = False
    box: Box | None = None


def text_pieces(sheet: Sheet, text: str | list[Word], setting: Setting) -> list[Piece]:
    """A piece for each line. A break never separates the first or the last line from the others."""
    tail = sheet.length(setting.tail, setting.style) + setting.style.size if setting.tail else 0.0
    lines = sheet.lines(text, setting.style, setting.width - setting.indent - tail)
    last = len(lines) - 1
    return [
        Piece(
            height=setting.style.leading,
            draw=partial(_draw_line, line=line, setting=setting, first=n == 0, last=n == last),
            above=setting.above if n == 0 else 0.0,
            below=setting.below if n == last else 0.0,
            keeps=setting.keeps or (n in (0, last - 1) and n < last),
            box=setting.box,
        )
        for n, line in enumerate(lines)
    ]


def _draw_line(sheet: Sheet, x: float, y: float, *, line: Line, setting: Setting, first: bool, last: bool) -> None:
    style, baseline = setting.style, y + _BASELINE * setting.style.leading
    room = setting.width - setting.indent - line.width
    gap = room / line.gaps if setting.justified and line.gaps and not last else 0.0
    if first and setting.mark:
        sheet.label(setting.mark, x, baseline, style)
    left = x + setting.indent + setting.align * room
    sheet.draw_line(line, left, baseline, style, gap if gap <= _WIDEST_GAP * style.size else 0.0)
    if last and setting.tail:
        sheet.label(setting.tail, x + setting.width, baseline, style, align=1.0)


Placed = tuple[Piece, float]
"""A piece and its top, measured from the top of its column."""


class Group(NamedTuple):
    """The pieces of a block, with those of a heading above it. opens: True if it begins a section.

    floats: True if it may move to the next column while later text fills this one.
    """

    pieces: list[Piece]
    floats: bool = False
    opens: bool = False


class Columns:
    """Columns that are filled one after another. height: returns the height of the column with an index, from 0."""

    def __init__(self, height: Callable[[int], float]) -> None:
        self.filled: list[list[Placed]] = [[]]
        self._height = height

    def takes(self, pieces: Iterable[Piece]) -> bool:
        """True if all pieces fit in the current column."""
        before, end = self._last()
        for piece in pieces:
            end += space(before, piece) + piece.height
            before = piece
        return end + _pad(before) <= self._height(len(self.filled) - 1)

    def add(self, pieces: list[Piece]) -> None:
        """Place the pieces, in the next column if they do not fit; pieces taller than a column are divided."""
        for chain in chains(pieces):
            if not self.takes(chain):
                self.turn()
            for piece in chain:
                if not self.takes([piece]):
                    self.turn()
                before, end = self._last()
                self.filled[-1].append((piece, end + space(before, piece)))

    def turn(self) -> None:
        """Go to the next column, unless this one is still empty."""
        if self.filled[-1]:
            self.filled.append([])

    def _last(self) -> tuple[Piece | None, float]:
        """The last piece of the current column, or None, and the position of its end."""
        if not self.filled[-1]:
            return None, 0.0
        piece, top = self.filled[-1][-1]
        return piece, top + piece.height


def filled(groups: Iterable[Group], height: Callable[[int], float]) -> list[list[Placed]]:
    """The columns of a chapter. A figure or table that does not fit waits while blocks of its section still fit."""
    columns = Columns(height)
    waiting: list[Group] = []
    for group in groups:
        fits = columns.takes(group.pieces)
        if group.floats and (waiting or not fits):
            waiting.append(group)
            continue
        if waiting and (group.opens or not fits):
            _release(waiting, columns)
        columns.add(group.pieces)
    _release(waiting, columns)
    return columns.filled


def _release(waiting: list[Group], columns: Columns) -> None:
    if waiting:
        columns.turn()
    for group in waiting:
        columns.add(group.pieces)
    waiting.clear()


def chains(pieces: Iterable[Piece]) -> list[list[Piece]]:
    """The pieces grouped into runs that no break should divide."""
    chains_: list[list[Piece]] = [[]]
    for piece in pieces:
        chains_[-1].append(piece)
        if not piece.keeps:
            chains_.append([])
    return [chain for chain in chains_ if chain]


def space(before: Piece | None, piece: Piece) -> float:
    """The space between a piece and the one before it; at the top of a column, only the padding of a box."""
    apart = max(before.below, piece.above) if before else 0.0
    if before and before.box is piece.box:
        return apart
    return apart + _pad(before) + _pad(piece)


def _pad(piece: Piece | None) -> float:
    return piece.box.pad if piece and piece.box else 0.0
