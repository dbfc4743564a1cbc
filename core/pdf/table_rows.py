"""Turns the rows of a table into sentences, such as "Clock Tower, height: 62 m, built in: 1880"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from core.pdf.line_types import TypedLine
from core.pdf.paragraphs import Part
from core.pdf.tables import NUMBER
from core.pdf.text_blocks import Block, block
from core.text.lists import without_list_marker
from core.text.quantities import quantities

_UNIT = re.compile(r"(\S.{0,80}?)\s*(?:\((?:in\s+)?([^()]{1,30})\)|,?\s\bin\s([^\s()]{1,12}))")
_MARKS = ".!?:;, "


class Piece(NamedTuple):
    """A part of the text of a cell, from `start` to `end`. after: the text that follows it in the sentence. head: True
    for a header.
    """

    source: Block
    start: int
    end: int
    after: str
    head: bool = False


def row_blocks(part: Part, known_words: frozenset[str]) -> Iterator[Block]:
    """Yield one sentence for each row below the header. known_words: the whole words of the document.

    The first cell names the row. Before each other cell is its header, and after it the unit that the header gives.
    """
    rows = [_cells(list(row), known_words) for _, row in groupby(part.lines, key=lambda n: (n.cell or (0, 0, 0))[1])]
    for row in rows[1:]:
        yield _sentence(rows[0], row)


def _cells(lines: Sequence[TypedLine], known_words: frozenset[str]) -> dict[int, Block]:
    """The text of each cell of a row, by column."""
    cells = {}
    for column, group in groupby(lines, key=lambda n: (n.cell or (0, 0, 0))[2]):
        cell = tuple(group)
        text = block(Part(kind="row", lines=cell), known_words)
        # The lines of a cell need not be consecutive in the file, which may write a table line by line.
        is_torn = any(block(Part(kind="row", lines=(line,)), known_words).torn for line in cell)
        cells[column] = text if is_torn else replace(text, torn=())
    return cells


def _sentence(header: dict[int, Block], row: dict[int, Block]) -> Block:
    """Build the sentence of one row."""
    name = row[0]
    pieces = [Piece(name, 0, _end(name.text), ", ")]
    needs_header = not any(c.isalpha() for c in name.text) or without_list_marker(name.text) != name.text
    if 0 in header and needs_header:  # "Year: 1951" rather than "1951"
        pieces.insert(0, Piece(header[0], 0, len(header[0].text), ": "))
    for column, cell in row.items():
        if column and any(c.isalnum() for c in cell.text):
            pieces += _cell(header[column], cell)
    return _join([*pieces[:-1], pieces[-1]._replace(after=".")])


def _cell(header: Block, cell: Block) -> list[Piece]:
    """Header and value of a cell. If the value is only a number, the unit in the header comes after it: "Height (m)"
    and 62 give "height: 62 m".
    """
    header_with_unit = _UNIT.fullmatch(header.text)
    unit = header_with_unit.span(2 if header_with_unit[2] else 3) if header_with_unit else (0, 0)
    if (
        not header_with_unit
        or not NUMBER.fullmatch(cell.text)
        or cell.text.endswith("%")  # which is its unit
        # what is no unit makes no quantity with a number before it
        or not any(quantity.unit for quantity in quantities(f"1 {header.text[slice(*unit)]}"))
    ):
        return [Piece(header, 0, len(header.text), ": ", head=True), Piece(cell, 0, _end(cell.text), ", ")]
    return [
        Piece(header, 0, header_with_unit.end(1), ": ", head=True),
        Piece(cell, 0, len(cell.text), " "),
        Piece(header, *unit, ", "),
    ]


def _end(text: str) -> int:
    """Length of a text without the marks at its end."""
    return len(text.rstrip(_MARKS)) or len(text)


def _lower_first(head: str) -> str:
    """A header as it is written within a sentence: with a small first letter, unless it is a name, an abbreviation or a
    sign.
    """
    first, *rest = head.split()
    is_plain = len(first) > 1 and first[:1].isupper() and first[1:].islower() and not any(o[0].isupper() for o in rest)
    return head[0].lower() + head[1:] if is_plain else head


def _join(pieces: Sequence[Piece]) -> Block:
    """Join the pieces into one block. Each word keeps its position on the page, also those of the header."""
    text, starts, rects, torn = "", [], [], []
    for piece in pieces:
        source, piece_text = piece.source, piece.source.text[piece.start : piece.end]
        whole = source.is_whole(0, len(source.text))
        for start, rect in zip(source.starts, source.rects, strict=True):
            if piece.start <= start < piece.end:
                torn += [] if whole else [len(starts)]
                starts.append(len(text) + start - piece.start)
                rects.append(rect)
        text += (_lower_first(piece_text) if piece.head else piece_text) + piece.after
    return Block(kind="row", text=text, starts=tuple(starts), rects=tuple(rects), torn=tuple(torn))
