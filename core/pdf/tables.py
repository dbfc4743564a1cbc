"""Tables: where rules or clear columns leave no doubt, each line of a table gets its cell; any other table is loose."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from core.pdf.page import Line, Rectangle
from core.pdf.rules import EDGE, Rule, rules, stacks
from core.pdf.table_cells import Band, Bounds, Row, bounds_of, by_level, is_header, row_of, split

_THIN = 2.5  # points: a rule is at most so thick
_INSIDE = 20.0  # points: a rule that is longer than this and ends within a table parts merged cells
_WHOLE, _PART = 0.9, 0.15  # shares of the height: a rule between columns, and a stroke that is none
_WIDE = 0.7  # of the width between two rules: a longer line is running text
_MOST_WORDS, _USUAL_WORDS = 8, 4  # words of a cell without rules, at most and on average
_PITCH = 2.5  # of the size: rows without rules are at most this far apart
_LEAST_ROWS = 3  # the header and two rows: what a table without rules has at least
_FREE = 1.3  # of the size: columns without rules are at least so far apart
_PAIRING = re.compile(r"(?:column|list|set|group|part)\s*[-–]?\s*\(?(?:[ivx]{1,4}|[a-d]|\d)\)?", re.IGNORECASE)
"""The header of an exercise that wants its cells paired: a row of it says nothing."""

_BLANK = re.compile(r"[.…_?\s]+")
"""A cell that is for the pupils to fill."""


@dataclass(frozen=True, kw_only=True)
class Tables:
    """The lines of a page with the cells of its tables; where those lie that are read as rows, and the loose ones.

    frames: the loose ones that are drawn with thin rules, so that nothing else says where they lie.
    """

    lines: tuple[Line, ...]
    sure: tuple[Rectangle, ...] = ()
    loose: tuple[Rectangle, ...] = ()
    frames: tuple[Rectangle, ...] = ()


def tables(drawn: Sequence[Rectangle], lines: Sequence[Line]) -> Tables:
    """Read the tables of a page from what is drawn on it and from its lines."""
    level, upright = rules(drawn)
    kept, sure, loose = list(lines), [], []
    for stack in (part for whole in stacks(level) for part in _between_texts(whole, kept)):
        area = stack[0].start, stack[0].at - 1, stack[0].end, stack[-1].at + 1
        inside = [line for line in kept if line.cell is None and _is_within(line, area)]
        if not _is_table(stack, inside):
            continue
        rows = _ruled_rows(stack, level, upright, inside)
        (sure if rows else loose).append(area)
        if rows:
            kept = _with_cells(kept, inside, rows, len(sure) - 1)
    for rows in _clear_tables(kept, [*sure, *loose]):
        members = [line for row in rows for line in row.sources]
        sure.append(_around(members))
        kept = _with_cells(kept, members, rows, len(sure) - 1)
    frames = [area for area in loose if any(_spans(rule, area) for rule in drawn)]
    return Tables(lines=tuple(kept), sure=tuple(sure), loose=tuple(loose), frames=tuple(frames))


def _between_texts(stack: Sequence[Rule], lines: Sequence[Line]) -> Iterator[Sequence[Rule]]:
    """The runs of rules of several tables that stand one over the other: running text parts them."""
    start = 0
    for place, (above, below) in enumerate(pairwise(stack), 1):
        area = above.start, above.at, above.end, below.at
        if _is_running_text([line for line in lines if _is_within(line, area)], above.end - above.start):
            yield stack[start:place]
            start = place
    yield stack[start:]


def _is_running_text(lines: Sequence[Line], width: float) -> bool:
    """Do most lines between two rules go over most of their width, as no cell does?"""
    wide = sum(line.right - line.left > _WIDE * width for line in lines)
    return len(lines) > 1 and 2 * wide > len(lines)


def _spans(rule: Rectangle, area: Rectangle) -> bool:
    """Is a thin rule of the width of `area` drawn inside it?"""
    level = rule[3] - rule[1] <= _THIN and area[1] <= rule[1] and rule[3] <= area[3]
    return level and abs(rule[0] - area[0]) + abs(rule[2] - area[2]) <= 2 * EDGE


def _is_within(line: Line, area: Rectangle) -> bool:
    middle = (line.top + line.bottom) / 2
    return area[1] < middle < area[3] and area[0] - EDGE <= line.left and line.right <= area[2] + EDGE


def _is_table(stack: Sequence[Rule], inside: Sequence[Line]) -> bool:
    """Do most of the bands between the rules that hold text hold several cells?"""
    bands = [band for band in _bands(stack, inside) if band.lines]
    several = sum(max(n.left for n in b.lines) > min(n.right for n in b.lines) - EDGE for b in bands)
    return len(bands) > 1 and 2 * several > len(bands)


def _bands(stack: Sequence[Rule], inside: Sequence[Line]) -> list[Band]:
    """What stands between each rule and the next one."""
    return [
        Band(lines=tuple(n for n in inside if above.at < (n.top + n.bottom) / 2 <= below.at))
        for above, below in pairwise(stack)
    ]


def _ruled_rows(
    stack: Sequence[Rule], level: Sequence[Rule], upright: Sequence[Rule], inside: Sequence[Line]
) -> list[Row]:
    """The rows of a table with rules, the header first; none where any cell is in doubt."""
    bounds = _bounds(stack, level, upright, inside)
    bands = [band for band in _bands(stack, inside) if band.lines]
    if bounds is None:
        return []
    cut = [split(band, bounds) for band in bands]
    if not all(cut):
        return []
    header = row_of(cut[0], bounds, header=True)
    body = _body(cut[1:], bounds)
    return _certain(header, body, plain=len(bands) == 2) if header and body else []


def _bounds(
    stack: Sequence[Rule], level: Sequence[Rule], upright: Sequence[Rule], inside: Sequence[Line]
) -> Bounds | None:
    """The columns of a table with rules; None where rules that end inside it show that cells are merged."""
    left, right, top, bottom = stack[0].start, stack[0].end, stack[0].at, stack[-1].at
    between = [
        r for r in upright if left + EDGE < r.at < right - EDGE and r.start < bottom - EDGE and r.end > top + EDGE
    ]
    shares = [(min(r.end, bottom) - max(r.start, top)) / (bottom - top) for r in between]
    own = {rule.at for rule in stack}
    torn = any(
        top + EDGE < r.at < bottom - EDGE and r.at not in own and min(r.end, right) - max(r.start, left) > _INSIDE
        for r in level
    )
    if torn or any(_PART < share < _WHOLE for share in shares):
        return None
    edges = [rule.at for rule, share in zip(between, shares, strict=True) if share >= _WHOLE]
    return Bounds(edges=(left, *edges, right), ruled=True) if edges else bounds_of(inside)


def _body(bands: Sequence[Band], bounds: Bounds) -> list[Row]:
    """The rows below the header: one band each, or every level of the only band."""
    found: list[Row | None] = []
    for band in bands:
        levels = by_level(band.lines)
        if len(bands) == 1 and len(levels) > 1:
            found += [row_of(split(Band(lines=tuple(one)), bounds), bounds) for one in levels]
        else:
            found.append(row_of(band, bounds))
    return [row for row in found if row] if all(found) else []


def _certain(header: Row, body: Sequence[Row], *, plain: bool) -> list[Row]:
    """Header and rows where they are a table that tells something. plain: one rule parts the header from all rows."""
    said = [" ".join(line.text for line in cell) for cell in header.cells]
    if any(_PAIRING.fullmatch(text) for text in said) or not all(text or not n for n, text in enumerate(said)):
        return []
    body = [row for row in body if not _goes_on_only(row)]
    if any(not row.cells[0] or not any(row.cells[1:]) for row in body):
        return []
    if any(_BLANK.fullmatch(line.text) for row in body for cell in row.cells for line in cell):
        return []
    cells = sum(bool(cell) for row in body for cell in row.cells)
    mostly = 4 * cells >= 3 * len(body) * len(header.cells)  # others are for the pupils to fill
    return [header, *body] if body and mostly and is_header(header, body, plain=plain) else []


def _goes_on_only(row: Row) -> bool:
    """Does a row say nothing but that the table goes on: dots, and perhaps "etc."?"""
    texts = [line.text for cell in row.cells for line in cell]
    return all(not any(c.isalnum() for c in text) or text.lower() == "etc." for text in texts)


def _clear_tables(lines: Sequence[Line], taken: Sequence[Rectangle]) -> Iterator[list[Row]]:
    """Tables without rules: rows of one line a cell, under a header that is set in bold."""
    free = [n for n in lines if n.cell is None and not any(_is_within(n, area) for area in taken)]
    levels = by_level(free)
    place = 0
    while place < len(levels):
        end = place + 1
        while end < len(levels) and _is_next_row(levels[end - 1], levels[end]):
            end += 1
        if rows := _clear_rows(levels[place:end], levels[end] if end < len(levels) else []):
            yield rows
        place = end


def _is_next_row(above: Sequence[Line], row: Sequence[Line]) -> bool:
    apart = row[0].top - above[0].top
    return len(row) == len(above) > 1 and apart <= _PITCH * max(above[0].size, row[0].size)


def _clear_rows(levels: Sequence[Sequence[Line]], below: Sequence[Line]) -> list[Row]:
    """The rows of a table without rules; none where what stands below may belong to its last cells."""
    if len(levels) < _LEAST_ROWS or not all(line.bold for line in levels[0]):
        return []
    every = [line for level in levels for line in level]
    words = [len(line.words) for level in levels[1:] for line in level]
    if max(words) > _MOST_WORDS or sum(words) > _USUAL_WORDS * len(words) or _hangs(levels, below):
        return []
    bounds = bounds_of(every, _FREE)
    if bounds is None or len(bounds.edges) - 1 != len(levels[0]):
        return []
    rows = [row_of(split(Band(lines=tuple(level)), bounds), bounds) for level in levels]
    whole = [row for row in rows if row and all(row.cells)]
    return _certain(whole[0], whole[1:], plain=False) if len(whole) == len(levels) else []


def _hangs(levels: Sequence[Sequence[Line]], below: Sequence[Line]) -> bool:
    """Does a line stand so close below the last row that it may be a further line of a cell?"""
    last, pitch = levels[-1], levels[-1][0].top - levels[-2][0].top
    under = [n for n in below if n.left < last[-1].right and n.right > last[0].left]
    return any(n.top - last[0].top <= 1.1 * pitch for n in under)


def _around(lines: Sequence[Line]) -> Rectangle:
    return (
        min(n.left for n in lines), min(n.top for n in lines), max(n.right for n in lines), max(n.bottom for n in lines)
    )  # fmt: skip


def _with_cells(lines: Sequence[Line], members: Sequence[Line], rows: Sequence[Row], number: int) -> list[Line]:
    """`lines` with those of a table, row by row and cell by cell, where the first of them stood."""
    ids = {id(line) for line in members}
    table = [
        replace(line, cell=(number, row, column))
        for row, found in enumerate(rows)
        for column, cell in enumerate(found.cells)
        for line in cell
    ]
    first = next(n for n, line in enumerate(lines) if id(line) in ids)
    rest = [line for line in lines[first:] if id(line) not in ids]
    return [*lines[:first], *table, *rest]
