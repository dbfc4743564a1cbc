"""Pieces of lines side by side again: fractions, indices, cells, words spread over a column, large first letters."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from core.pdf.page import Line, Word

_NEAR = 0.85
"""Of a row's height: the middle of a piece is at most this far above or below the middle of its row."""
_TERM = 12
"""Letters: what stands over or under the bar of a fraction is at most this long."""
_ALIKE = 0.9
_EVEN_PIECES = 3
_WIDEST = 2.5  # of the size: the gap between two words of a justified line
_LARGER = 1.4
"""Times the size of the text beside it."""


def joined(lines: Sequence[Line]) -> tuple[Line, ...]:
    """`lines`, which stand in one column, as rows from top to bottom; a row begins with its widest piece."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.left - line.right):
        row = next((row for row in rows if _belongs(line, row)), None)
        if row is None:
            rows.append([line])
        else:
            row.append(line)
    return tuple(_row(row) for row in sorted(rows, key=lambda row: (row[0].top, row[0].left)))


def _belongs(line: Line, row: Sequence[Line]) -> bool:
    """Does `line` stand beside the pieces of a row, or over or under one that stands so: a fraction?"""
    first = row[0]
    if len(line.text) > _TERM and line.size < _ALIKE * first.size:
        return False
    apart = abs(line.top + line.bottom - first.top - first.bottom) / 2
    if apart > _NEAR * (first.bottom - first.top):
        return False
    return all(_beside(line, piece) or (piece is not first and not _level(line, piece)) for piece in row)


def _beside(one: Line, other: Line) -> bool:
    return one.right <= other.left + 1 or other.right <= one.left + 1


def _level(one: Line, other: Line) -> bool:
    """Do the two overlap in height by half of the lower one?"""
    shared = min(one.bottom, other.bottom) - max(one.top, other.top)
    return shared > 0.5 * min(one.bottom - one.top, other.bottom - other.top)


def _row(pieces: list[Line]) -> Line:
    """The words of all pieces from left to right; what stands one over the other with a bar between."""
    stacks: list[list[Line]] = []
    for piece in sorted(pieces, key=lambda piece: piece.left):
        if stacks and not all(_beside(piece, other) for other in stacks[-1]):
            stacks[-1].append(piece)
        else:
            stacks.append([piece])
    return replace(pieces[0], words=tuple(word for stack in stacks for word in _stacked(stack)))


def _stacked(stack: list[Line]) -> tuple[Word, ...]:
    if len(stack) == 1:
        return stack[0].words
    upper, *lower = sorted(stack, key=lambda piece: piece.top)
    if max(len(piece.text) for piece in stack) > _TERM:
        return tuple(word for piece in (upper, *lower) for word in piece.words)
    return upper.words + tuple(w for piece in lower for w in (_bar(upper), *piece.words))


def _bar(above: Line) -> Word:
    return Word(text="/", left=above.left, right=above.right)


def justified(lines: Sequence[Line]) -> tuple[Line, ...]:
    """`lines`, where words that are spread evenly over the width of a column are one line again."""
    found: list[Line] = []
    taken: set[int] = set()
    for place, line in enumerate(lines):
        if place not in taken:
            run = _spread(place, lines)
            taken.update(run)
            found.append(replace(line, words=tuple(word for n in run for word in lines[n].words)))
    return tuple(found)


def _spread(place: int, lines: Sequence[Line]) -> list[int]:
    """Places of the lines that stand in a row with this one at even gaps, three at least; else only this one."""
    first = lines[place]
    level = sorted(
        (n for n, other in enumerate(lines) if abs(other.bottom - first.bottom) <= 1 and other.box == first.box),
        key=lambda n: lines[n].left,
    )
    run = [level[level.index(place)]]
    for step in (1, -1):
        for n in level[level.index(place) + step :: step] if level.index(place) + step >= 0 else ():
            ends = [*run, n] if step > 0 else [n, *run]
            if not _is_even([lines[m] for m in ends]):
                break
            run = ends
    return run if len(run) >= _EVEN_PIECES else [place]


def _is_even(pieces: Sequence[Line]) -> bool:
    gaps = [after.left - before.right for before, after in pairwise(pieces)]
    return min(gaps) > 0 and max(gaps) <= min(_WIDEST * pieces[0].size, 1.15 * min(gaps))


def capitals(lines: Sequence[Line]) -> tuple[Line, ...]:
    """`lines` without letters that stand alone and large before a word that wants one, which has it now."""
    found = list(lines)
    for letter in [line for line in lines if len(line.text) == 1 and line.text.isupper()]:
        home = next((n for n, line in enumerate(found) if _is_begun(line, letter)), None)
        if home is not None:
            first, *rest = found[home].words
            whole = Word(text=letter.text + first.text, left=letter.left, right=first.right)
            found[home] = replace(found[home], words=(whole, *rest))
            found.remove(letter)
    return tuple(found)


def _is_begun(line: Line, letter: Line) -> bool:
    """Does `letter` stand right before the first word of `line`, higher than it, or hanging down beside it?"""
    close = -0.2 * letter.size < line.left - letter.right < line.size
    level = letter.top - line.size < (line.top + line.bottom) / 2 < letter.bottom
    return close and level and letter.size > _LARGER * line.size and line.text[:1].islower()
