"""Pieces fill columns from the top; where they break follows from what must stay together. All in points."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from data.sample.pieces import Piece

Placed = tuple[Piece, float]
"""A piece and its top, measured from the top of its column."""


class Group(NamedTuple):
    """The pieces of a block, with those of a heading above it. `opens`: it begins a section.

    What `floats` may wait for the next column while later text fills this one.
    """

    pieces: list[Piece]
    floats: bool = False
    opens: bool = False


class Columns:
    """Columns one after the other; `height` says how tall each of them is, counted from 0."""

    def __init__(self, height: Callable[[int], float]) -> None:
        self.filled: list[list[Placed]] = [[]]
        self._height = height

    def takes(self, pieces: Iterable[Piece]) -> bool:
        """Is there room for all of them in the present column?"""
        before, end = self._last()
        for piece in pieces:
            end += space(before, piece) + piece.height
            before = piece
        return end + _pad(before) <= self._height(len(self.filled) - 1)

    def add(self, pieces: list[Piece]) -> None:
        """Place them, in the next column where this one has no room; what is taller than a column is broken."""
        for chain in chains(pieces):
            if not self.takes(chain):
                self.turn()
            for piece in chain:
                if not self.takes([piece]):
                    self.turn()
                before, end = self._last()
                self.filled[-1].append((piece, end + space(before, piece)))

    def turn(self) -> None:
        """Go to the next column, unless this one is still empty."""
        if self.filled[-1]:
            self.filled.append([])

    def _last(self) -> tuple[Piece | None, float]:
        """The last piece of the present column and where it ends."""
        if not self.filled[-1]:
            return None, 0.0
        piece, top = self.filled[-1][-1]
        return piece, top + piece.height


def filled(groups: Iterable[Group], height: Callable[[int], float]) -> list[list[Placed]]:
    """The columns of a chapter. A figure or table without room waits, while whole blocks of its section fit."""
    columns = Columns(height)
    waiting: list[Group] = []
    for group in groups:
        fits = columns.takes(group.pieces)
        if group.floats and (waiting or not fits):
            waiting.append(group)
            continue
        if waiting and (group.opens or not fits):
            _release(waiting, columns)
        columns.add(group.pieces)
    _release(waiting, columns)
    return columns.filled


def _release(waiting: list[Group], columns: Columns) -> None:
    if waiting:
        columns.turn()
    for group in waiting:
        columns.add(group.pieces)
    waiting.clear()


def chains(pieces: Iterable[Piece]) -> list[list[Piece]]:
    """The pieces in runs that no break should divide."""
    found: list[list[Piece]] = [[]]
    for piece in pieces:
        found[-1].append(piece)
        if not piece.keeps:
            found.append([])
    return [chain for chain in found if chain]


def space(before: Piece | None, piece: Piece) -> float:
    """What parts a piece from the one before it; at the top of a column, only the inside of a box."""
    apart = max(before.below, piece.above) if before else 0.0
    if before and before.box is piece.box:
        return apart
    return apart + _pad(before) + _pad(piece)


def _pad(piece: Piece | None) -> float:
    return piece.box.pad if piece and piece.box else 0.0
