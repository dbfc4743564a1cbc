"""Typesets the blocks of a chapter in the width of a column: text, boxes, captions, tables. All sizes are in points."""

import re
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from core.lab.sample.figures import picture
from core.lab.sample.layout import Box, Piece, Setting, text_pieces
from core.lab.sample.source import Block, fail
from core.lab.sample.typography import EDGES, PALE, TINTS, Line, Sheet, Style, Theme, words

_PAD = 5.0  # space left and right of a cell's text
_ABOVE, _BELOW = 2.0, 3.0
_FIGURES = re.compile(r"[\d.,\s₹%°–−×+-]+")
_MARKED = re.compile(r"(\d+(?:\.\d+)+|\d+\.)\s+(.*)")
_FORMULA = re.compile(r"(.*?)(?:\s{2,}(\(\w[\w.]*\)))?")
_LABELLED = re.compile(r"((?:Fig\.|Figure|Table) [\w.]+:?)\s*(.*)")


@dataclass(frozen=True, kw_only=True)
class Row:
    """One row of a table, which can draw itself.

    cells: the lines of each cell. widths: of each column. aligns: of each column, 0 for left and 0.5 for centred. left:
    distance from the left of the column of text to the table. first, last: True for the first row (the head) and for
    the last row of the table.
    """

    cells: list[list[Line]]
    widths: list[float]
    aligns: list[float]
    style: Style
    theme: Theme
    left: float
    first: bool
    last: bool

    @property
    def height(self) -> float:
        return _ABOVE + self.style.leading * max(map(len, self.cells)) + _BELOW

    def draw(self, sheet: Sheet, x: float, y: float) -> None:
        x, bottom, total = x + self.left, y + self.height, sum(self.widths)
        if self.first:
            sheet.set_fill_color(*self.theme.pale)
            sheet.rect(x, y, total, self.height, style="F")
            sheet.rule(x, y, total, self.theme.accent, 1.0)
        edge = self.first or self.last
        sheet.rule(x, bottom, total, self.theme.accent if edge else PALE, 1.0 if edge else 0.6)
        for lines, wide, align in zip(self.cells, self.widths, self.aligns, strict=True):
            for number, line in enumerate(lines):
                room = wide - 2 * _PAD - line.width
                baseline = y + _ABOVE + self.style.leading * (number + 0.78)
                sheet.draw_line(line, x + _PAD + align * room, baseline, self.style)
            x += wide


def row_pieces(sheet: Sheet, theme: Theme, block: Block, width: float) -> list[Piece]:
    """A piece for each row of a table; no page break divides the table. Raises SourceError if the table does not
    fit."""
    styles = [theme.cell_head] + [theme.cell] * (len(block.rows) - 1)
    widths = _widths(sheet, block, styles, width)
    aligns = [0.5 if all(map(_FIGURES.fullmatch, cells[1:])) else 0.0 for cells in _columns(block)]
    pieces = []
    for number, (cells, style) in enumerate(zip(block.rows, styles, strict=True)):
        row = Row(
            cells=[sheet.lines(cell, style, wide - 2 * _PAD) for cell, wide in zip(cells, widths, strict=True)],
            widths=widths, aligns=aligns, style=style, theme=theme, left=(width - sum(widths)) / 2,
            first=number == 0, last=number == len(block.rows) - 1,
        )  # fmt: skip
        below = 1.6 * theme.body.size if row.last else 0.0
        pieces.append(Piece(height=row.height, draw=row.draw, below=below, keeps=not row.last))
    return pieces


def _columns(block: Block) -> list[tuple[str, ...]]:
    return list(zip(*block.rows, strict=True))


def _widths(sheet: Sheet, block: Block, styles: list[Style], width: float) -> list[float]:
    """The width of each column of a table, shared out in four stages as far as the space goes: room for the longest
    word, for most of the head, for the longest cell, and for the whole head."""
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
    """The column widths with the sum `total`: those of the widest stage that fits, each plus the same share of the way
    to the next stage.

    stages: column widths that would each be wished for, from the narrowest to the widest.
    """
    for low, high in pairwise(stages):
        if sum(high) > total:
            share = (total - sum(low)) / (sum(high) - sum(low))
            return [a + share * (b - a) for a, b in zip(low, high, strict=True)]
    return [wide * total / sum(stages[-1]) for wide in stages[-1]]


class Galley:
    """Typesets blocks in one width, with one theme."""

    def __init__(self, sheet: Sheet, theme: Theme, width: float) -> None:
        self.sheet, self.theme, self.width = sheet, theme, width

    def set(self, block: Block) -> list[Piece]:
        """The pieces of one block, of any kind."""
        if block.kind in TINTS:
            return self._boxed(block, Box(tint=TINTS[block.kind], edge=EDGES[block.kind]))
        if block.kind == "example":
            return self._boxed(block, Box(tint=None, edge=self.theme.accent))
        if block.kind == "exercises":
            return self._text(replace(block, kind="heading")) + self._body(block, self.width)
        if block.kind == "table":
            rows = row_pieces(self.sheet, self.theme, block, self.width)
            return self._caption(block.text, above=1.2, below=0.3, keeps=True) + rows
        if block.kind == "figure":
            drawing = picture(self.sheet, self.theme, block, self.width)
            return [drawing, *self._caption(block.text, above=0.8, below=1.6)]
        return self._text(block)

    def _boxed(self, block: Block, box: Box) -> list[Piece]:
        style, inner = self.theme.box_title._replace(colour=box.edge), self.width - 2 * box.pad
        title = Setting(style=style, width=inner, above=style.size, keeps=True, box=box)
        pieces = text_pieces(self.sheet, block.text, title) + self._body(block, inner, box)
        return [*pieces[:-1], replace(pieces[-1], below=style.size)]

    def _body(self, block: Block, width: float, box: Box | None = None) -> list[Piece]:
        """The pieces of the blocks inside a box or an exercise section; no break separates a question from its
        options."""
        after = [part.kind for part in block.body[1:]] + [""]
        parts = zip(block.body, after, strict=True)
        return [p for part, kind in parts for p in self._text(part, width, box, keeps=kind == "option")]

    def _text(self, block: Block, width: float = 0, box: Box | None = None, *, keeps: bool = False) -> list[Piece]:
        text, setting = getattr(self, f"_{block.kind}")(block.text, width or self.width)
        longest, room = self.sheet.longest_word(text, setting.style), setting.width - setting.indent
        if longest > room:
            fail(block.line, f"a word needs {longest:.0f} points and there are {room:.0f}; part it with a space")
        return text_pieces(self.sheet, text, replace(setting, box=box, keeps=keeps or setting.keeps))

    def _paragraph(self, text: str, width: float) -> tuple[str, Setting]:
        style = self.theme.body
        return text, Setting(style=style, width=width, above=0.5 * style.size, justified=True)

    def _bullet(self, text: str, width: float) -> tuple[str, Setting]:
        return text, self._hanging("•", 1.1, width)

    def _question(self, text: str, width: float) -> tuple[str, Setting]:
        number, text = _parted(text)
        return text, self._hanging(number, 1.9, width)

    def _option(self, text: str, width: float) -> tuple[str, Setting]:
        return text, self._hanging("", 1.9, width)

    def _hanging(self, mark: str, indent: float, width: float) -> Setting:
        """The setting of an indented text with `mark` before its first line. indent: in multiples of the font size."""
        style = self.theme.body
        above = 0.35 * style.size
        return Setting(style=style, width=width, indent=indent * style.size, mark=mark, above=above, justified=True)

    def _heading(self, text: str, width: float) -> tuple[str, Setting]:
        style = self.theme.heading
        number, text = _parted(text)
        indent = self.sheet.length(f"{number}  i", style) if number else 0.0
        return text, Setting(
            style=style,
            width=width,
            indent=indent,
            mark=number,
            above=1.4 * style.size,
            below=0.2 * style.size,
            keeps=True,
        )

    def _subheading(self, text: str, width: float) -> tuple[str, Setting]:
        style = self.theme.subheading
        return text, Setting(style=style, width=width, above=style.size, below=0.1 * style.size, keeps=True)

    def _formula(self, text: str, width: float) -> tuple[str, Setting]:
        """A formula and its setting: centred if its number then fits beside it, else further left."""
        style = self.theme.body
        text, number = _FORMULA.fullmatch(text).groups()
        room = self.sheet.length(number, style) + style.size if number else 0.0
        left = (width - self.sheet.length(text, style)) / 2
        indent = left if left >= room else max(0.0, min(style.size, 2 * left - room))
        above = 0.6 * style.size
        return text, Setting(style=style, width=width, indent=indent, tail=number or "", above=above, below=above)

    def _caption(self, text: str, *, above: float = 0, below: float = 0, keeps: bool = False) -> list[Piece]:
        """A centred caption with a bold label. above, below: spaces in multiples of the font size."""
        style, strong = self.theme.caption, self.theme.caption_label
        label, rest = _LABELLED.fullmatch(text).groups() if _LABELLED.fullmatch(text) else ("", text)
        setting = Setting(
            style=style, width=self.width, above=above * style.size, below=below * style.size, align=0.5, keeps=keeps
        )
        return text_pieces(self.sheet, words(label, strong) + words(rest, style), setting)


def _parted(text: str) -> tuple[str, str]:
    """(number, rest) of a heading or a question; the number is "" if it has none."""
    match = _MARKED.fullmatch(text)
    return (match[1], match[2]) if match else ("", text)
