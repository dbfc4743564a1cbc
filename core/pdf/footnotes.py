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
    """Indices of the lines of one page that are footnotes: the lowest lines, of one size and close together, from the
    one that begins with a mark.
    """
    order = sorted(page, key=lambda pair: pair[1].top)
    for start in range(len(order) - 1, 0, -1):
        line, above, last = (order[n][1] for n in (start, start - 1, -1))
        below = order[start + 1][1] if line is not last else None
        is_close = below is None or (last.is_sized_like(line) and below.top - line.bottom < _NEAR * last.size)
        if line.kind not in ("prose", "label", "heading") or line.box is not None or not is_close:
            return []
        # Footnotes are smaller than the text, or separated from the line above them by a gap.
        smaller = line.size < _SMALLER * size and above.size > line.size / _SMALLER
        is_roomy = _SMALLER * line.size <= size and line.top - above.bottom > _ROOM * line.size
        if MARK.match(line.text) and (smaller or (is_roomy and _SIGN.match(line.text))):
            return [index for index, _ in order[start:]]
    return []
