"""Joins the lines of a region of a page into running text.

Stores the page rectangle of each word, and the positions at which letters of the file are missing.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.pdf.line_types import TypedLine
from core.pdf.page import UNCODED, PageRect, Rectangle, groups
from core.pdf.paragraphs import Part, is_skewed
from core.pdf.text_cleaning import SOFT_HYPHEN, seam


@dataclass(frozen=True, kw_only=True)
class Block:
    """Running text of one part.

    kind: the kind of the part. starts: for each word, the index in `text` at which it starts. rects: the page rectangle
    of each word. torn: breaks in the file's text, sorted: n if the letters of word n are not consecutive in the file, n
    - 0.5 if word n does not follow word n - 1 in the file. turn: quarter turns of its lines clockwise.
    """

    kind: str
    text: str
    starts: tuple[int, ...]
    rects: tuple[PageRect, ...]
    torn: tuple[float, ...] = ()
    turn: int = 0

    def rects_of(self, start: int, end: int) -> tuple[PageRect, ...]:
        """The page rectangles of the text from `start` to `end`, one for each line."""

        def is_on_one_line(before: PageRect, word: PageRect) -> bool:
            one, other = (_rotate(rect[1:], -self.turn % 4) for rect in (before, word))
            return before[0] == word[0] and one[1::2] == other[1::2] and one[0] <= other[0]

        first, last = self._words(start, end)
        rects = []
        for line in groups(self.rects[first:last], is_on_one_line):
            page, left, top, right, bottom = zip(*line, strict=True)
            rects.append((page[0], min(left), min(top), max(right), max(bottom)))
        return tuple(rects)

    def is_whole(self, start: int, end: int) -> bool:
        """True if the letters from `start` to `end` are consecutive in the file; a line, column or page end does not
        matter.
        """
        first, last = self._words(start, end)
        return bisect_right(self.torn, first - 0.5) == bisect_left(self.torn, last - 0.5)

    def _words(self, start: int, end: int) -> tuple[int, int]:
        first = max(0, bisect_right(self.starts, start) - 1)
        return first, max(first + 1, bisect_left(self.starts, end))


def block(part: Part, known_words: frozenset[str]) -> Block:
    """Join the lines of a part into one text, and the words that a line end splits. known_words: the whole words of the
    document.
    """
    pieces: list[str] = []
    starts, rects, length = [], [], 0
    for line in part.lines:
        if pieces:
            last = pieces[-1]
            pieces[-1], between = seam(last, line.text, known_words)
            length += len(pieces[-1]) - len(last) + len(between)
            pieces.append(between)
        for n, word in enumerate(line.words):
            pieces += [" ", word.text] if n else [word.text]
            starts.append(length + bool(n))
            # The area of a word is stored as shares of the page.
            width, height = line.page.width or 1, line.page.height or 1
            wide, high = (height, width) if line.turn % 2 else (width, height)
            shares = (word.left / wide, line.top / high, word.right / wide, line.bottom / high)
            left, top, right, bottom = (round(min(1.0, max(0.0, share)), 4) for share in _rotate(shares, line.turn))
            rects.append((line.page.number, left, top, right, bottom))
            length += len(word.text) + bool(n)
    text = "".join(pieces).removesuffix(SOFT_HYPHEN)
    torn = tuple(_tear_positions(part.lines))
    turn = part.lines[0].turn
    return Block(kind=part.kind, text=text, starts=tuple(starts), rects=tuple(rects), torn=torn, turn=turn)


def _tear_positions(lines: Sequence[TypedLine]) -> Iterator[float]:
    """Yield the values of `Block.torn`.

    A line without letters and digits counts as torn, since it is the rest of a formula whose letters are elsewhere in
    the file.
    """
    number, before = 0, None
    for line in lines:
        signs = not any(c.isalnum() for c in line.text)
        for index, word in enumerate(line.words):
            if before is not None:
                last_line, last = before
                is_known = word.span and last.span and last_line.page is line.page
                if is_known and (word.span[0] != last.span[1] or (index == 0 and is_skewed(last_line, line))):
                    yield number - 0.5
            if UNCODED in word.text or (word.span and (signs or word.span[0] == word.span[1])):
                yield number
            number, before = number + 1, (line, word)


def _rotate(shares: Rectangle, turn: int) -> Rectangle:
    """Rotate an area, given as shares, by `turn` quarters clockwise."""
    left, top, right, bottom = shares
    for _ in range(turn):  # a quarter clockwise: the left edge becomes the top
        left, top, right, bottom = 1 - bottom, left, 1 - top, right
    return left, top, right, bottom
