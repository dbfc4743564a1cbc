"""A part becomes text that runs on, each word with its place, and what is not one run of its page is told."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.pdf.line_types import Placed
from core.pdf.page import UNCODED, Place, Rectangle, Word
from core.pdf.paragraphs import Part, is_skewed
from core.pdf.text_cleaning import SOFT_HYPHEN, seam


@dataclass(frozen=True, kw_only=True)
class Block:
    """Text that runs on. `starts`: where in `text` its words begin; `places`: where these stand on their pages.

    torn: the words, by their number, that the file does not write as one run of letters, and half of one less where it
    does not write a word after the one before. turn: that of its lines.
    """

    kind: str
    text: str
    starts: tuple[int, ...]
    places: tuple[Place, ...]
    torn: tuple[float, ...] = ()
    turn: int = 0

    def page_at(self, start: int) -> int:
        return self.places[max(0, bisect_right(self.starts, start) - 1)][0]

    def places_of(self, start: int, end: int) -> tuple[Place, ...]:
        """Where the text from `start` to `end` stands: one rectangle a line."""
        first, last = self._words(start, end)
        return tuple(_by_line(self.places[first:last], self.turn))

    def is_whole(self, start: int, end: int) -> bool:
        """Are the letters from `start` to `end` one run of the page, be it over the end of a line, column or page?"""
        first, last = self._words(start, end)
        return bisect_right(self.torn, first - 0.5) == bisect_left(self.torn, last - 0.5)

    def _words(self, start: int, end: int) -> tuple[int, int]:
        first = max(0, bisect_right(self.starts, start) - 1)
        return first, max(first + 1, bisect_left(self.starts, end))


def block(part: Part, known: frozenset[str]) -> Block:
    """The text of a part, words that a line end has broken joined. known: the whole words of the document."""
    pieces: list[str] = []
    starts, places, length = [], [], 0
    for line in part.lines:
        if pieces:
            last = pieces[-1]
            pieces[-1], between = seam(last, line.text, known)
            length += len(pieces[-1]) - len(last) + len(between)
            pieces.append(between)
        for n, word in enumerate(line.line.words):
            pieces += [" ", word.text] if n else [word.text]
            starts.append(length + bool(n))
            places.append(_place(line, word))
            length += len(word.text) + bool(n)
    text = "".join(pieces).removesuffix(SOFT_HYPHEN)
    torn = tuple(_torn(part.lines))
    turn = part.lines[0].line.turn
    return Block(kind=part.kind, text=text, starts=tuple(starts), places=tuple(places), torn=torn, turn=turn)


def _torn(lines: Sequence[Placed]) -> Iterator[float]:
    """The words that are not one run of known letters, and the seams before words that do not go on.

    A line of nothing but signs is what is left of a formula whose letters stand elsewhere in the file.
    """
    number, before = 0, None
    for line in lines:
        signs = not any(c.isalnum() for c in line.text)
        for place, word in enumerate(line.line.words):
            if before is not None and not _follows(before, line, word, first=place == 0):
                yield number - 0.5
            if UNCODED in word.text or (word.span and (signs or word.span[0] == word.span[1])):
                yield number
            number, before = number + 1, (line, word)


def _follows(before: tuple[Placed, Word], line: Placed, word: Word, *, first: bool) -> bool:
    """Does `word` go on where the one `before` ends: in the file, or at the first line of the next page?"""
    home, last = before
    if word.span is None or last.span is None or home.page is not line.page:
        return True
    return word.span[0] == last.span[1] and not (first and is_skewed(home.line, line.line))


def _place(line: Placed, word: Word) -> Place:
    """Where a word stands, as shares of its page, never outside it."""
    width, height = line.page.width or 1, line.page.height or 1
    wide, high = (height, width) if line.line.turn % 2 else (width, height)
    shares = (word.left / wide, line.line.top / high, word.right / wide, line.line.bottom / high)
    left, top, right, bottom = (round(min(1.0, max(0.0, share)), 4) for share in _turned(shares, line.line.turn))
    return line.page.number, left, top, right, bottom


def _turned(shares: Rectangle, turn: int) -> Rectangle:
    """An area of a page that was turned back by `turn` quarters, as it is on the page itself."""
    left, top, right, bottom = shares
    for _ in range(turn):  # a quarter to the right: what was the left edge is the top
        left, top, right, bottom = 1 - bottom, left, 1 - top, right
    return left, top, right, bottom


def _by_line(words: tuple[Place, ...], turn: int) -> Iterator[Place]:
    """Words of one line as one rectangle. turn: by how many quarters the line is turned to the right."""
    run: list[Place] = []
    for word in words:
        if run and not _on_one_line(run[-1], word, turn):
            yield _around(run)
            run = []
        run.append(word)
    if run:
        yield _around(run)


def _on_one_line(before: Place, word: Place, turn: int) -> bool:
    """Has a word the height of the one before, and does it stand further along the line?"""
    one, other = (_turned(place[1:], -turn % 4) for place in (before, word))
    return before[0] == word[0] and one[1::2] == other[1::2] and one[0] <= other[0]


def _around(run: Sequence[Place]) -> Place:
    page, left, top, right, bottom = zip(*run, strict=True)
    return page[0], min(left), min(top), max(right), max(bottom)
