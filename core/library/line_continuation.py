"""Where two lines meet: whether the second goes on where the first ends, as a reader of the page would."""

import re

from core.library.line_types import Placed
from core.pdf.page import Line

_SAME_SIZE = 0.85  # of the larger: less is another text
_PIECE = 12  # letters: part of a formula, which may be small
_LEVEL, _UNDER = 0.2, 0.75  # of the height: middles of one row are nearer, of two rows farther apart
_GAP = 1.0  # of the size: the gap to the next line of the same text is smaller
_DISPLAY = 2.5  # of the size: and that to a formula or an item that a sentence left open goes on with
_GUTTER, _WORDS = 1.5, 4  # of the size: columns are farther apart; words that a line of one has at least
_INDENT = 2.5  # of the size: the first line of a paragraph, a hanging number
_OPEN = re.compile(r"[^.!?।:;\"'”’)\]]$")


def is_torn(line: Placed, after: Placed) -> bool:
    """Does `after`, the next line in the file, not stand where the text of `line` goes on?

    It goes on to the right, on the line below, at the top of a column to the right, or on the next page; and below a
    picture, where a sentence is left open.
    """
    if line.kind in ("label", "heading"):
        return False
    if line.page is not after.page:
        return after.page.number != line.page.number + 1 or not _same_size(line.line, after.line)
    one, other = line.line, after.line
    if not _same_size(one, other):
        return True
    size, apart = max(one.size, other.size), _middle(other) - _middle(one)
    if abs(apart) < _UNDER * size:
        return other.left < one.right - size or (line.kind == "prose" and _is_next_column(one, other, size))
    if apart < 0:
        return other.left < one.right - size
    opened = bool(_OPEN.search(one.text))
    if other.right <= one.left or (one.right <= other.left and not opened):
        return True
    room = _DISPLAY if opened else _GAP
    return other.top - one.bottom >= room * size and not (opened and _goes_on(one, other))


def is_skewed(one: Line, other: Line) -> bool:
    """Do two pieces stand beside each other at heights that are neither one row nor two, as in a fraction?"""
    return _LEVEL < abs(_middle(one) - _middle(other)) / max(one.size, other.size) < _UNDER


def _same_size(one: Line, other: Line) -> bool:
    piece = min(len(one.text), len(other.text)) <= _PIECE
    return piece or min(one.size, other.size) >= _SAME_SIZE * max(one.size, other.size)


def _is_next_column(one: Line, other: Line, size: float) -> bool:
    """Are these lines of two columns at one height? Cells of a table that has no rules are short."""
    return other.left - one.right > _GUTTER * size and min(len(one.words), len(other.words)) >= _WORDS


def _goes_on(one: Line, other: Line) -> bool:
    return abs(one.left - other.left) <= _INDENT * one.size and other.text[:1].islower()


def _middle(line: Line) -> float:
    return (line.top + line.bottom) / 2
