"""Lines in the order in which a person reads them: columns one after another, boxes as a whole."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from core.pdf.boxes_and_tables import placed, row_edges, rows_of
from core.pdf.line_joining import capitals, joined, justified
from core.pdf.page import Line, Rectangle

_GUTTER = 0.6  # of a line's height: columns are at least this far apart
_COLUMN = 0.14  # of the width of what is parted: a narrower strip holds numbers or labels, and is no column
_LONG = 4  # lines: two blocks of so many side by side are no row
_TALL = 3  # lines that a column has at least
_WORDS = 12  # that a column has at least, two a line: figures under each other are a table's
_NEXT = 1.1  # of a line's height: the gap to the next line of the same block is at most this
_INDENT = 2.5  # of a line's height: the first line of a paragraph, a hanging number
_SHRINK = 2.0  # points by which rectangles may overlap and still stand apart


@dataclass(frozen=True)
class _Block:
    """Lines that follow each other in the file and on the page; a box is one block."""

    lines: tuple[Line, ...]
    rectangle: Rectangle


def ordered(lines: Sequence[Line], boxes: Sequence[Rectangle], rules: Sequence[Rectangle] = ()) -> tuple[Line, ...]:
    """`lines`, given as the file has them, in reading order, each with the largest of the `boxes` that holds it.

    rules: the horizontal rules of the page, which part the rows of its tables.
    """
    whole = capitals(lines)
    known = [replace(line, box=box) for line, box in zip(whole, placed(whole, boxes), strict=True)]
    blocks = [block for part in _grouped(justified(known), boxes, rules) for block in part]
    return tuple(_read(blocks))


def _grouped(lines: Sequence[Line], boxes: Sequence[Rectangle], rules: Sequence[Rectangle]) -> list[list[_Block]]:
    """Blocks of the page outside its boxes, and each box, ordered within itself, as one block."""
    found = [_blocks([line for line in lines if line.box is None])]
    for place, box in enumerate(boxes):
        inside = [line for line in lines if line.box == place]
        if inside:
            rows = rows_of(inside, row_edges(box, rules))
            found.append([_Block(tuple(_across(rows) if rows else _read(_blocks(inside))), box)])
    return found


def _read(blocks: list[_Block]) -> list[Line]:
    return [line for block in _cut(blocks) for line in block.lines]


def _across(rows: list[list[list[Line]]]) -> list[Line]:
    return [line for row in rows for cell in row for line in cell]


def _blocks(lines: Sequence[Line]) -> list[_Block]:
    runs: list[list[Line]] = []
    for line in lines:
        if runs and _continues(runs[-1][-1], line):
            runs[-1].append(line)
        else:
            runs.append([line])
    return [_block(run) for run in runs]


def _continues(before: Line, after: Line) -> bool:
    """Is `after` the next line under `before`, of the same size and in the same column?"""
    height = max(before.bottom - before.top, after.bottom - after.top)
    gap = after.top - before.bottom
    level = -0.5 * height < gap < _NEXT * height and 0.8 < after.size / before.size < 1.25
    return level and _aligned(before, after, _INDENT * height)


def _aligned(before: Line, after: Line, most: float) -> bool:
    """Do two lines share an edge or their middle, but for an indent of at most `most`?"""
    left, right = after.left - before.left, after.right - before.right
    overlap = min(before.right, after.right) - max(before.left, after.left)
    return overlap > 0 and (abs(left) <= most or abs(right) <= 1 or abs(left + right) <= 2)


def _block(lines: Sequence[Line]) -> _Block:
    left, top = min(line.left for line in lines), min(line.top for line in lines)
    right, bottom = max(line.right for line in lines), max(line.bottom for line in lines)
    return _Block(tuple(lines), (left, top, right, bottom))


def _cut(blocks: list[_Block]) -> list[_Block]:
    """`blocks` column by column where a gutter parts them, else from the top: as much as has columns at a time."""
    if len(blocks) < 2:
        return blocks
    columns = _columns(blocks)
    if columns:
        return [block for column in columns for block in _cut(column)]
    bands = _bands(blocks)
    if len(bands) == 1:
        return _rows(blocks)
    for count in range(len(bands) - 1, 1, -1):
        above = [block for band in bands[:count] for block in band]
        if _columns(above):
            return _cut(above) + _cut([block for band in bands[count:] for block in band])
    return _cut(bands[0]) + _cut([block for band in bands[1:] for block in band])


def _columns(blocks: list[_Block]) -> list[list[_Block]]:
    """`blocks` parted at every gutter, from left to right; [] where there is none."""
    parts = _parted(blocks, 0, _GUTTER * min(b.lines[0].bottom - b.lines[0].top for b in blocks))
    width = max(b.rectangle[2] for b in blocks) - min(b.rectangle[0] for b in blocks)
    return parts if len(parts) > 1 and all(_is_column(part, width) for part in parts) else []


def _is_column(part: list[_Block], width: float) -> bool:
    wide = max(b.rectangle[2] for b in part) - min(b.rectangle[0] for b in part)
    lines = [line for b in part for line in b.lines]
    words = sum(len(line.words) for line in lines)
    return wide >= _COLUMN * width and len(lines) >= _TALL and words >= max(_WORDS, 2 * len(lines))


def _bands(blocks: list[_Block]) -> list[list[_Block]]:
    """`blocks` parted wherever nothing stands across the width, from the top."""
    return _parted(blocks, 1, -_SHRINK)


def _parted(blocks: list[_Block], axis: int, least: float) -> list[list[_Block]]:
    """`blocks` in groups with at least `least` points between them along an axis: 0 across, 1 down."""
    found: list[list[_Block]] = []
    end = float("-inf")
    for block in sorted(blocks, key=lambda b: b.rectangle[axis]):
        if not found or block.rectangle[axis] - end >= least:
            found.append([])
        found[-1].append(block)
        end = max(end, block.rectangle[axis + 2])
    return found


def _rows(blocks: list[_Block]) -> list[_Block]:
    """Blocks that no straight cut parts: boxes and long ones as the file has them, those between row by row."""
    alone = sum(map(_is_long, blocks)) > 1
    found: list[_Block] = []
    for whole, group in groupby(blocks, key=lambda b: b.lines[0].box is not None or (alone and _is_long(b))):
        part = list(group)
        found += part if whole else [_block(joined([line for block in part for line in block.lines]))]
    return found


def _is_long(block: _Block) -> bool:
    return len(block.lines) >= _LONG
