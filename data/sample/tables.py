"""Tables: columns as wide as their words ask for, a tinted header row, a rule under every row. All in points."""

import re
from dataclasses import dataclass
from itertools import accumulate, pairwise

from data.sample.lettering import Line, Sheet, Style
from data.sample.look import PALE, Look
from data.sample.pieces import Piece
from data.sample.source import Block, fail

_PAD = 5.0  # left and right of a cell
_ABOVE, _BELOW = 2.0, 3.0
_FIGURES = re.compile(r"[\d.,\s₹%°–−×+-]+")


@dataclass(frozen=True, kw_only=True)
class Row:
    """The cells of a row as lines; of each its width, and its `align` (0 left, 0.5 in the middle)."""

    cells: list[list[Line]]
    widths: list[float]
    aligns: list[float]
    style: Style
    look: Look
    left: float
    first: bool
    last: bool

    @property
    def height(self) -> float:
        return _ABOVE + self.style.leading * max(map(len, self.cells)) + _BELOW

    def draw(self, sheet: Sheet, x: float, y: float) -> None:
        x, bottom, total = x + self.left, y + self.height, sum(self.widths)
        if self.first:
            sheet.set_fill_color(*self.look.pale)
            sheet.rect(x, y, total, self.height, style="F")
            sheet.rule(x, y, total, self.look.accent, 1.0)
        edge = self.first or self.last
        sheet.rule(x, bottom, total, self.look.accent if edge else PALE, 1.0 if edge else 0.6)
        for lines, wide, align in zip(self.cells, self.widths, self.aligns, strict=True):
            for number, line in enumerate(lines):
                room = wide - 2 * _PAD - line.width
                baseline = y + _ABOVE + self.style.leading * (number + 0.78)
                sheet.put(line, x + _PAD + align * room, baseline, self.style)
            x += wide


def row_pieces(sheet: Sheet, look: Look, block: Block, width: float) -> list[Piece]:
    """A piece for each row; all of them stay together. Raises SourceError where a table has no room."""
    styles = [look.cell_head] + [look.cell] * (len(block.rows) - 1)
    widths = _widths(sheet, block, styles, width)
    aligns = [0.5 if all(map(_FIGURES.fullmatch, cells[1:])) else 0.0 for cells in _columns(block)]
    pieces = []
    for number, (cells, style) in enumerate(zip(block.rows, styles, strict=True)):
        row = Row(
            cells=[sheet.lines(cell, style, wide - 2 * _PAD) for cell, wide in zip(cells, widths, strict=True)],
            widths=widths, aligns=aligns, style=style, look=look, left=(width - sum(widths)) / 2,
            first=number == 0, last=number == len(block.rows) - 1,
        )  # fmt: skip
        below = 1.6 * look.body.size if row.last else 0.0
        pieces.append(Piece(height=row.height, draw=row.draw, below=below, keeps=not row.last))
    return pieces


def _columns(block: Block) -> list[tuple[str, ...]]:
    return list(zip(*block.rows, strict=True))


def _widths(sheet: Sheet, block: Block, styles: list[Style], width: float) -> list[float]:
    """Room for the longest word of each column first, then for half of its head, its longest cell, its whole head."""
    wants = []
    for head, *cells in _columns(block):
        word = max(sheet.longest_word(text, style) for text, style in zip([head, *cells], styles, strict=True))
        cell = max((sheet.length(text, styles[-1]) for text in cells), default=0.0)
        titled = sheet.length(head, styles[0])
        wants.append([size + 2 * _PAD + 1 for size in accumulate((word, 0.6 * titled, cell, titled), max)])
    stages = list(zip(*wants, strict=True))
    if sum(stages[0]) > width:
        needed = sum(stages[0])
        fail(block.line, f"the table needs {needed:.0f} points and the column has {width:.0f}; use shorter words")
    total = min(width, max(sum(stages[-1]), 0.75 * width))
    return _shared(stages, total)


def _shared(stages: list[tuple[float, ...]], total: float) -> list[float]:
    """Widths that sum up to `total`: the last stage that it pays for, and a share of the next."""
    for low, high in pairwise(stages):
        if sum(high) > total:
            share = (total - sum(low)) / (sum(high) - sum(low))
            return [a + share * (b - a) for a, b in zip(low, high, strict=True)]
    return [wide * total / sum(stages[-1]) for wide in stages[-1]]
