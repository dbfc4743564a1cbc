"""The cells of a table: its columns, which lines stand in which of them, and whether they make one row."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from core.pdf.page import Line, Word

_CLEAR = 1.0  # of the size: columns without a rule are at least so far apart
_BESIDE = 0.4  # of the size: words of two cells are at least so far apart
_OVER = 2.0  # points: a word may reach so far over the edge of its cell
_LEVEL = 0.5  # of the size: middles of lines at one height differ by less
_SPACE = 0.25  # of the size: a space between two words
_FULL = 0.98  # of the room in a cell: what must be exceeded before a line is broken
_NUMBER = re.compile(r"[-+−–]?[\d.,/×^⁰¹²³⁴⁵⁶⁷⁸⁹⁻ ]*\d[\d.,/⁰¹²³⁴⁵⁶⁷⁸⁹⁻]*\s*%?")
_UNIT = re.compile(r".{1,80}\([^()]{1,30}\)")
_LEADING = 0.6  # of the size: lines of one text are nearer to each other
_LIKENESS = 0.06  # of the size: what two sizes of one style differ by


@dataclass(frozen=True, kw_only=True)
class Band:
    """Lines between two rules."""

    lines: tuple[Line, ...]

    def __bool__(self) -> bool:
        return bool(self.lines)


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """The edges of the columns from the left (points), one more than columns. ruled: rules are drawn at them."""

    edges: tuple[float, ...]
    ruled: bool = False

    def column(self, word: Word) -> int | None:
        """The column that holds a word; None for a word that reaches over an edge."""
        for column, (left, right) in enumerate(pairwise(self.edges)):
            if left - _OVER <= word.left and word.right <= right + _OVER:
                return column
        return None


@dataclass(frozen=True, kw_only=True)
class Row:
    """The lines of each cell, from the top. sources: the lines of the page that hold them."""

    cells: tuple[tuple[Line, ...], ...]
    sources: tuple[Line, ...] = ()


def bounds_of(lines: Sequence[Line], clear: float = _CLEAR) -> Bounds | None:
    """The columns that white space parts from top to bottom, at least `clear` times the size wide; None for one."""
    spans = sorted((word.left, word.right) for line in lines for word in line.words)
    size = max(line.size for line in lines)
    edges, end = [spans[0][0]], spans[0][1]
    for left, right in spans:
        if left - end >= clear * size:
            edges.append((left + end) / 2)
        end = max(end, right)
    return Bounds(edges=(*edges, end)) if len(edges) > 1 else None


def split(band: Band, bounds: Bounds) -> Band:
    """`band` with its lines parted at the edges of columns; an empty one where a word belongs to no column."""
    found: list[Line] = []
    for line in band.lines:
        columns = [bounds.column(word) for word in line.words]
        if None in columns:
            return Band(lines=())
        start = 0
        for place in range(1, len(columns) + 1):
            if place == len(columns) or columns[place] != columns[place - 1]:
                if place < len(columns) and line.words[place].left - line.words[place - 1].right < _BESIDE * line.size:
                    return Band(lines=())
                found.append(line if place - start == len(columns) else replace(line, words=line.words[start:place]))
                start = place
    return Band(lines=tuple(found))


def by_level(lines: Sequence[Line]) -> list[list[Line]]:
    """The lines at each height, from the top, each from the left."""
    found: list[list[Line]] = []
    for line in sorted(lines, key=lambda n: n.top + n.bottom):
        if found and _middle(line) - _middle(found[-1][0]) < _LEVEL * max(line.size, found[-1][0].size):
            found[-1].append(line)
        else:
            found.append([line])
    return [sorted(level, key=lambda n: n.left) for level in found]


def row_of(band: Band, bounds: Bounds, *, header: bool = False) -> Row | None:
    """The cells of one row; None where the lines of a band may be several rows, or a cell has two texts in a line."""
    cells: list[list[Line]] = [[] for _ in bounds.edges[1:]]
    for line in band.lines:
        cells[bounds.column(line.words[0]) or 0].append(line)
    if not band or any(len(by_level(cell)) != len(cell) for cell in cells):
        return None
    cells = [sorted(cell, key=_middle) for cell in cells]
    if header and not all(_is_one_style(cell) for cell in cells):
        return None
    if not header and not all(
        _is_one_text(cell, room) for cell, room in zip(cells, _rooms(bounds, cells), strict=True)
    ):
        return None
    return Row(cells=tuple(map(tuple, cells)), sources=band.lines)


def _is_one_style(cell: Sequence[Line]) -> bool:
    """Are the lines of a head set alike and right below each other? Then they are one text, however broken."""
    return all(
        above.bold == below.bold
        and abs(above.size - below.size) <= _LIKENESS * above.size
        and below.top - above.bottom < _LEADING * above.size
        for above, below in pairwise(cell)
    )


def _rooms(bounds: Bounds, cells: Sequence[Sequence[Line]]) -> list[float]:
    """How wide a line of each cell may be; in a column without rules none may be broken."""
    if not bounds.ruled:
        return [float("inf")] * len(cells)
    return [
        right - left - 2 * max(0.0, min((line.left for line in cell), default=left) - left)
        for cell, (left, right) in zip(cells, pairwise(bounds.edges), strict=True)
    ]


def _is_one_text(cell: Sequence[Line], room: float) -> bool:
    """Was each line broken only since the next word had no room, and is none of several lines a number?"""
    if len(cell) > 1 and any(_NUMBER.fullmatch(line.text) for line in cell):
        return False
    return all(
        above.right - above.left + _SPACE * above.size + below.words[0].right - below.left > _FULL * room
        for above, below in pairwise(cell)
    )


def is_header(header: Row, body: Sequence[Row], *, plain: bool) -> bool:
    """Is the first row a header beyond doubt: by its style, its units, or the one rule that parts it from all rows?"""
    heads = [line for cell in header.cells for line in cell]
    values = [line for row in body for cell in row.cells[1:] for line in cell]
    bold = all(n.bold for n in heads) and not all(n.bold for n in values)
    italic = all(n.italic for n in heads) and not any(n.italic for n in values)
    size = max(n.size for n in values)
    larger = all(n.size > (1 + _LIKENESS) * size for n in heads)
    return bold or italic or larger or (plain and len(body) > 1) or _has_units(header, body)


def _has_units(header: Row, body: Sequence[Row]) -> bool:
    """Does a head such as "Height (m)" stand over nothing but numbers?"""
    for column, cell in enumerate(header.cells[1:], 1):
        below = [" ".join(n.text for n in row.cells[column]) for row in body if row.cells[column]]
        head = " ".join(n.text for n in cell)
        if _UNIT.fullmatch(head) and len(below) == len(body) > 1 and all(map(_NUMBER.fullmatch, below)):
            return True
    return False


def _middle(line: Line) -> float:
    return (line.top + line.bottom) / 2
