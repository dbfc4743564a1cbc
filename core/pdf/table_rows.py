"""The rows of a table as sentences: "Clock Tower, height: 62 m, built in: 1880."."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from core.pdf.line_types import Placed
from core.pdf.paragraphs import Part
from core.pdf.text_blocks import Block, block
from core.text.lists import without_list_marker
from core.text.quantities import quantities

_UNIT = re.compile(r"(\S.{0,80}?)\s*(?:\((?:in\s+)?([^()]{1,30})\)|,?\s\bin\s([^\s()]{1,12}))")
_NUMBER = re.compile(r"[-+−–]?[\d.,/×^⁰¹²³⁴⁵⁶⁷⁸⁹⁻ ]*\d[\d.,/⁰¹²³⁴⁵⁶⁷⁸⁹⁻]*")
_MARKS = ".!?:;, "


class Piece(NamedTuple):
    """A part of the text of a cell, and what stands behind it in the sentence. head: it names what comes next."""

    source: Block
    start: int
    end: int
    after: str
    head: bool = False


def row_blocks(part: Part, known: frozenset[str]) -> Iterator[Block]:
    """A sentence for each row of a table under its header; known: the whole words of the document.

    The first cell names the row; each further cell stands behind its header, with the unit that the header gives.
    """
    rows = [_cells(list(row), known) for _, row in groupby(part.lines, key=lambda n: (n.line.cell or (0, 0, 0))[1])]
    for row in rows[1:]:
        yield _sentence(rows[0], row)


def _cells(lines: Sequence[Placed], known: frozenset[str]) -> dict[int, Block]:
    """The text of each cell of a row, by its column."""
    return {
        column: _cell_text(tuple(cell), known)
        for column, cell in groupby(lines, key=lambda n: (n.line.cell or (0, 0, 0))[2])
    }


def _cell_text(cell: tuple[Placed, ...], known: frozenset[str]) -> Block:
    """The text of one cell. Its lines need not follow each other in the file, which may write a table line by line."""
    text = block(Part(kind="row", lines=cell), known)
    torn = any(block(Part(kind="row", lines=(line,)), known).torn for line in cell)
    return text if torn else replace(text, torn=())


def _sentence(header: dict[int, Block], row: dict[int, Block]) -> Block:
    name = row[0]
    pieces = [Piece(name, 0, _end(name.text), ", ")]
    bare = not any(c.isalpha() for c in name.text) or without_list_marker(name.text) != name.text
    if 0 in header and bare:  # "Year: 1951" says more than "1951"
        pieces.insert(0, Piece(header[0], 0, len(header[0].text), ": "))
    for column, cell in row.items():
        if column and any(c.isalnum() for c in cell.text):
            pieces += _cell(header[column], cell)
    return _joined([*pieces[:-1], pieces[-1]._replace(after=".")])


def _cell(header: Block, cell: Block) -> list[Piece]:
    """Header and value; the unit of the header stands behind a value that is a number alone: "Height (m)" and "62"."""
    found = _UNIT.fullmatch(header.text)
    unit = found.span(2 if found[2] else 3) if found else (0, 0)
    if not found or not _NUMBER.fullmatch(cell.text) or not _is_unit(header.text[slice(*unit)]):
        return [Piece(header, 0, len(header.text), ": ", head=True), Piece(cell, 0, _end(cell.text), ", ")]
    return [
        Piece(header, 0, found.end(1), ": ", head=True),
        Piece(cell, 0, len(cell.text), " "),
        Piece(header, *unit, ", "),
    ]


def _end(text: str) -> int:
    """The length of a text without the marks at its end."""
    return len(text.rstrip(_MARKS)) or len(text)


def _is_unit(text: str) -> bool:
    """Does a text behind a number make it a quantity with a unit?"""
    return any(one.unit for one in quantities(f"1 {text}"))


def _small(head: str) -> str:
    """A header within a sentence: with a small letter, unless it is a name, an abbreviation or a sign."""
    first, *others = head.split()
    plain = len(first) > 1 and first[:1].isupper() and first[1:].islower() and not any(o[0].isupper() for o in others)
    return head[0].lower() + head[1:] if plain else head


def _joined(pieces: Sequence[Piece]) -> Block:
    """One block of the pieces; each word keeps its place on the page, those of the header too."""
    text, starts, places, torn = "", [], [], []
    for piece in pieces:
        source, shown = piece.source, piece.source.text[piece.start : piece.end]
        whole = source.is_whole(0, len(source.text))
        for start, place in zip(source.starts, source.places, strict=True):
            if piece.start <= start < piece.end:
                torn += [] if whole else [len(starts)]
                starts.append(len(text) + start - piece.start)
                places.append(place)
        text += (_small(shown) if piece.head else shown) + piece.after
    return Block(kind="row", text=text, starts=tuple(starts), places=tuple(places), torn=tuple(torn))
