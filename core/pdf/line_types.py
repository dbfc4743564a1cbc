"""What each line of a document is: heading, prose, caption, label, footnote, or part of a box or of a table's row."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.pdf.page import BULLET, Line, Page
from core.text.words import STOPWORDS

FLOATS = frozenset({"box", "caption", "label", "row", "footnote"})
"""What stands beside the running text and may interrupt it."""

ITEM = re.compile(rf"[{BULLET}▪●○■□➢✓]\s|\(?(?:\d{{1,2}}|[a-z]|[ivx]{{1,4}})[.)]\s")
"""How an item of a list begins."""

ENDED = re.compile(r"[.!?:;,।–—-][\"'”’)\]]*$")
"""How a line ends at which a reader pauses."""
STARTS = re.compile(r"[\"'“‘(\[]?(?:[A-Z]|\d+[.)]\s|[ivxa-e]{1,4}\)\s)")
"""How a line begins that starts afresh."""

_NUMBERED = re.compile(r"\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+[A-Z]")
_CAPTION = re.compile(r"(?:Fig(?:ure)?|Table|Plate|Map|Chart|Graph)s?\.?\s*\d+(?:\.\d+)*", re.IGNORECASE)
_CAPTION_ENDS = re.compile(r"\s*(?:\([a-z]\))?\s*(?:[:–—]|$)")
_SPEAKS = re.compile(r"\s*[a-z]")  # "Figure 2.1 shows"
_WORD, _EQUATION = re.compile(r"[^\W\d_]{3,}"), re.compile(r"[=→⇌∫∑]")
_ITEM_NUMBER = re.compile(r"\(?(?:[\d.]{1,6}|[a-z][.)]|[ivx]{1,4}[.)])\)?")
_HANGING, _STACKED, _WIDE_PIECE = 4, 1.6, 6  # of the size: room after a number; how pieces of a formula may stand apart
_LARGER, _SMALLER = 1.12, 0.94  # times the size of the body
_NEXT = 0.65  # of the size: the room between lines of one paragraph, also where they stand one and a half lines apart
_HEADING_WORDS, _HEADING_LINES = 14, 3
_LABEL_WORDS = _MORE_WORDS = 5
_BODY_WORDS = 4  # a line with fewer says nothing of the size of the body


@dataclass(frozen=True, kw_only=True)
class Placed:
    """A line on its page, and what it is: heading, prose, caption, label, footnote, box or row."""

    line: Line
    page: Page
    kind: str

    @property
    def text(self) -> str:
        return self.line.text

    @property
    def box(self) -> tuple[int, int] | None:
        """The box of the document that holds the line."""
        return None if self.line.box is None else (self.page.number, self.line.box)


def placed(pages: Sequence[Page]) -> list[Placed]:
    """Every line in order with its kind."""
    size = body_size(pages)
    found = [Placed(line=line, page=page, kind=_alone(line, size)) for page in pages for line in page.lines]
    return _titled(list(_captioned(_grouped(list(_unlabelled(found))))))


def body_size(pages: Sequence[Page]) -> float:
    """The size in which most letters of the running text are set; 0 for a document without lines."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for line in page.lines:
            if len(line.words) >= _BODY_WORDS:
                sizes[round(2 * line.size) / 2] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def stands_out(line: Line, size: float) -> bool:
    """Is a line set as a heading is: bold or large, short, with letters and without a mark at its end?"""
    short = len(line.words) <= _HEADING_WORDS and not ENDED.search(line.text)
    worded = bool(_WORD.search(line.text)) and not _EQUATION.search(line.text)
    return short and worded and (line.bold or line.size >= _LARGER * size)


def is_caption(line: Line, size: float) -> bool:
    """Does a line begin with the number of a figure or table, and not merely speak of one?"""
    found = _CAPTION.match(line.text)
    if not found:
        return False
    set_apart = line.size < _SMALLER * size or line.italic or line.bold
    titled = set_apart and not _SPEAKS.match(line.text, found.end())
    return titled or bool(_CAPTION_ENDS.match(line.text, found.end()))


def _alone(line: Line, size: float) -> str:
    if line.cell is not None:
        return "row"
    if is_caption(line, size):
        return "caption"
    if line.box is not None:
        return "box"
    if stands_out(line, size):
        return "heading"
    return "label" if _is_label(line, size) else "prose"


def _is_label(line: Line, size: float) -> bool:
    """A few small words that end no sentence and are no item of a list: what points at a part of a picture."""
    small = line.size < _SMALLER * size and len(line.words) <= _LABEL_WORDS
    return small and not ENDED.search(line.text) and not ITEM.match(line.text)


def _unlabelled(lines: Sequence[Placed]) -> Iterator[Placed]:
    """Labels that are lines of a paragraph, or pieces of a formula in one, as prose."""
    start = 0
    for end in range(1, len(lines) + 1):
        if end == len(lines) or not (_is_next(lines[end - 1], lines[end]) or _is_piece(lines[end - 1], lines[end])):
            prose = any(line.kind == "prose" for line in lines[start:end])
            yield from (replace(n, kind="prose") if prose and n.kind == "label" else n for n in lines[start:end])
            start = end


def _grouped(lines: Sequence[Placed]) -> Iterator[Placed]:
    """Lines set as headings that go on for too long, as prose; numbered ones of the body's size, as headings."""
    start = 0
    while start < len(lines):
        end = start + 1
        if lines[start].kind == "heading":
            while end < len(lines) and lines[end].kind == "heading" and _goes_on(lines[end - 1], lines[end]):
                end += 1
            kind = "prose" if end - start > _HEADING_LINES or _in_paragraph(lines, start, end) else "heading"
            yield from (replace(line, kind=kind) for line in lines[start:end])
        else:
            end += _numbered(lines, start)
            kind = "heading" if end > start + 1 or _is_numbered(lines, start) else lines[start].kind
            yield from (replace(line, kind=kind) for line in lines[start:end])
        start = end


def _in_paragraph(lines: Sequence[Placed], start: int, end: int) -> bool:
    """Do bold lines stand in the middle of a paragraph of their own size?"""
    before, after = lines[start - 1] if start else None, lines[end] if end < len(lines) else None
    begun = before is not None and _is_next(before, lines[start]) and not ENDED.search(before.text)
    return begun or (after is not None and _is_next(lines[end - 1], after) and after.text[:1].islower())


def _is_next(before: Placed, after: Placed) -> bool:
    """Is `after` the next line under `before`, of the same size and without room between?"""
    one, other = before.line, after.line
    same = before.page is after.page and before.box == after.box and abs(one.size - other.size) <= 0.06 * one.size
    return same and abs(other.top - one.bottom) < _NEXT * one.size


def _is_piece(before: Placed, after: Placed) -> bool:
    """Do two pieces stand in one row, or one over the other as in a fraction, without room between?"""
    one, other = before.line, after.line
    size = max(one.size, other.size)
    same = before.page is after.page and before.box == after.box
    apart, gap = abs(one.top - other.top), other.left - one.right
    return is_hanging(before, after) or (same and 0 < apart < _STACKED * size and -_WIDE_PIECE * size < gap < size)


def is_hanging(before: Placed, after: Placed) -> bool:
    """Is `before` the number of an item alone, and `after` what it numbers?"""
    one, other = before.line, after.line
    size, same = max(one.size, other.size), before.page is after.page and before.box == after.box
    near = abs(one.top - other.top) < 0.2 * size and 0 <= other.left - one.right < _HANGING * size
    return same and near and bool(_ITEM_NUMBER.fullmatch(before.text))


def _is_numbered(lines: Sequence[Placed], place: int) -> bool:
    """Is a line such as "5.1 Introduction", before one that starts afresh, a heading, however it is set?"""
    text = lines[place].text
    titled = lines[place].kind == "prose" and _NUMBERED.match(text) and not ENDED.search(text)
    short = len(lines[place].line.words) <= _HEADING_WORDS
    return bool(titled and short and place + 1 < len(lines) and STARTS.match(lines[place + 1].text))


def _numbered(lines: Sequence[Placed], place: int) -> int:
    """How many lines after this one belong to the numbered heading that it is: a few words with capitals."""
    goes_on = place + 1 < len(lines) and _is_numbered(lines, place) and continues_heading(lines[place + 1].text)
    return int(goes_on)


def continues_heading(line: str) -> bool:
    """The second line of a heading: a few words without a stop, all with capitals but the small ones."""
    parts = line.split()
    if len(parts) > _MORE_WORDS or ENDED.search(line):
        return False
    return all(w.isalpha() and (w[0].isupper() or w in STOPWORDS) for w in parts)


def _goes_on(before: Placed, after: Placed) -> bool:
    """Is `after` the next line of what `before` belongs to, set in the same way?"""
    same = before.page is after.page and before.box == after.box and set_alike(before.line, after.line)
    return same and after.line.top - before.line.bottom < before.line.size


def set_alike(one: Line, other: Line) -> bool:
    return abs(one.size - other.size) <= 0.06 * one.size and one.bold == other.bold


def _captioned(lines: Iterator[Placed]) -> Iterator[Placed]:
    """Captions with all their lines."""
    before: Placed | None = None
    for line in lines:
        if before and line.kind == "caption" and _is_next(before, line) and _is_open(before):
            line = replace(line, kind=before.kind)  # "as is shown in / Table 8.2: ..."
        carried = (
            before is not None and before.kind == "caption" and line.kind != "heading" and _is_carried(before, line)
        )
        before = replace(line, kind="caption") if carried else line
        yield before


def _is_open(line: Placed) -> bool:
    """Is a line prose in the middle of a sentence?"""
    return line.kind in ("prose", "box") and not ENDED.search(line.text) and len(line.line.words) > _LABEL_WORDS


def _is_carried(before: Placed, after: Placed) -> bool:
    """Is `after` a further line of the caption `before`, set like it and close under it?"""
    alike = (
        abs(before.line.size - after.line.size) <= 0.06 * before.line.size and before.line.italic == after.line.italic
    )
    gap = after.line.top - before.line.bottom
    close = before.page is after.page and -1 < gap < 0.8 * before.line.size
    return ((alike and close) or _is_beside(before, after)) and not is_caption(after.line, 0)


def _is_beside(number: Placed, title: Placed) -> bool:
    """Does `title` stand right of the number of a figure, which is alone?"""
    alone = _CAPTION.fullmatch(number.text) and number.page is title.page
    return bool(alone) and abs(number.line.top - title.line.top) < 2 and number.line.right <= title.line.left


def _titled(lines: list[Placed]) -> list[Placed]:
    """Headings right above a box, as its title: they belong to the box."""
    found = lines[:]
    for place in range(len(lines) - 2, -1, -1):
        line, after = found[place], found[place + 1]
        if line.kind == "heading" and after.kind == "box" and _is_over(line, after):
            found[place] = replace(line, kind="box", line=replace(line.line, box=after.line.box))
    return found


def _is_over(title: Placed, inside: Placed) -> bool:
    """Does `title` stand close above the box of `inside`, and not wider than it?"""
    left, top, right, _ = inside.page.boxes[inside.line.box or 0]
    line, slack = title.line, title.line.size
    within = left - slack < line.left and line.right < right + slack and inside.line.size < 0.97 * line.size
    return title.page is inside.page and within and -slack < top - line.bottom < slack
