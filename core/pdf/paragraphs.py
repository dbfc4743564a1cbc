"""Groups lines into parts, such as headings, boxes, and prose that continues across lines, columns and pages."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.pdf.line_types import (
    END_MARK,
    FLOATS,
    FOOTNOTE_MARK,
    ITEM,
    STARTS,
    TypedLine,
    goes_on,
    is_caption,
    is_hanging,
)
from core.pdf.page import BULLET, Line
from core.text.words import STOPWORDS

_FULL_STOP = re.compile(r"[.!?।][\"'”’)\]]*$")
_SIGNS = re.compile(r"[=→×÷≤≥<>√∑⇌]")
_WORD = re.compile(r"[A-Za-z]{3,}")
_BULLETS = f"({BULLET}▪●○■□➢✓"  # a line with one of these first is a list item, wherever it is
_MAX_LINE_GAP = 1.0  # of the font size: lines of one text are closer than this
_SHORT, _NOT_FULL = 0.6, 0.85  # shares of a full line: shorter lines end a block; lines below the second are not full
_CELL_WORDS = 4  # a line with fewer words may be a cell or a label
_MOST_LINES = 200  # maximum number of lines of one paragraph
_NEAR = 80  # maximum number of parts between a box and its continuation on the next page
_MOST_FLOATS = 40  # most floats in the middle of one sentence: pictures fill two pages
_SAME_SIZE = 0.85  # minimum ratio of two font sizes within one text
_PIECE, _PIECE_SIZE = 12, 0.4  # letters: a shorter line may be a small part of a formula; its minimum ratio
_LEVEL, _UNDER = 0.2, 0.75  # of the font size: distance of the middles in one row, at most; of two rows, at least
_GAP, _DISPLAY = 1.0, 2.5  # of the font size: largest gap within one text, and to a formula in it
_GUTTER, _WORDS = 1.5, 4  # of the font size: smallest gap of columns; fewest words in a line of one
_INDENT = 2.5  # of the font size: indent of the first line of a paragraph, or of a hanging number
_OPEN = re.compile(r"[^.!?।:;\"'”’)\]]$")


@dataclass(frozen=True, kw_only=True)
class Part:
    """Lines of one kind that are read together: heading, prose, caption, label, footnote, box, or table rows."""

    kind: str
    lines: tuple[TypedLine, ...]

    @property
    def first(self) -> str:
        return self.lines[0].text

    @property
    def last(self) -> str:
        return self.lines[-1].text

    @property
    def italic(self) -> bool:
        """True for words in italics; the letters of a formula do not count."""
        return 2 * sum(bool(n.italic and _WORD.search(n.text)) for n in self.lines) > len(self.lines)


def parts(lines: Sequence[TypedLine]) -> list[Part]:
    """Group `lines` into parts. If a box, caption or label interrupts a sentence, its part comes after the part with
    that sentence.
    """
    # The length of a full line of each page, in characters: the upper quartile of its running text.
    lengths: dict[int, list[int]] = defaultdict(list)
    for line in lines:
        if line.kind in ("prose", "box") and len(line.words) >= _CELL_WORDS:
            lengths[line.page.number].append(len(line.text))
    full = defaultdict(int, {page: sorted(of_page)[len(of_page) * 3 // 4] for page, of_page in lengths.items()})
    split_parts, part = [], []
    for line, after in zip(lines, [*lines[1:], None], strict=False):
        part.append(line)
        if after is None or _ends(part, after, full[line.page.number]):
            split_parts.append(Part(kind=line.kind, lines=tuple(part)))
            part = []
    return _move_floats(_carried_boxes(split_parts))


def _ends(part: Sequence[TypedLine], after: TypedLine, full: int) -> bool:
    """True if the part ends with its last line. Prose may end where a sentence, a list item or a formula ends.

    after: the next line. full: length of a full line of the page (characters).
    """
    line = part[-1]
    if line.cell and after.cell:
        is_other = line.page is not after.page or line.cell[0] != after.cell[0]  # another table
    else:
        is_other = line.kind != after.kind or line.page_box != after.page_box or is_torn(line, after)
    if is_other or line.kind == "row":
        return is_other
    if line.kind == "footnote":
        return bool(FOOTNOTE_MARK.match(after.text))
    if line.kind == "heading":
        return not goes_on(line, after)
    if line.kind == "caption":
        return is_caption(after, 0)
    if line.kind == "label" or is_hanging(line, after):
        return False
    larger = line.size > 1.05 * after.size or (line.bold and not after.bold)
    is_title = larger and not END_MARK.search(line.text) and not after.text[:1].islower()
    if line.kind == "box" and len(part) == 1 and is_title:
        return True
    # A letter or number with a stop begins an item, or ends a sentence: "in 4 / s. She then".
    ended = len(line.text) < _NOT_FULL * full or bool(END_MARK.search(line.text))
    text = f"{after.text} " if after.left <= line.left else after.text  # a number may be a line of its own
    begins_item = bool(ITEM.match(text)) and (after.text[0] in _BULLETS or ended)
    is_new_block = begins_item or ends_block(line.text, after.text, full)
    # A sentence has ended before something that is not its next line: a formula, a label, a row.
    near = line.page is after.page and after.top - line.bottom < _MAX_LINE_GAP * line.size
    is_apart = bool(_FULL_STOP.search(line.text)) and (not near or bool(_SIGNS.search(after.text)))
    return is_new_block or is_apart or len(part) == _MOST_LINES


def ends_block(line: str, after: str, full: int) -> bool:
    """True if a block ends with `line`, a short line without punctuation at its end or a formula, and `after` begins a
    new block.
    """
    if END_MARK.search(line) or not STARTS.match(after):
        return False
    return len(line) < _SHORT * full or (_is_equation(line, full) and not _is_equation(after, full))


def _is_equation(line: str, full: int) -> bool:
    """True if a line is an equation: it has signs of mathematics or chemistry, and it has few letters or is shorter
    than a full line.
    """
    letters = sum(len(word) for word in _WORD.findall(line))
    few = letters < 0.6 * sum(not c.isspace() for c in line)
    return bool(_SIGNS.search(line)) and (few or len(line) < _NOT_FULL * full)


def _move_floats(parts_: list[Part]) -> list[Part]:
    """Return the parts with floats (parts outside the running text, or in italics in a text that is upright) moved
    behind the sentence of prose that they interrupt.
    """
    parts, index = parts_[:], 0
    while index < len(parts):
        end = index + 1
        # A float may interrupt a sentence, and so may a quotation in italics.
        is_upright = not parts[index].italic
        while (
            end < len(parts)
            and end - index <= _MOST_FLOATS
            and (parts[end].kind in FLOATS or (is_upright and parts[end].kind == "prose" and parts[end].italic))
        ):
            end += 1
        if end < len(parts) and end > index and parts[index].kind == "prose" and _goes_on(parts, index, end):
            whole_part = replace(parts[index], lines=parts[index].lines + parts[end].lines)
            parts[index : end + 1] = [whole_part, *parts[index + 1 : end]]
        else:
            index += 1
    return parts


def _goes_on(parts: Sequence[Part], index: int, end: int) -> bool:
    """True if the sentence that the part at `index` leaves open continues in the part at `end`, behind the floats.

    If only footnotes are between them, it may continue with a capital.
    """
    part, after = parts[index], parts[end]
    if _runs_on(part, after):
        return True
    between = parts[index + 1 : end]
    over_foot = between and all(n.kind == "footnote" for n in between) and after.kind == "prose"
    last, first = part.lines[-1], after.lines[0]
    new_page = first.page.number == last.page.number + 1 and last.is_sized_like(first)
    begins = END_MARK.search(part.last) or ITEM.match(after.first)
    width = max(line.right - line.left for line in part.lines)
    return bool(over_foot) and new_page and not begins and last.right - last.left > _SHORT * width


def _runs_on(part: Part, after: Part) -> bool:
    """True if the open sentence of `part` continues in `after`: with a small letter, or after a word that needs
    more."""
    if after.kind != part.kind or _FULL_STOP.search(part.last) or ITEM.match(after.first):
        return False
    if after.italic != part.italic or is_torn(part.lines[-1], after.lines[0]):
        return False
    wants_more = part.last[-1] in ",-‐" or part.last.split()[-1].lower() in STOPWORDS
    return after.first[:1].islower() or (wants_more and not after.first[:1].isdigit())


def _carried_boxes(parts_: list[Part]) -> list[Part]:
    """Join each box with the first box of the next page that begins with a small letter, if its text runs on there."""
    parts = parts_[:]
    for index in range(len(parts) - 1):
        part, last = parts[index], parts[index].lines[-1]  # it may hold lines of earlier pages already
        near = [n for n in range(index + 1, min(len(parts), index + _NEAR)) if parts[n].kind == "box"]
        if part.kind != "box" or (near and parts[near[0]].lines[0].page_box == last.page_box):
            continue  # no box, or not its last part
        for n in near:
            first = parts[n].lines[0]
            is_next_page = first.page.number == last.page.number + 1 and last.is_sized_like(first)
            if is_next_page and first.text[:1].islower() and _runs_on(part, parts[n]):
                parts[n] = replace(part, lines=part.lines + parts[n].lines)
                parts[index] = replace(part, lines=())
                break
    return [part for part in parts if part.lines]


def fragments(parts_: Sequence[Part]) -> tuple[frozenset[int], frozenset[int]]:
    """(indices of the parts whose first sentence lacks its beginning, indices of the parts whose last sentence lacks
    its end).
    """
    torn_starts, torn_ends = set(), set()
    last_of_kind: dict[str, int] = {}
    for n, part in enumerate(parts_):
        index = last_of_kind.get(part.kind)
        if index is not None and part.kind in ("prose", "box"):
            # A sentence may be open at the end of the part before, and this part begin with a small letter.
            before, last, first = parts_[index], parts_[index].lines[-1], part.lines[0]
            beside = part.kind == "box" and last.box != first.box and last.page is first.page
            signs = _SIGNS.search(before.last) or _SIGNS.search(part.first)
            open_end = not END_MARK.search(before.last) and not ITEM.match(part.first) and not ITEM.match(before.first)
            if open_end and part.first[:1].islower() and not signs and not beside:
                torn_starts.add(n)
                torn_ends.add(index)
        last_of_kind[part.kind] = n
    return frozenset(torn_starts), frozenset(torn_ends)


def is_torn(line: TypedLine, after: TypedLine) -> bool:
    """True if the text of `line` cannot continue in `after`, the next line in the file, because of the position of
    `after` on the page.

    Text continues to the right, below, at the top of a column to the right, or on the next page; an unfinished sentence
    also continues below a picture.
    """
    if line.kind in ("label", "heading"):
        return False
    if line.page is not after.page:
        return after.page.number != line.page.number + 1 or not _same_size(line, after)
    if not _same_size(line, after):
        return True
    size, apart = max(line.size, after.size), after.middle - line.middle
    if abs(apart) < _UNDER * size:
        # Cells of a table without rules are shorter than the lines of a column.
        is_next_column = after.left - line.right > _GUTTER * size and min(len(line.words), len(after.words)) >= _WORDS
        return after.left < line.right - size or (line.kind == "prose" and is_next_column)
    if apart < 0:
        return after.left < line.right - size
    is_open = bool(_OPEN.search(line.text))
    if after.right <= line.left or (line.right <= after.left and not is_open):
        return True
    room = _DISPLAY if is_open else _GAP
    hangs = abs(line.left - after.left) <= _INDENT * line.size and line.italic == after.italic
    return after.top - line.bottom >= room * size and not (is_open and hangs and after.text[:1].islower())


def is_skewed(one: Line, other: Line) -> bool:
    """True if two lines are side by side, and their heights differ by too much for one row and too little for two, as
    in a fraction.
    """
    return _LEVEL < abs(one.middle - other.middle) / max(one.size, other.size) < _UNDER


def _same_size(one: Line, other: Line) -> bool:
    is_piece = min(len(one.text), len(other.text)) <= _PIECE
    return min(one.size, other.size) >= (_PIECE_SIZE if is_piece else _SAME_SIZE) * max(one.size, other.size)
