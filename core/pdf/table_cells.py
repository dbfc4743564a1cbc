"""The cells of a table: finds its columns and the lines in each of them, and decides whether these lines make
one row.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from core.pdf.page import Line, Word

_CLEAR = 1.0  # of the font size: smallest gap between columns without a rule
_BESIDE = 0.4  # of the font size: smallest gap between words of two cells
_OVER = 2.0  # points by which a word may extend over the edge of its cell
_LEVEL = 0.5  # of the font size: lines whose middles differ by less are at one height
_SPACE = 0.25  # of the font size: width of a space
_FULL = 0.98  # of the room in a cell: text that would be wider has to break into another line
_NUMBER = re.compile(r"[-+−–]?[\d.,/×^⁰¹²³⁴⁵⁶⁷⁸⁹⁻ ]*\d[\d.,/⁰¹²³⁴⁵⁶⁷⁸⁹⁻]*\s*%?")
_UNIT = re.compile(r".{1,80}\([^()]{1,30}\)")
_LEADING = 0.6  # of the font size: lines of one text are closer to each other
_LIKENESS = 0.06  # of the font size: largest difference between two sizes of one style


@dataclass(frozen=True, kw_only=True)
class Band:
    """The lines between two neighbouring horizontal rules of a table."""

    lines: tuple[Line, ...]

    def __bool__(self) -> bool:
        return bool(self.lines)


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """The edges of the columns of a table, from the left (points); one edge more than columns. ruled: True if rules are
    drawn at the edges.
    """

    edges: tuple[float, ...]
    ruled: bool = False

    def column(self, word: Word) -> int | None:
        """Index of the column that holds a word; None if the word crosses an edge."""
        for column, (left, right) in enumerate(pairwise(self.edges)):
            if left - _OVER <= word.left and word.right <= right + _OVER:
                return column
        return None


@dataclass(frozen=True, kw_only=True)
class Row:
    """One row of a table. cells: the lines of each cell, from the top. sources: the lines of the page from which the
    cells were made.
    """

    cells: tuple[tuple[Line, ...], ...]
    sources: tuple[Line, ...] = ()


def bounds_of(lines: Sequence[Line], clear: float = _CLEAR) -> Bounds | None:
    """Find columns that are separated by white space from top to bottom; None if there is only one column.

    clear: minimum width of that space, as a multiple of the largest font size.
    """
    spans = sorted((word.left, word.right) for line in lines for word in line.words)
    size = max(line.size for line in lines)
    edges, end = [spans[0][0]], spans[0][1]
    for left, right in spans:
        if left - end >= clear * size:
            edges.append((left + end) / 2)
        end = max(end, right)
    return Bounds(edges=(*edges, end)) if len(edges) > 1 else None


def split_lines(band: Band, bounds: Bounds) -> Band:
    """Split the lines of `band` at the edges of columns. The result is empty if a word belongs to no column."""
    parts: list[Line] = []
    for line in band.lines:
        columns = [bounds.column(word) for word in line.words]
        if None in columns:
            return Band(lines=())
        start = 0
        for index in range(1, len(columns) + 1):
            if index == len(columns) or columns[index] != columns[index - 1]:
                if index < len(columns) and line.words[index].left - line.words[index - 1].right < _BESIDE * line.size:
                    return Band(lines=())
                parts.append(line if index - start == len(columns) else replace(line, words=line.words[start:index]))
                start = index
    return Band(lines=tuple(parts))


def by_level(lines: Sequence[Line]) -> list[list[Line]]:
    """Group the lines by height, from the top; the lines of each group are sorted from the left."""
    levels: list[list[Line]] = []
    for line in sorted(lines, key=lambda n: n.top + n.bottom):
        if levels and _middle(line) - _middle(levels[-1][0]) < _LEVEL * max(line.size, levels[-1][0].size):
            levels[-1].append(line)
        else:
            levels.append([line])
    return [sorted(level, key=lambda n: n.left) for level in levels]


def row_of(band: Band, bounds: Bounds, *, header: bool = False) -> Row | None:
    """Return the cells of one row.

    None if the lines of the band may be several rows, or a cell has two texts at one height.
    """
    cells: list[list[Line]] = [[] for _ in bounds.edges[1:]]
    for line in band.lines:
        cells[bounds.column(line.words[0]) or 0].append(line)
    if not band or any(len(by_level(cell)) != len(cell) for cell in cells):
        return None
    cells = [sorted(cell, key=_middle) for cell in cells]
    if header and not all(_is_one_style(cell) for cell in cells):
        return None
    if not header and not all(
        _is_one_text(cell, room) for cell, room in zip(cells, _free_spaces(bounds, cells), strict=True)
    ):
        return None
    return Row(cells=tuple(map(tuple, cells)), sources=band.lines)


def _is_one_style(cell: Sequence[Line]) -> bool:
    """True if the lines of a header cell have one style and are close together: they are then one text."""
    return all(
        above.bold == below.bold
        and abs(above.size - below.size) <= _LIKENESS * above.size
        and below.top - above.bottom < _LEADING * above.size
        for above, below in pairwise(cell)
    )


def _free_spaces(bounds: Bounds, cells: Sequence[Sequence[Line]]) -> list[float]:
    """The width (points) within which a line of each cell must fit. It is infinite in columns without rules, so that no
    line break there counts as caused by lack of room.
    """
    if not bounds.ruled:
        return [float("inf")] * len(cells)
    return [
        right - left - 2 * max(0.0, min((line.left for line in cell), default=left) - left)
        for cell, (left, right) in zip(cells, pairwise(bounds.edges), strict=True)
    ]


def _is_one_text(cell: Sequence[Line], room: float) -> bool:
    """True if the lines of a cell are one text, in which each line broke only because the next word had no room. room:
    width of the cell (points).

    A cell with several lines is not one text if one of the lines is a number.
    """
    if len(cell) > 1 and any(_NUMBER.fullmatch(line.text) for line in cell):
        return False
    return all(
        above.right - above.left + _SPACE * above.size + below.words[0].right - below.left > _FULL * room
        for above, below in pairwise(cell)
    )


def is_header(header: Row, body: Sequence[Row], *, plain: bool) -> bool:
    """True if the first row is certainly a header: by its style, by its units, or, if `plain`, because the only rule is
    below it.
    """
    heads = [line for cell in header.cells for line in cell]
    values = [line for row in body for cell in row.cells[1:] for line in cell]
    bold = all(n.bold for n in heads) and not all(n.bold for n in values)
    italic = all(n.italic for n in heads) and not any(n.italic for n in values)
    size = max(n.size for n in values)
    larger = all(n.size > (1 + _LIKENESS) * size for n in heads)
    return bold or italic or larger or (plain and len(body) > 1) or _has_units(header, body)


def _has_units(header: Row, body: Sequence[Row]) -> bool:
    """True if a cell of the header such as "Height (m)" is above a column that holds only numbers."""
    for column, cell in enumerate(header.cells[1:], 1):
        below = [" ".join(n.text for n in row.cells[column]) for row in body if row.cells[column]]
        head = " ".join(n.text for n in cell)
        if _UNIT.fullmatch(head) and len(below) == len(body) > 1 and all(map(_NUMBER.fullmatch, below)):
            return True
    return False


def _middle(line: Line) -> float:
    return (line.top + line.bottom) / 2
