"""Finds the tables of a page. If rules or clear columns leave no doubt, each line of a table gets its cell; any other
table is "loose".
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from core.pdf.boxes import EDGE, Rule, rules, stacks
from core.pdf.page import Line, Rectangle
from core.pdf.table_cells import Band, Bounds, Row, bounds_of, by_level, is_header, row_of, split_lines

_THIN = 2.5  # points: largest thickness of a rule
_INSIDE = 20.0  # points: a rule longer than this that ends within a table separates merged cells
_WHOLE, _PART = 0.9, 0.15  # shares of the height: a rule between columns, and a stroke too short to be one
_WIDE = 0.7  # of the width of a table: a longer line is running text
_MOST_WORDS, _USUAL_WORDS = 8, 4  # words in a cell without rules, at most and on average
_PITCH = 2.5  # of the font size: largest distance between rows without rules
_LEAST_ROWS = 3  # fewest rows of a table without rules: the header and two more
_FREE = 1.3  # of the font size: smallest gap between columns without rules
_PAIRING = re.compile(r"(?:column|list|set|group|part)\s*[-–]?\s*\(?(?:[ivx]{1,4}|[a-d]|\d)\)?", re.IGNORECASE)
"""The header of an exercise whose cells are to be matched; its rows state nothing."""

_BLANK = re.compile(r"[.…_?\s]+")
"""A cell that pupils fill in."""


@dataclass(frozen=True, kw_only=True)
class Tables:
    """The lines of a page, in which the lines of tables have their cells.

    sure: areas of the tables that are read as rows. loose: areas of the other tables. frames: areas of those loose
    tables that are drawn with thin rules only and which `boxes` therefore does not find.
    """

    lines: tuple[Line, ...]
    sure: tuple[Rectangle, ...] = ()
    loose: tuple[Rectangle, ...] = ()
    frames: tuple[Rectangle, ...] = ()


def tables(rectangles: Sequence[Rectangle], lines: Sequence[Line]) -> Tables:
    """Find and read the tables of a page. rectangles: rectangles that are drawn on it. lines: its text."""
    horizontal, vertical = rules(rectangles)
    page_lines, row_areas, loose = list(lines), [], []
    for stack in (part for whole in stacks(horizontal) for part in _split_at_text(whole, page_lines)):
        area = stack[0].start, stack[0].at - 1, stack[0].end, stack[-1].at + 1
        inside = [line for line in page_lines if line.cell is None and _is_within(line, area)]
        # Most of the bands with text must hold several cells.
        bands = [band for band in _bands(stack, inside) if band.lines]
        several_cells = sum(max(n.left for n in b.lines) > min(n.right for n in b.lines) - EDGE for b in bands)
        is_table = len(bands) > 1 and 2 * several_cells > len(bands)
        if not is_table:
            continue
        rows = _ruled_rows(stack, horizontal, vertical, inside)
        (row_areas if rows else loose).append(area)
        if rows:
            page_lines = _with_cells(page_lines, inside, rows, len(row_areas) - 1)
    for rows in _clear_tables(page_lines, [*row_areas, *loose]):
        members = [line for row in rows for line in row.sources]
        box = (
            min(n.left for n in members),
            min(n.top for n in members),
            max(n.right for n in members),
            max(n.bottom for n in members),
        )
        row_areas.append(box)
        page_lines = _with_cells(page_lines, members, rows, len(row_areas) - 1)
    frames = [area for area in loose if any(_spans(rule, area) for rule in rectangles)]
    return Tables(lines=tuple(page_lines), sure=tuple(row_areas), loose=tuple(loose), frames=tuple(frames))


def _split_at_text(stack: Sequence[Rule], lines: Sequence[Line]) -> Iterator[Sequence[Rule]]:
    """Split a stack of rules wherever running text is between two of them, since it separates two tables."""
    start = 0
    for index, (above, below) in enumerate(pairwise(stack), 1):
        area = above.start, above.at, above.end, below.at
        between = [line for line in lines if _is_within(line, area)]
        wide = sum(line.right - line.left > _WIDE * (above.end - above.start) for line in between)
        if len(between) > 1 and 2 * wide > len(between):  # most take most of the width, as no cell does
            yield stack[start:index]
            start = index
    yield stack[start:]


def _spans(rule: Rectangle, area: Rectangle) -> bool:
    """True if a thin rule as wide as `area` is drawn inside it."""
    inside = rule[3] - rule[1] <= _THIN and area[1] <= rule[1] and rule[3] <= area[3]
    return inside and abs(rule[0] - area[0]) + abs(rule[2] - area[2]) <= 2 * EDGE


def _is_within(line: Line, area: Rectangle) -> bool:
    middle = (line.top + line.bottom) / 2
    return area[1] < middle < area[3] and area[0] - EDGE <= line.left and line.right <= area[2] + EDGE


def _bands(stack: Sequence[Rule], inside: Sequence[Line]) -> list[Band]:
    """Return the lines between each rule and the next."""
    return [
        Band(lines=tuple(n for n in inside if above.at < (n.top + n.bottom) / 2 <= below.at))
        for above, below in pairwise(stack)
    ]


def _ruled_rows(
    stack: Sequence[Rule], horizontal: Sequence[Rule], vertical: Sequence[Rule], inside: Sequence[Line]
) -> list[Row]:
    """Return the rows of a table with rules, header first; empty if any cell is in doubt."""
    bounds = _bounds(stack, horizontal, vertical, inside)
    bands = [band for band in _bands(stack, inside) if band.lines]
    if bounds is None:
        return []
    bands_of_cells = [split_lines(band, bounds) for band in bands]
    if not all(bands_of_cells):
        return []
    header = row_of(bands_of_cells[0], bounds, header=True)
    body = _body(bands_of_cells[1:], bounds)
    return _checked_rows(header, body, plain=len(bands) == 2) if header and body else []


def _bounds(
    stack: Sequence[Rule], horizontal: Sequence[Rule], vertical: Sequence[Rule], inside: Sequence[Line]
) -> Bounds | None:
    """Return the columns of a table with rules; None if rules that end inside it show merged cells."""
    left, right, top, bottom = stack[0].start, stack[0].end, stack[0].at, stack[-1].at
    between = [
        r for r in vertical if left + EDGE < r.at < right - EDGE and r.start < bottom - EDGE and r.end > top + EDGE
    ]
    shares = [(min(r.end, bottom) - max(r.start, top)) / (bottom - top) for r in between]
    stack_positions = {rule.at for rule in stack}
    is_merged = any(
        top + EDGE < r.at < bottom - EDGE
        and r.at not in stack_positions
        and min(r.end, right) - max(r.start, left) > _INSIDE
        for r in horizontal
    )
    if is_merged or any(_PART < share < _WHOLE for share in shares):
        return None
    edges = [rule.at for rule, share in zip(between, shares, strict=True) if share >= _WHOLE]
    return Bounds(edges=(left, *edges, right), ruled=True) if edges else bounds_of(inside)


def _body(bands: Sequence[Band], bounds: Bounds) -> list[Row]:
    """Return the rows below the header: one for each band, or, if there is only one band, one for each height. Empty if
    any is in doubt.
    """
    rows: list[Row | None] = []
    for band in bands:
        levels = by_level(band.lines)
        if len(bands) == 1 and len(levels) > 1:
            rows += [row_of(split_lines(Band(lines=tuple(level)), bounds), bounds) for level in levels]
        else:
            rows.append(row_of(band, bounds))
    return [row for row in rows if row] if all(rows) else []


def _checked_rows(header: Row, body: Sequence[Row], *, plain: bool) -> list[Row]:
    """Return header and rows if they are a table that states something, else an empty list.

    plain: True if the rule below the header is the only one inside the table.
    """
    header_texts = [" ".join(line.text for line in cell) for cell in header.cells]
    if any(_PAIRING.fullmatch(text) for text in header_texts) or not all(
        text or not n for n, text in enumerate(header_texts)
    ):
        return []
    body = [row for row in body if not _is_continuation(row)]
    if any(not row.cells[0] or not any(row.cells[1:]) for row in body):
        return []
    if any(_BLANK.fullmatch(line.text) for row in body for cell in row.cells for line in cell):
        return []
    cells = sum(bool(cell) for row in body for cell in row.cells)
    is_mostly_filled = 4 * cells >= 3 * len(body) * len(header.cells)  # pupils fill in the others
    return [header, *body] if body and is_mostly_filled and is_header(header, body, plain=plain) else []


def _is_continuation(row: Row) -> bool:
    """True if a row only shows that the table goes on: dots, and perhaps "etc."."""
    texts = [line.text for cell in row.cells for line in cell]
    return all(not any(c.isalnum() for c in text) or text.lower() == "etc." for text in texts)


def _clear_tables(lines: Sequence[Line], table_areas: Sequence[Rectangle]) -> Iterator[list[Row]]:
    """Yield the rows of each table without rules. Such a table has one line per cell and a bold header.

    table_areas: areas of the tables that are already known.
    """
    free = [n for n in lines if n.cell is None and not any(_is_within(n, area) for area in table_areas)]
    levels = by_level(free)
    start = 0
    while start < len(levels):
        end = start + 1
        while end < len(levels) and _is_next_row(levels[end - 1], levels[end]):
            end += 1
        if rows := _clear_rows(levels[start:end], levels[end] if end < len(levels) else []):
            yield rows
        start = end


def _is_next_row(above: Sequence[Line], row: Sequence[Line]) -> bool:
    apart = row[0].top - above[0].top
    return len(row) == len(above) > 1 and apart <= _PITCH * max(above[0].size, row[0].size)


def _clear_rows(levels: Sequence[Sequence[Line]], below: Sequence[Line]) -> list[Row]:
    """Return the rows of a table without rules; empty if the lines `below` may belong to its last cells."""
    if len(levels) < _LEAST_ROWS or not all(line.bold for line in levels[0]):
        return []
    all_lines = [line for level in levels for line in level]
    words = [len(line.words) for level in levels[1:] for line in level]
    # A line close below the last row may be another line of one of its cells.
    last, pitch = levels[-1], levels[-1][0].top - levels[-2][0].top
    under = [n for n in below if n.left < last[-1].right and n.right > last[0].left]
    continues_below = any(n.top - last[0].top <= 1.1 * pitch for n in under)
    if max(words) > _MOST_WORDS or sum(words) > _USUAL_WORDS * len(words) or continues_below:
        return []
    bounds = bounds_of(all_lines, _FREE)
    if bounds is None or len(bounds.edges) - 1 != len(levels[0]):
        return []
    rows = [row_of(split_lines(Band(lines=tuple(level)), bounds), bounds) for level in levels]
    full_rows = [row for row in rows if row and all(row.cells)]
    return _checked_rows(full_rows[0], full_rows[1:], plain=False) if len(full_rows) == len(levels) else []


def _with_cells(lines: Sequence[Line], members: Sequence[Line], rows: Sequence[Row], number: int) -> list[Line]:
    """Return `lines` with `cell` set in those of one table.

    The lines of the table follow row by row and cell by cell, from the index of its first line. members: the lines of
    the table. number: index of the table on the page.
    """
    ids = {id(line) for line in members}
    table = [
        replace(line, cell=(number, row, column))
        for row, table_row in enumerate(rows)
        for column, cell in enumerate(table_row.cells)
        for line in cell
    ]
    first = next(n for n, line in enumerate(lines) if id(line) in ids)
    rest = [line for line in lines[first:] if id(line) not in ids]
    return [*lines[:first], *table, *rest]
