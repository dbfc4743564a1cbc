"""Reads the short rules that are drawn in running text: a minus before a number, the bar of a fraction of numbers, and
a line through words, which strikes them out.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from core.pdf.glyphs import Glyph
from core.pdf.page import Rectangle

_THIN, _MOST = 2.5, 500  # points: largest thickness of a rule; a page with more rules than this shows a picture
_NEAR, _WIDEST_MINUS = 40.0, 40.0  # points: farthest baseline of a letter that a rule concerns; longest minus
# Shares of the font size. Height of a line through letters and of a minus above the baseline:
_THROUGH, _MINUS = (0.12, 0.45), (0.15, 0.45)
_OVERHANG = 0.6  # by which a line through words may be longer than the words
_MINUS_WIDTHS, _BESIDE = (0.3, 1.0), 1.2  # widths of a minus; largest gap to the text beside it
_ABOVE, _BELOW = (-0.1, 1.0), (0.4, 1.5)  # from the bar of a fraction to the baselines above and below it
_NUMBER = frozenset("0123456789.,")


def with_drawn_signs(letters: Sequence[Glyph], paths: Sequence[Rectangle]) -> tuple[list[Glyph], int]:
    """Return the letters, in file order, with each drawn minus and fraction as letters and without struck-out words;
    and the number of letters that were struck out. paths: bounds of what is drawn.
    """
    rules = [path for path in paths if path[3] - path[1] <= _THIN and path[2] > path[0]]
    if not letters or not rules or len(rules) > _MOST:
        return list(letters), 0
    by_baseline = sorted(range(len(letters)), key=lambda index: letters[index].baseline)
    baselines = [letters[index].baseline for index in by_baseline]
    struck: set[int] = set()
    moved: dict[int, list[Glyph]] = {}  # index of a letter -> the letters in its place
    for left, top, right, bottom in rules:
        y = (top + bottom) / 2
        near = by_baseline[bisect_left(baselines, y - _NEAR) : bisect_right(baselines, y + _NEAR)]
        over = {
            n: letters[n] for n in sorted(near) if left - 1 <= (letters[n].left + letters[n].right) / 2 <= right + 1
        }
        apart = {n: letters[n] for n in near if n not in over}
        if through := [n for n, g in over.items() if _is_at(g, y, _THROUGH)]:
            struck.update(through if _strikes([letters[n] for n in through], left, right) else ())
        elif over and (fraction := _fraction(apart, over, (left, right, y))):
            moved |= fraction
        elif not any(abs(g.baseline - y) < 1.2 * g.size for g in over.values()):
            moved |= _minus(apart, (left, right, y))
    if not struck and not moved:
        return list(letters), 0
    kept = (g for n, letter in enumerate(letters) if n not in struck for g in moved.get(n, [letter]))
    return [letter._replace(order=order) for order, letter in enumerate(kept)], len(struck)


def _is_at(letter: Glyph, y: float, heights: tuple[float, float]) -> bool:
    return heights[0] * letter.size < letter.baseline - y < heights[1] * letter.size


def _strikes(through: Sequence[Glyph], left: float, right: float) -> bool:
    """True if a rule through these letters is as long as they are, unlike a line of a drawing."""
    slack = _OVERHANG * through[0].size
    is_as_long = min(g.left for g in through) - left < slack and right - max(g.right for g in through) < slack
    return is_as_long and sum(g.text.isalnum() for g in through) > 1


def _beside(apart: dict[int, Glyph], rule: tuple[float, float, float]) -> Iterator[tuple[int, Glyph]]:
    """Yield the letters of the line in whose middle height the rule is, right before it and right after it."""
    left, right, y = rule
    line = [(n, g) for n, g in apart.items() if _is_at(g, y, _MINUS)]
    before = [(n, g) for n, g in line if -0.1 * g.size <= left - g.right <= _BESIDE * g.size]
    after = [(n, g) for n, g in line if -0.1 * g.size <= g.left - right <= _BESIDE * g.size]
    yield from (max(before, key=lambda pair: pair[1].right),) if before else ()
    yield from (min(after, key=lambda pair: pair[1].left),) if after else ()


def _minus(apart: dict[int, Glyph], rule: tuple[float, float, float]) -> dict[int, list[Glyph]]:
    """A minus in front of a number in running text; tick marks at an axis have no text before them."""
    left, right, _ = rule
    if right - left > _WIDEST_MINUS:
        return {}
    sides = list(_beside(apart, rule))
    if len(sides) < 2 or not sides[1][1].text.isdigit():
        return {}
    index, digit = sides[1]
    if not _MINUS_WIDTHS[0] * digit.size <= right - left <= _MINUS_WIDTHS[1] * digit.size:
        return {}
    return {index: [digit._replace(text="−", left=left, right=digit.left, space=True), digit._replace(space=False)]}


def _fraction(
    apart: dict[int, Glyph], over: dict[int, Glyph], rule: tuple[float, float, float]
) -> dict[int, list[Glyph]]:
    """A fraction of two numbers in running text, written in one line: 3/4. over, apart: the letters above and below the
    rule, and those beside it.
    """
    left, right, y = rule
    above = {n: g for n, g in over.items() if _ABOVE[0] * g.size <= y - g.baseline <= _ABOVE[1] * g.size}
    below = {n: g for n, g in over.items() if _BELOW[0] * g.size <= g.baseline - y <= _BELOW[1] * g.size}
    if not above or not below or not all(g.text in _NUMBER for g in (*above.values(), *below.values())):
        return {}
    beside = list(_beside(apart, rule))
    if not beside:
        return {}
    line = beside[0][1]
    bar = line._replace(text="/", space=False, font=next(iter(above.values())).font)
    signs = [*sorted(above.values(), key=lambda g: g.left), bar, *sorted(below.values(), key=lambda g: g.left)]
    step = (right - left) / len(signs)
    placed = [
        line._replace(text=g.text, left=left + n * step, right=left + (n + 1) * step, space=not n, font=g.font)
        for n, g in enumerate(signs)
    ]
    return {n: [] for n in (*above, *below)} | {min(above): placed}
