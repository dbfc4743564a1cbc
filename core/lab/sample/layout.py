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
    """The background of consecutive pieces: a coloured area between two lines or, if `tint` is None, a bar on the left.

    edge: the colour of the lines or the bar. pad: space inside on all sides. Where a box continues in the next column,
    it has no line.
    """

    tint: Colour | None
    edge: Colour
    pad: float = 8.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Piece:
    """An item of fixed height that no break divides.

    draw: draws it on a sheet at a left and a top. above, below: the minimum space above and below it; between two
    pieces the larger one counts, and at the top of a column none. keeps: True if no break may follow it. box: its
    background, if any.
    """

    height: float
    draw: Draw
    above: float = 0.0
    below: float = 0.0
    keeps: bool = False
    box: Box | None = None


@dataclass(frozen=True, kw_only=True)
class Setting:
    """How a text is set in its column.

    indent: of all lines. mark: printed left of the first line. tail: printed at the right end of the last line. above,
    below: spaces before and after the text. align: 0 for left, 0.5 for centred. justified: True if lines are stretched
    to the full width. keeps: True if no break may divide the lines or follow the last one. box: the background, if any.
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
    """The pieces of a block, after those of a heading above it.

    floats: True if it may move to the next column while later text fills this one. opens: True if it begins a section.
    """

    pieces: list[Piece]
    floats: bool = False
    opens: bool = False


class Columns:
    """Columns that are filled one after another.

    filled: the pieces of each column with their tops. height: returns the height of a column by its index, from 0.
    """

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
        """Add the pieces to the current column, or to the next one if they do not fit. Pieces that are together taller
        than a column are distributed over several."""
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
    """The pieces of each column of a chapter, with their tops.

    A figure or table that does not fit in the current column is put after later blocks, as long as blocks of the same
    section fill that column. height: returns the height of a column by its index.
    """
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
    """The space between `piece` and the piece before it, with the padding of boxes that begin or end there. before:
    None at the top of a column."""
    apart = max(before.below, piece.above) if before else 0.0
    if before and before.box is piece.box:
        return apart
    return apart + _pad(before) + _pad(piece)


def _pad(piece: Piece | None) -> float:
    return piece.box.pad if piece and piece.box else 0.0
