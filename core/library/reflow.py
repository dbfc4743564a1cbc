"""The lines of a part become running text, the place on the page of every word known."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from core.library.line_types import Placed
from core.library.parts import Part
from core.library.text_repair import SOFT_HYPHEN, seam
from core.pdf.page import Place, Word


@dataclass(frozen=True, kw_only=True)
class Block:
    """Text that runs on. `starts`: where in `text` its words begin; `places`: where these stand on their pages."""

    kind: str
    text: str
    starts: tuple[int, ...]
    places: tuple[Place, ...]

    def page_at(self, start: int) -> int:
        return self.places[max(0, bisect_right(self.starts, start) - 1)][0]

    def places_of(self, start: int, end: int) -> tuple[Place, ...]:
        """Where the text from `start` to `end` stands: one rectangle a line."""
        first = max(0, bisect_right(self.starts, start) - 1)
        return tuple(_by_line(self.places[first : max(first + 1, bisect_left(self.starts, end))]))


def block(part: Part, known: frozenset[str]) -> Block:
    """The text of a part, words that a line end has broken joined. known: the whole words of the document."""
    text, starts, places = "", [], []
    for line in part.lines:
        text, between = seam(text, line.text, known)
        text += between
        for word in line.line.words:
            starts.append(len(text))
            places.append(_place(line, word))
            text += f"{word.text} "
        text = text[:-1]
    return Block(kind=part.kind, text=text.removesuffix(SOFT_HYPHEN), starts=tuple(starts), places=tuple(places))


def _place(line: Placed, word: Word) -> Place:
    """Where a word stands, as shares of its page, never outside it."""
    width, height = line.page.width or 1, line.page.height or 1
    shares = (word.left / width, line.line.top / height, word.right / width, line.line.bottom / height)
    left, top, right, bottom = (round(min(1.0, max(0.0, share)), 4) for share in shares)
    return line.page.number, left, top, right, bottom


def _by_line(words: tuple[Place, ...]) -> Iterator[Place]:
    """Words of one line as one rectangle."""
    run: Place | None = None
    for word in words:
        if run and run[:1] == word[:1] and (run[2], run[4]) == (word[2], word[4]) and run[1] <= word[1]:
            run = (*run[:3], max(run[3], word[3]), run[4])
        else:
            if run:
                yield run
            run = word
    if run:
        yield run
