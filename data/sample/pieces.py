"""What pages are made of: pieces of a fixed height, some of them lines of text. All in points."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from data.sample.lettering import Colour, Line, Sheet, Style, Word

_WIDEST_GAP = 0.5  # of the type size; a justified line with wider gaps looks torn, and stays as it is
_BASELINE = 0.76  # of the leading, from the top of a line

Draw = Callable[[Sheet, float, float], None]
"""Draws on a sheet something whose left and top are given."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Box:
    """What stands behind pieces that follow each other: a tint between two edges, or a bar on the left.

    A page break leaves it open. `pad` is the space inside, on all sides.
    """

    tint: Colour | None
    edge: Colour
    pad: float = 8.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Piece:
    """Something that no page break divides. With `keeps` it never stands last before a break.

    The larger of `below` and the next piece's `above` parts the two; neither counts at the top of a column.
    """

    height: float
    draw: Draw
    above: float = 0.0
    below: float = 0.0
    keeps: bool = False
    box: Box | None = None


@dataclass(frozen=True, kw_only=True)
class Setting:
    """How a text stands in its column: `mark` hangs before its first line, `tail` ends its last at the right.

    `align`: 0 left, 0.5 in the middle. With `keeps` the lines stay together, and with what follows.
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
    """A piece for each line. No break leaves the first or the last of them alone."""
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
    sheet.put(line, left, baseline, style, gap if gap <= _WIDEST_GAP * style.size else 0.0)
    if last and setting.tail:
        sheet.label(setting.tail, x + setting.width, baseline, style, align=1.0)
