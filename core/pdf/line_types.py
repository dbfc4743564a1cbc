"""Classifies each line of a document: heading, prose, caption, label, footnote, or part of a box or of a table row."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from core.pdf.page import BULLET, Line, Page, groups

FLOATS = frozenset({"box", "caption", "label", "row", "footnote"})
"""Kinds of lines that are no part of the running text and may interrupt it."""

ITEM = re.compile(rf"[{BULLET}▪●○■□➢✓]\s|\(?(?:\d{{1,2}}|[a-z]|[ivx]{{1,4}})[.)]\s")
"""The start of a list item."""

END_MARK = re.compile(r"[.!?:;,।–—-][\"'”’)\]]*$")
"""A punctuation mark at the end of a line: what is before it is complete, so that no heading and no open sentence ends
so.
"""
STARTS = re.compile(r"[\"'“‘(\[]?(?:[A-Z]|\d+[.)]\s|[ivxa-e]{1,4}\)\s)")
"""The start of a line that begins a new sentence or item."""

_NUMBERED = re.compile(r"\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+[A-Z]")
_CAPTION = re.compile(r"(?:Fig(?:ure)?|Table|Plate|Map|Chart|Graph)s?\.?\s*\d+(?:\.\d+)*", re.IGNORECASE)
_CAPTION_ENDS = re.compile(r"\s*(?:\([a-z]\))?\s*(?:[:–—]|$)")
_SPEAKS = re.compile(r"\s*[a-z]")  # a sentence about a figure, not its caption: "Figure 2.1 shows"
_WORD, _EQUATION = re.compile(r"[^\W\d_]{3,}"), re.compile(r"[=→⇌∫∑]")
_ITEM_NUMBER = re.compile(r"\(?(?:[\d.]{1,6}|[a-z][.)]|[ivx]{1,4}[.)])\)?")
_HANGING, _STACKED, _WIDE_PIECE = 4, 1.6, 6  # of the font size: gap after a number; offsets of pieces of a formula
_LARGER, _SMALLER = 1.12, 0.94  # times the size of the running text
_NEXT, _CAPTION_GAP = 0.65, 0.8
"""Largest gap between lines of one paragraph, also with one and a half line spacing, and of one caption; of the font
size.
"""
FOOTNOTE_MARK = re.compile(r"(?:[*†‡§]{1,3}|[¹²³⁴-⁹⁰]{1,3})\s?\S|\d{1,2}\s[^\W\d_]")
"""The mark or number with which a footnote begins."""
_SIGN = re.compile(r"[*†‡§¹²³⁴-⁹⁰]")
_ROOM = 0.8  # of the font size: smallest gap above a footnote that is as large as the text
_NEAR = 0.8  # of the font size: lines of footnotes are closer to each other
_HEADING_WORDS, _HEADING_LINES = 14, 3
_LABEL_WORDS = 5
_BODY_WORDS = 4  # a line with fewer words does not count for the size of the running text


@dataclass(frozen=True, kw_only=True)
class TypedLine(Line):
    """A line on its page with its kind: heading, prose, caption, label, footnote, box or row."""

    page: Page
    kind: str

    @property
    def page_box(self) -> tuple[int, int] | None:
        """(page number, box index) of the box that holds the line, or None."""
        return None if self.box is None else (self.page.number, self.box)

    def is_beside(self, other: "TypedLine") -> bool:
        """True if both lines are in one box, or outside the boxes of one page."""
        return self.page is other.page and self.box == other.box


def typed_lines(pages: Sequence[Page]) -> list[TypedLine]:
    """Return every line in order with its kind."""
    size = body_size(pages)
    lines = [TypedLine(**vars(line), page=page, kind=_kind(line, size)) for page in pages for line in page.lines]
    # Labels are prose if they are lines of a paragraph, or pieces of a formula in a paragraph.
    lines = [
        replace(line, kind="prose") if line.kind == "label" and any(n.kind == "prose" for n in group) else line
        for group in groups(lines, lambda before, after: is_next(before, after) or _is_piece(before, after))
        for line in group
    ]
    lines = _join_titles_to_next_line(list(_extend_captions(_limit_headings(lines))))
    for _, numbered in groupby(enumerate(lines), key=lambda pair: id(pair[1].page)):
        for index in _foot(list(numbered), size):
            lines[index] = replace(lines[index], kind="footnote")
    return lines


def body_size(pages: Sequence[Page]) -> float:
    """The size in which most letters of the running text are set (points); 0 for a document without lines."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for line in page.lines:
            if len(line.words) >= _BODY_WORDS:
                sizes[round(2 * line.size) / 2] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def is_heading_style(line: Line, size: float) -> bool:
    """True if a line looks like a heading: bold or large, short, with letters, and without a punctuation mark at its
    end. size: of the running text (points).
    """
    short = len(line.words) <= _HEADING_WORDS and not END_MARK.search(line.text)
    has_words = bool(_WORD.search(line.text)) and not _EQUATION.search(line.text)
    return short and has_words and (line.bold or line.size >= _LARGER * size)


def is_caption(line: Line, size: float) -> bool:
    """True if a line begins with the number of a figure or table, and is not a sentence about it."""
    number = _CAPTION.match(line.text)
    if not number:
        return False
    has_own_style = line.size < _SMALLER * size or line.italic or line.bold
    is_title = has_own_style and not _SPEAKS.match(line.text, number.end())
    return is_title or bool(_CAPTION_ENDS.match(line.text, number.end()))


def _kind(line: Line, size: float) -> str:
    """The kind of a line by itself. size: of the running text (points)."""
    if line.cell is not None:
        return "row"
    if is_caption(line, size):
        return "caption"
    if line.box is not None:
        return "box"
    if is_heading_style(line, size):
        return "heading"
    # A label of a picture is a few small words that end no sentence and begin no list item.
    small = line.size < _SMALLER * size and len(line.words) <= _LABEL_WORDS
    is_label = small and not END_MARK.search(line.text) and not ITEM.match(line.text)
    return "label" if is_label else "prose"


def _limit_headings(lines: Sequence[TypedLine]) -> Iterator[TypedLine]:
    """Turn headings of too many lines into prose, and numbered lines of the running text's size into headings."""
    end = 0
    for group in groups(lines, lambda one, other: one.kind == other.kind == "heading" and goes_on(one, other)):
        start, end = end, end + len(group)
        line, last = group[0], group[-1]
        before, after = lines[start - 1] if start else None, lines[end] if end < len(lines) else None
        if line.kind == "heading":
            # Bold lines may be in the middle of a paragraph of their own size.
            is_continued = before is not None and is_next(before, line) and not END_MARK.search(before.text)
            continues = after is not None and is_next(last, after) and after.text[:1].islower()
            kind = "prose" if len(group) > _HEADING_LINES or is_continued or continues else "heading"
            yield from (replace(line, kind=kind) for line in group)
        else:
            # A line such as "5.1 Introduction" is a heading if a line that begins a new sentence follows.
            text, short = line.text, len(line.words) <= _HEADING_WORDS
            is_title = line.kind == "prose" and short and _NUMBERED.match(text) and not END_MARK.search(text)
            is_numbered = is_title and after is not None and STARTS.match(after.text)
            yield replace(line, kind="heading") if is_numbered else line


def is_next(before: TypedLine, after: TypedLine, room: float = _NEXT) -> bool:
    """True if `after` is the next line under `before`, of the same size. room: largest gap, of the font size."""
    return before.is_beside(after) and before.is_followed_by(after, room)


def _is_piece(before: TypedLine, after: TypedLine) -> bool:
    """True if two lines are pieces of one formula: in one row, or one above the other as in a fraction, without
    a gap.
    """
    size, apart, gap = max(before.size, after.size), abs(before.top - after.top), after.left - before.right
    is_stacked = before.is_beside(after) and 0 < apart < _STACKED * size and -_WIDE_PIECE * size < gap < size
    return is_stacked or is_hanging(before, after)


def is_hanging(before: TypedLine, after: TypedLine) -> bool:
    """True if `before` is only the number of an item, and `after` the text that it numbers."""
    size = max(before.size, after.size)
    near = abs(before.top - after.top) < 0.2 * size and 0 <= after.left - before.right < _HANGING * size
    return before.is_beside(after) and near and bool(_ITEM_NUMBER.fullmatch(before.text))


def goes_on(before: TypedLine, after: TypedLine) -> bool:
    """True if `after` is the next line of the same heading as `before`."""
    is_same_style = before.is_sized_like(after) and before.bold == after.bold
    return before.is_beside(after) and is_same_style and after.top - before.bottom < before.size


def _extend_captions(lines: Iterator[TypedLine]) -> Iterator[TypedLine]:
    """Yield the lines with kind "caption" for the further lines of each caption too."""
    before: TypedLine | None = None
    for line in lines:
        if before and line.kind == "caption" and is_next(before, line) and before.kind in ("prose", "box"):
            # In the middle of a sentence it is no caption: "as is shown in / Table 8.2: ..."
            is_open = not END_MARK.search(before.text) and len(before.words) > _LABEL_WORDS
            line = replace(line, kind=before.kind) if is_open else line
        if before and before.kind == "caption" and line.kind != "heading" and not is_caption(line, 0):
            # A further line of a caption is set like it and close under it, or beside its number.
            is_under = is_next(before, line, _CAPTION_GAP) and before.italic == line.italic
            has_own_line = _CAPTION.fullmatch(before.text) and before.page is line.page
            is_beside = has_own_line and abs(before.top - line.top) < 2 and before.right <= line.left
            line = replace(line, kind="caption") if is_under or is_beside else line
        before = line
        yield line


def _join_titles_to_next_line(lines: list[TypedLine]) -> list[TypedLine]:
    """Add headings close above a box to the box as its title."""
    result = lines[:]
    for index in range(len(lines) - 2, -1, -1):
        line, after = result[index], result[index + 1]
        if line.kind == "heading" and after.kind == "box" and line.page is after.page:
            # The title is no wider than the box, and larger than its text.
            (left, top, right, _), slack = after.page.boxes[after.box or 0], line.size
            is_within = left - slack < line.left and line.right < right + slack and after.size < 0.97 * line.size
            if is_within and -slack < top - line.bottom < slack:
                result[index] = replace(line, kind="box", box=after.box)
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
        if FOOTNOTE_MARK.match(line.text) and (smaller or (is_roomy and _SIGN.match(line.text))):
            return [index for index, _ in order[start:]]
    return []
