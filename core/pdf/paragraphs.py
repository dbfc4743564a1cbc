"""Lines become parts, such as a heading, a box or prose that runs on where the line before ends."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.pdf.footnotes import MARK
from core.pdf.line_types import ENDED, FLOATS, ITEM, STARTS, Placed, is_hanging, set_alike
from core.pdf.page import BULLET, Line
from core.text.words import STOPWORDS

_STOPPED = re.compile(r"[.!?।][\"'”’)\]]*$")
_SIGNS = re.compile(r"[=→×÷≤≥<>√∑⇌]")
_WORD = re.compile(r"[A-Za-z]{3,}")
_NUMBERED = re.compile(r"\(\d+(?:\.\d+)*[a-z]?\)$")  # an equation's own number
_SURE = f"({BULLET}▪●○■□➢✓"  # what begins an item wherever it stands
_APART = 1.0  # of the size: the gap between two lines of one text is smaller
_SHORT, _NOT_FULL = 0.6, 0.85  # of a full line
_CELL_WORDS = 4  # a line with fewer may be a cell or a label
_MOST_LINES = 200  # of one paragraph
_NEAR = 80  # parts: the next page begins within so many
_MOST_FLOATS = 12  # so many things may stand in the middle of one sentence
_SAME_SIZE = 0.85  # of the larger: less is another text
_PIECE = 12  # letters: part of a formula, which may be small
_LEVEL, _UNDER = 0.2, 0.75  # of the height: middles of one row are nearer, of two rows farther apart
_GAP, _DISPLAY = 1.0, 2.5  # of the size: gaps within one text, and to a formula in it, are smaller
_GUTTER, _WORDS = 1.5, 4  # of the size: columns are farther apart; words that a line of one has at least
_INDENT = 2.5  # of the size: the first line of a paragraph, a hanging number
_OPEN = re.compile(r"[^.!?।:;\"'”’)\]]$")


@dataclass(frozen=True, kw_only=True)
class Part:
    """Lines of one kind that are read together: heading, prose, caption, label, footnote, box, or a table's rows."""

    kind: str
    lines: tuple[Placed, ...]

    @property
    def first(self) -> str:
        return self.lines[0].text

    @property
    def last(self) -> str:
        return self.lines[-1].text


def parts(lines: Sequence[Placed]) -> list[Part]:
    """`lines` in parts, with boxes, captions and labels behind the sentence that they interrupt."""
    return lifted(carried_boxes(list(_parted(lines))))


def _parted(lines: Sequence[Placed]) -> Iterator[Part]:
    full = _full_lengths(lines)
    part: list[Placed] = []
    for line, after in zip(lines, [*lines[1:], None], strict=False):
        part.append(line)
        if after is None or not _together(line, after) or _ends(part, after, full[line.page.number]):
            yield Part(kind=line.kind, lines=tuple(part))
            part = []


def _together(line: Placed, after: Placed) -> bool:
    if line.line.cell and after.line.cell:
        return line.page is after.page and line.line.cell[0] == after.line.cell[0]
    return line.kind == after.kind and line.box == after.box and not is_torn(line, after)


def _ends(part: Sequence[Placed], after: Placed, full: int) -> bool:
    """Does the part end with its last line? Prose where a sentence, an item or a formula ends."""
    line = part[-1]
    if line.kind == "row":
        return False
    if line.kind == "footnote":
        return bool(MARK.match(after.text))
    if line.kind == "heading":
        apart = line.page is not after.page or after.line.top - line.line.bottom > line.line.size
        return apart or not set_alike(line.line, after.line)
    if line.kind in ("caption", "label") or is_hanging(line, after):
        return False
    if line.kind == "box" and len(part) == 1 and _is_title(line, after):
        return True
    afresh = _begins_item(line, after, full) or ends_block(line.text, after.text, full)
    return afresh or _is_apart(line, after) or len(part) == _MOST_LINES


def _begins_item(line: Placed, after: Placed, full: int) -> bool:
    """Is `after` an item of a list? A letter or number with a stop may also end a sentence: "in 4 / s. She then"."""
    ended = len(line.text) < _NOT_FULL * full or bool(ENDED.search(line.text))
    text = f"{after.text} " if after.line.left <= line.line.left else after.text  # a number may stand alone
    return bool(ITEM.match(text)) and (after.text[0] in _SURE or ended)


def _is_apart(line: Placed, after: Placed) -> bool:
    """Has a sentence ended, and what follows is no next line of the same text: a formula, a label, a row?"""
    one, other = line.line, after.line
    near = line.page is after.page and other.top - one.bottom < _APART * one.size
    return bool(_STOPPED.search(line.text)) and (not near or bool(_SIGNS.search(after.text)))


def _is_title(line: Placed, after: Placed) -> bool:
    """Is the first line of a box set larger or bolder than the next one, which starts afresh?"""
    larger = line.line.size > 1.05 * after.line.size or (line.line.bold and not after.line.bold)
    return larger and not ENDED.search(line.text) and not after.text[:1].islower()


def _full_lengths(lines: Sequence[Placed]) -> dict[int, int]:
    """For each page the length that three lines of running text in four do not exceed."""
    lengths: dict[int, list[int]] = {}
    for line in lines:
        found = lengths.setdefault(line.page.number, [])
        if line.kind in ("prose", "box") and len(line.line.words) >= _CELL_WORDS:
            found.append(len(line.text))
    return {page: sorted(found)[len(found) * 3 // 4] if found else 0 for page, found in lengths.items()}


def ends_block(line: str, after: str, full: int) -> bool:
    """A line that stops short without a mark, or a formula, before one that starts afresh: a title, a row."""
    if ENDED.search(line) or not STARTS.match(after):
        return False
    return len(line) < _SHORT * full or (_is_equation(line, full) and not _is_equation(after, full))


def _is_equation(line: str, full: int) -> bool:
    """Signs of mathematics or chemistry with few words, or an equation of words that does not fill its line."""
    letters = sum(len(word) for word in _WORD.findall(line))
    few = letters < 0.6 * sum(not c.isspace() for c in line)
    return bool(_SIGNS.search(line)) and (few or len(line) < _NOT_FULL * full or bool(_NUMBERED.search(line)))


def lifted(found: list[Part]) -> list[Part]:
    """The parts, with floats that stand inside a sentence of the prose behind the end of it."""
    parts, place = found[:], 0
    while place < len(parts):
        end = _end_of_floats(parts, place)
        if end < len(parts) and end > place and parts[place].kind == "prose" and _goes_on(parts, place, end):
            whole = replace(parts[place], lines=parts[place].lines + parts[end].lines)
            parts[place : end + 1] = [whole, *parts[place + 1 : end]]
        else:
            place += 1
    return parts


def _end_of_floats(parts: Sequence[Part], place: int) -> int:
    """The place of the first part after `place` that is no float."""
    end = place + 1
    while end < len(parts) and parts[end].kind in FLOATS and end - place <= _MOST_FLOATS:
        end += 1
    return end


def _goes_on(parts: Sequence[Part], place: int, end: int) -> bool:
    """Does the sentence that a part leaves open go on behind the floats; after a footnote, with a large letter too?"""
    part, after = parts[place], parts[end]
    if _runs_on(part, after):
        return True
    between = parts[place + 1 : end]
    over_foot = between and all(n.kind == "footnote" for n in between) and after.kind == "prose"
    last, first = part.lines[-1], after.lines[0]
    new_page = first.page.number == last.page.number + 1 and set_alike(last.line, first.line)
    begins = ENDED.search(part.last) or ITEM.match(after.first)
    return bool(over_foot) and new_page and not begins and last.line.right - last.line.left > _SHORT * _width(part)


def _width(part: Part) -> float:
    """The width of the widest line of a part (points)."""
    return max(line.line.right - line.line.left for line in part.lines)


def _runs_on(part: Part, after: Part) -> bool:
    """Does the sentence that `part` leaves open go on in `after`, with a small letter or a word that wants more?"""
    if after.kind != part.kind or _STOPPED.search(part.last) or ITEM.match(after.first):
        return False
    if is_torn(part.lines[-1], after.lines[0]):
        return False
    wants_more = part.last[-1] in ",-‐" or part.last.split()[-1].lower() in STOPWORDS
    return after.first[:1].islower() or (wants_more and not after.first[:1].isdigit())


def carried_boxes(found: list[Part]) -> list[Part]:
    """The parts, with a box that goes on in the first box of the next page as one."""
    parts = found[:]
    for place, part in enumerate(parts[:-1]):
        if part.kind == "box":
            near = [n for n in range(place + 1, min(len(parts), place + _NEAR)) if parts[n].kind == "box"]
            last = not near or parts[near[0]].lines[0].box != part.lines[-1].box
            on = next((n for n in near if _goes_on_in(part, parts[n])), None) if last else None
            if on is not None:
                parts[on] = replace(part, lines=part.lines + parts[on].lines)
                parts[place] = replace(part, lines=part.lines[:0])
    return [part for part in parts if part.lines]


def _goes_on_in(part: Part, box: Part) -> bool:
    last, first = part.lines[-1], box.lines[0]
    alike = last.page.number + 1 == first.page.number and set_alike(last.line, first.line)
    return alike and box.first[:1].islower() and _runs_on(part, box)


def fragments(found: Sequence[Part]) -> tuple[frozenset[int], frozenset[int]]:
    """The parts that begin in the middle of a sentence, and those that end there: what goes on was not found."""
    begun, left = set(), set()
    last: dict[str, int] = {}
    for n, part in enumerate(found):
        before = last.get(part.kind)
        if before is not None and part.kind in ("prose", "box") and _breaks_off(found[before], part):
            begun.add(n)
            left.add(before)
        if _begins_in_the_middle(found[before] if before is not None else None, part):
            begun.add(n)
        last[part.kind] = n
    return frozenset(begun), frozenset(left)


def _begins_in_the_middle(before: Part | None, part: Part) -> bool:
    """Is a part the first of its box, and does it begin with a small letter though it ends as a sentence does?"""
    first = part.kind == "box" and (before is None or before.lines[-1].box != part.lines[0].box)
    return first and part.first[:1].islower() and not ITEM.match(part.first) and bool(_STOPPED.search(part.last))


def _breaks_off(part: Part, after: Part) -> bool:
    """Is a sentence open at the end of `part`, and does `after` begin with a small letter?"""
    last, first = part.lines[-1], after.lines[0]
    beside = part.kind == "box" and last.box != first.box and last.page is first.page
    signs = _SIGNS.search(part.last) or _SIGNS.search(after.first)
    open_end = not ENDED.search(part.last) and not ITEM.match(after.first) and not ITEM.match(part.first)
    return open_end and after.first[:1].islower() and not signs and not beside


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
    room, hangs = _DISPLAY if opened else _GAP, abs(one.left - other.left) <= _INDENT * one.size
    return other.top - one.bottom >= room * size and not (opened and hangs and other.text[:1].islower())


def is_skewed(one: Line, other: Line) -> bool:
    """Do two pieces stand beside each other at heights that are neither one row nor two, as in a fraction?"""
    return _LEVEL < abs(_middle(one) - _middle(other)) / max(one.size, other.size) < _UNDER


def _same_size(one: Line, other: Line) -> bool:
    piece = min(len(one.text), len(other.text)) <= _PIECE
    return piece or min(one.size, other.size) >= _SAME_SIZE * max(one.size, other.size)


def _is_next_column(one: Line, other: Line, size: float) -> bool:
    """Are these lines of two columns at one height? Cells of a table that has no rules are short."""
    return other.left - one.right > _GUTTER * size and min(len(one.words), len(other.words)) >= _WORDS


def _middle(line: Line) -> float:
    return (line.top + line.bottom) / 2
