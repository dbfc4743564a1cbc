"""Finds the tables of a page that are drawn with rules. If nothing is in doubt, each of their lines gets its cell; any
other table is "loose".

pdfplumber was tried: it finds columns by rules alone, and so none of the tables of our sample chapters, which have
rules between rows and white space between columns.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from operator import attrgetter

from core.pdf.page import Line, Rectangle, Word

_THIN, _LONG = 2.5, 60.0  # points: largest thickness of a rule, and smallest length of a rule of a table
_SAME, _EDGE = 2.5, 4.0  # points: difference of two positions of one rule, and of the ends of two rules of one table
_MAX_GAP, _LEAST_RULES = 150.0, 3  # points between two neighbouring rules of one table; fewest rules
_SMALLEST, _MOST_CELLS = 8.0, 2000  # points: height and width of a drawn cell; more of them are a picture
_INSIDE, _WHOLE, _PART = 20.0, 0.9, 0.15  # rules that end inside show merged cells; shares of the table's height
_WIDE = 0.7  # of the width of a table: a longer line is running text
_OVER = 2.0  # points by which a word may extend over the edge of its cell
# Shares of the font size: gap between columns without a rule, and between words of two cells; difference of two heights
# in one row; width of a space; distance and difference in size of two lines of one text.
_CLEAR, _BESIDE, _LEVEL, _SPACE, _LEADING, _LIKENESS = 1.0, 0.4, 0.5, 0.25, 0.6, 0.06
_FULL = 0.98  # of the room in a cell: text that would be wider has to break into another line
NUMBER = re.compile(r"[-+−–]?[\d.,/×^⁰¹²³⁴⁵⁶⁷⁸⁹⁻ ]*\d[\d.,/⁰¹²³⁴⁵⁶⁷⁸⁹⁻]*\s*%?")
"""A cell that holds only a number."""
_UNIT = re.compile(r".{1,80}\([^()]{1,30}\)")
_PAIRING = re.compile(r"(?:column|list|set|group|part)\s*[-–]?\s*\(?(?:[ivx]{1,4}|[a-d]|\d)\)?", re.IGNORECASE)
"""The header of an exercise whose cells are to be matched; its rows state nothing."""
_BLANK = re.compile(r"[.…_?\s]+")
"""A cell that pupils fill in."""

Row = tuple[tuple[Line, ...], ...]
"""The lines of each cell of a row, from the top."""


@dataclass(frozen=True, order=True)
class Rule:
    """A straight line, horizontal or vertical. at: for a horizontal line its y, for a vertical one its x. start, end:
    its ends along the other axis. All in points.
    """

    at: float
    start: float
    end: float


def tables(
    rectangles: Sequence[Rectangle], lines: Sequence[Line]
) -> tuple[list[Line], list[Rectangle], list[Rectangle]]:
    """Find and read the tables of a page. rectangles: rectangles that are drawn on it. lines: its text.

    Returns (the lines of the page, in which those of tables have their cells, the areas of the tables that are read as
    rows, the areas of the other tables).
    """
    cells = [r for r in rectangles if min(r[2] - r[0], r[3] - r[1]) >= _SMALLEST and r[3] - r[1] <= _MAX_GAP]
    cells = cells if len(cells) <= _MOST_CELLS else []  # their edges count as rules
    edges_across = [Rule(at, x, u) for x, y, u, v in cells for at in (y, v)]
    edges_down = [Rule(at, y, v) for x, y, u, v in cells for at in (x, u)]
    horizontal = _join([*(Rule((y + v) / 2, x, u) for x, y, u, v in rectangles if v - y <= _THIN), *edges_across])
    vertical = _join([*(Rule((x + u) / 2, y, v) for x, y, u, v in rectangles if u - x <= _THIN), *edges_down])
    page_lines, sure, loose = list(lines), [], []
    for stack in (part for whole in _stacks(horizontal) for part in _split_at_text(whole, page_lines)):
        area = stack[0].start, stack[0].at - 1, stack[0].end, stack[-1].at + 1
        inside = [line for line in page_lines if line.cell is None and _is_within(line, area)]
        bands = [
            band for above, below in pairwise(stack)
            if (band := [n for n in inside if above.at < n.middle <= below.at])
        ]  # fmt: skip
        # Most of the bands must hold several cells.
        several = sum(max(n.left for n in band) > min(n.right for n in band) - _EDGE for band in bands)
        if len(bands) < 2 or 2 * several <= len(bands):
            continue
        rows = _rows(bands, *_edges(stack, horizontal, vertical, inside))
        (sure if rows else loose).append(area)
        if rows:
            page_lines = _with_cells(page_lines, inside, rows, len(sure) - 1)
    return page_lines, sure, loose


def _join(pieces: Iterable[Rule]) -> list[Rule]:
    """Join pieces of rules that lie on the same line and touch each other."""
    groups: list[list[Rule]] = []
    for rule in sorted(pieces):
        if not groups or rule.at - groups[-1][0].at > _SAME:
            groups.append([])
        groups[-1].append(rule)
    joined: list[Rule] = []
    for group in groups:
        position = sum(rule.at for rule in group) / len(group)
        start, end = float("inf"), float("-inf")
        for rule in sorted(group, key=lambda rule: rule.start):
            if rule.start > end + _EDGE and end > start:
                joined.append(Rule(position, start, end))
                start, end = rule.start, rule.end
            start, end = min(start, rule.start), max(end, rule.end)
        joined.append(Rule(position, start, end))
    return joined


def _stacks(horizontal: Sequence[Rule]) -> list[list[Rule]]:
    """Group horizontal rules with the same ends into stacks of three or more, each from top to bottom."""
    stacks: list[list[Rule]] = []
    for rule in (r for r in horizontal if r.end - r.start >= _LONG):
        alike = (s for s in stacks if abs(s[-1].start - rule.start) + abs(s[-1].end - rule.end) <= 2 * _EDGE)
        above = next((stack for stack in alike if 0 < rule.at - stack[-1].at <= _MAX_GAP), None)
        if above is None:
            stacks.append([rule])
        else:
            above.append(rule)
    return [stack for stack in stacks if len(stack) >= _LEAST_RULES]


def _split_at_text(stack: Sequence[Rule], lines: Sequence[Line]) -> Iterator[Sequence[Rule]]:
    """Split a stack of rules wherever running text is between two of them, since it separates two tables."""
    start = 0
    for index, (above, below) in enumerate(pairwise(stack), 1):
        between = [line for line in lines if _is_within(line, (above.start, above.at, above.end, below.at))]
        wide = sum(line.right - line.left > _WIDE * (above.end - above.start) for line in between)
        if len(between) > 1 and 2 * wide > len(between):  # most take most of the width, as no cell does
            yield stack[start:index]
            start = index
    yield stack[start:]


def _is_within(line: Line, area: Rectangle) -> bool:
    return area[1] < line.middle < area[3] and area[0] - _EDGE <= line.left and line.right <= area[2] + _EDGE


def _edges(
    stack: Sequence[Rule], horizontal: Sequence[Rule], vertical: Sequence[Rule], inside: Sequence[Line]
) -> tuple[list[float], bool]:
    """Return the edges of the columns, from the left, and whether they are drawn. Empty if rules that end inside the
    table show merged cells, or if no white space parts the columns from top to bottom.
    """
    left, right, top, bottom = stack[0].start, stack[0].end, stack[0].at, stack[-1].at
    upright = [r for r in vertical if left < r.at - _EDGE and r.at + _EDGE < right and r.start < bottom - _EDGE]
    shares = {r.at: (min(r.end, bottom) - max(r.start, top)) / (bottom - top) for r in upright if r.end > top + _EDGE}
    others = (r for r in horizontal if top + _EDGE < r.at < bottom - _EDGE and r.at not in {rule.at for rule in stack})
    is_merged = any(min(r.end, right) - max(r.start, left) > _INSIDE for r in others)
    if is_merged or any(_PART < share < _WHOLE for share in shares.values()):
        return [], False
    if drawn := sorted(at for at, share in shares.items() if share >= _WHOLE):
        return [left, *drawn, right], True
    words = sorted((word.left, word.right) for line in inside for word in line.words)
    edges, end = [words[0][0]], words[0][1]
    for start, stop in words:
        if start - end >= _CLEAR * max(line.size for line in inside):
            edges.append((start + end) / 2)
        end = max(end, stop)
    return ([*edges, end], False) if len(edges) > 1 else ([], False)


def _rows(bands: Sequence[Sequence[Line]], edges: Sequence[float], drawn: bool) -> list[Row]:
    """Return the rows of a table, header first; empty if anything is in doubt. bands: the lines between each rule and
    the next.
    """
    split = [[part for line in band for part in _split(line, edges)] for band in bands] if edges else []
    if not split or not all(split) or any(None in band for band in split):
        return []
    header, *body = split
    if len(body) == 1 and len(levels := _levels(body[0])) > 1:  # no rules between the rows
        body = levels
    rows = [_row(header, edges, drawn, is_header=True), *(_row(band, edges, drawn) for band in body)]
    return _if_stating(rows, plain=len(bands) == 2) if all(rows) else []


def _split(line: Line, edges: Sequence[float]) -> Iterator[Line | None]:
    """Yield the parts of a line in its columns; None if a word crosses an edge, or two cells are not apart."""
    columns = [_column(word, edges) for word in line.words]
    words = list(zip(line.words, columns, strict=True))
    if None in columns or any(
        one_column != column and word.left - one.right < _BESIDE * line.size
        for (one, one_column), (word, column) in pairwise(words)
    ):
        yield None
        return
    for _, part in groupby(words, key=lambda pair: pair[1]):
        yield replace(line, words=tuple(word for word, _ in part))


def _column(word: Word, edges: Sequence[float]) -> int | None:
    """Index of the column that holds a word."""
    for column, (left, right) in enumerate(pairwise(edges)):
        if left - _OVER <= word.left and word.right <= right + _OVER:
            return column
    return None


def _levels(lines: Sequence[Line]) -> list[list[Line]]:
    """Group lines by height, from the top."""
    levels: list[list[Line]] = []
    for line in sorted(lines, key=attrgetter("middle")):
        if levels and line.middle - levels[-1][0].middle < _LEVEL * max(line.size, levels[-1][0].size):
            levels[-1].append(line)
        else:
            levels.append([line])
    return levels


def _row(band: Sequence[Line], edges: Sequence[float], drawn: bool, *, is_header: bool = False) -> Row:
    """The cells of one row; empty if the lines may be several rows, or a cell has two texts at one height."""
    cells: list[list[Line]] = [[] for _ in edges[1:]]
    for line in sorted(band, key=attrgetter("middle")):
        cells[_column(line.words[0], edges) or 0].append(line)
    if any(len(_levels(cell)) != len(cell) for cell in cells):
        return ()
    for cell, (left, right) in zip(cells, pairwise(edges), strict=True):
        margin = max(0.0, min((line.left for line in cell), default=left) - left)
        # Where no rules are drawn, no line break counts as caused by lack of room.
        room = right - left - 2 * margin if drawn else float("inf")
        # The lines of a header cell are one text if they have one style and are close together.
        is_one_style = all(a.bold == b.bold and a.is_followed_by(b, _LEADING) for a, b in pairwise(cell))
        # Those of another cell are one if each broke only because the next word had no room, and none is a number.
        broke_for_room = all(
            above.right - above.left + _SPACE * above.size + below.words[0].right - below.left > _FULL * room
            for above, below in pairwise(cell)
        )
        is_one_text = len(cell) < 2 or (broke_for_room and not any(NUMBER.fullmatch(line.text) for line in cell))
        if not (is_one_style if is_header else is_one_text):
            return ()
    return tuple(map(tuple, cells))


def _if_stating(rows: Sequence[Row], *, plain: bool) -> list[Row]:
    """Return the rows if they are a table that states something, else an empty list. plain: True if the rule below the
    header is the only one inside the table.
    """
    header, *body = [[" ".join(line.text for line in cell) for cell in row] for row in rows]
    goes_on = [all(not any(map(str.isalnum, text)) or text.lower() == "etc." for text in row) for row in body]
    kept = [row for row, empty in zip(rows[1:], goes_on, strict=True) if not empty]
    texts = [row for row, empty in zip(body, goes_on, strict=True) if not empty]
    is_exercise = any(map(_PAIRING.fullmatch, header)) or any(_BLANK.fullmatch(t) for row in texts for t in row if t)
    is_full = all(header[1:]) and all(row[0] and any(row[1:]) for row in texts)
    cells = sum(bool(text) for row in texts for text in row)
    if is_exercise or not is_full or not texts or 4 * cells < 3 * len(texts) * len(header):  # pupils fill in the others
        return []
    # A cell of the header such as "Height (m)" may stand above a column that holds only numbers.
    columns = zip(header[1:], *(row[1:] for row in texts), strict=True)
    has_units = len(texts) > 1 and any(
        _UNIT.fullmatch(head) and all(map(NUMBER.fullmatch, values)) for head, *values in columns
    )
    # The first row is a header if it has such cells, by its style, or because the only rule is below it.
    heads = [line for cell in rows[0] for line in cell]
    values = [line for row in kept for cell in row[1:] for line in cell]
    bold = all(n.bold for n in heads) and not all(n.bold for n in values)
    italic = all(n.italic for n in heads) and not any(n.italic for n in values)
    larger = all(n.size > (1 + _LIKENESS) * max(value.size for value in values) for n in heads)
    return [rows[0], *kept] if has_units or bold or italic or larger or (plain and len(kept) > 1) else []


def _with_cells(lines: Sequence[Line], members: Sequence[Line], rows: Sequence[Row], number: int) -> list[Line]:
    """Return `lines` with `cell` set in those of one table, which follow row by row from the index of its first line.

    members: the lines of the table. number: index of the table on the page.
    """
    ids = {id(line) for line in members}
    table = [
        replace(line, cell=(number, row, column))
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
        for line in cell
    ]
    first = next(n for n, line in enumerate(lines) if id(line) in ids)
    return [*lines[:first], *table, *(line for line in lines[first:] if id(line) not in ids)]
