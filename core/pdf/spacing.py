"""Where one word of a line ends and the next begins: the spaces of a file are often wrong."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from core.pdf.glyphs import Glyph

_SPACE = 0.2  # of the size: a gap that parts words, though no space stands in it
_STRAY, _OVERHANG = 0.04, -0.15  # a gap that does not, though one does; the letter before may lean over it
_LEANING = "fFTVWYPyvw"
_SPREAD = 5  # letters that a letter-spaced heading has at least


def parted(run: Sequence[Glyph], size: float) -> Iterator[Sequence[Glyph]]:
    """The letters of each word of a line of this size."""
    gaps = [after.left - before.right for before, after in pairwise(run)]
    usual, spread = _usual(gaps, run), _is_letter_spaced(run)
    start = 0
    for place, gap in enumerate(gaps, 1):
        if gap - usual > _least(run[place - 1], run[place], spread) * size:
            yield run[start:place]
            start = place
    yield run[start:]


def _least(before: Glyph, after: Glyph, spread: bool) -> float:
    """The gap that parts these two letters, as a share of the size."""
    if spread or not after.space:
        return _SPACE
    upright = before.text.isascii() and before.text not in _LEANING and not before.italic
    return _STRAY if upright else _OVERHANG


def _is_letter_spaced(run: Sequence[Glyph]) -> bool:
    """Letters with a space after most of them: a heading spread over the line, no words of one letter."""
    spaces = sum(letter.space for letter in run[1:])
    return 2 * spaces > len(run) >= _SPREAD and all(letter.text.isalpha() for letter in run)


def _usual(gaps: Sequence[float], run: Sequence[Glyph]) -> float:
    """The gap between two letters of one word: wide in a letter-spaced line, about nothing in others."""
    inside = [gap for gap, after in zip(gaps, run[1:], strict=True) if not after.space]
    if not gaps:
        return 0.0
    return max(0.0, median(inside if 2 * len(inside) > len(gaps) else gaps))
