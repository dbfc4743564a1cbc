"""Finds footnotes: lines at the bottom of a page that begin with a sign such as * or with a number, and are separate
from the text above.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from core.pdf.line_types import TypedLine

MARK = re.compile(r"(?:[*†‡§]{1,3}|[¹²³⁴-⁹⁰]{1,3})\s?\S|\d{1,2}\s[^\W\d_]")
"""The mark or number with which a footnote begins."""
_SIGN = re.compile(r"[*†‡§¹²³⁴-⁹⁰]")
_SMALLER = 0.94  # times the size of the text: a footnote is smaller
_ROOM = 0.8  # of the font size: smallest gap above a footnote that is as large as the text
_NEAR = 0.8  # of the font size: lines of footnotes are closer to each other


def mark_footnotes(lines: Sequence[TypedLine], size: float) -> list[TypedLine]:
    """Return `lines` with kind "footnote" for the footnotes of each page. size: of the running text (points)."""
    result = list(lines)
    numbered = enumerate(lines)
    for _, page in groupby(numbered, key=lambda pair: id(pair[1].page)):
        for index in _foot(list(page), size):
            result[index] = replace(result[index], kind="footnote")
    return result


def _foot(page: Sequence[tuple[int, TypedLine]], size: float) -> list[int]:
    """Indices of the lines of one page that are footnotes."""
    order = sorted(page, key=lambda pair: pair[1].top)
    start = len(order)
    while start and _may_be_foot(order[start - 1][1]) and _is_close(order, start):
        start -= 1
        # Footnotes are smaller than the text, or separated from the line above them by a gap.
        above = order[start - 1][1]
        line = order[start][1]
        smaller = line.size < _SMALLER * size and above.size > line.size / _SMALLER
        is_roomy = _SMALLER * line.size <= size and line.top - above.bottom > _ROOM * line.size
        is_apart = smaller or (is_roomy and bool(_SIGN.match(line.text)))
        if start and MARK.match(line.text) and is_apart:
            return [index for index, _ in order[start:]]
    return []


def _may_be_foot(line: TypedLine) -> bool:
    return line.kind in ("prose", "label", "heading") and line.box is None


def _is_close(order: Sequence[tuple[int, TypedLine]], start: int) -> bool:
    """True if the line before index `start` belongs to the footnotes: it has the size of the page's last line and lies
    close above the line at `start`.
    """
    if start == len(order):
        return True
    line, after, last = (order[n][1] for n in (start - 1, start, -1))
    return last.is_sized_like(line) and after.top - line.bottom < _NEAR * last.size
