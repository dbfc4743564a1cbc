"""Lines of pages become running text, headings apart, the page of every place known."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.library.furniture import Lines
from core.library.mending import SOFT_HYPHEN, seam, sentences_in, whole_words
from core.text import STOPWORDS

_ENDED = re.compile(r"[.!?:;,।–—-][\"'”’)\]]*$")
_STOPPED = re.compile(r"[.!?।][\"'”’)\]]*$")
_STARTS = re.compile(r"[\"'“‘(\[]?(?:[A-Z]|\d+[.)]\s|[ivxa-e]{1,4}\)\s)")
_NUMBERED = re.compile(r"\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+[A-Z]")
_HEADING_WORDS, _MORE_WORDS = 14, 5
_SHORT = 0.6  # of a full line
_MOST_LINES = 200  # no prose goes on for so long without a sentence that ends with its line

Placed = tuple[str, int]  # a line and its page


@dataclass(frozen=True, kw_only=True)
class Block:
    """Text that runs on. `starts`: places in `text` where lines begin; `pages`: the pages of those lines."""

    text: str
    starts: tuple[int, ...]
    pages: tuple[int, ...]
    heading: bool = False

    def page_at(self, place: int) -> int:
        return self.pages[bisect_right(self.starts, place) - 1]


def blocks(pages: Sequence[Lines]) -> Iterator[Block]:
    """Headings, and the text between them; a sentence that runs over a page break stays in one block."""
    known = whole_words(pages)
    part: list[Placed] = []
    heading = ended = False
    for line, page, full, after in _in_sequence(pages):
        titled = is_heading(line, after)
        carried = heading and not titled and continues_heading(line)
        if part and (titled or ended or (heading and not carried)):
            yield _joined(part, known, heading)
            part = []
        part.append((line, page))
        heading = titled or carried
        ended = carried or (not heading and ends_block(line, after, full))
        ended = ended or ends_sentence(line, after) or len(part) == _MOST_LINES
    if part:
        yield _joined(part, known, heading)


def _in_sequence(pages: Sequence[Lines]) -> Iterator[tuple[str, int, int, str]]:
    """Every line with its page, the length of a full line there, and the line that follows."""
    every = [(line, number, _full(page)) for number, page in enumerate(pages, 1) for line in page]
    following = [*(line for line, _, _ in every[1:]), ""]
    return ((*entry, after) for entry, after in zip(every, following, strict=False))


def _full(page: Lines) -> int:
    """The length that three lines in four do not exceed."""
    return sorted(len(line) for line in page)[len(page) * 3 // 4]


def is_heading(line: str, after: str) -> bool:
    """A numbered line such as "5.1 Introduction" that ends without a stop, before one that starts afresh."""
    if not _NUMBERED.match(line) or _ENDED.search(line) or len(line.split()) > _HEADING_WORDS:
        return False
    return bool(_STARTS.match(after))


def continues_heading(line: str) -> bool:
    """The second line of a heading: a few words without a stop, all with capitals but the small ones."""
    parts = line.split()
    if len(parts) > _MORE_WORDS or _ENDED.search(line):
        return False
    return all(w.isalpha() and (w[0].isupper() or w in STOPWORDS) for w in parts)


def ends_block(line: str, after: str, full: int) -> bool:
    """A line that stops short without a mark, before one that starts afresh: a title, a label, a row."""
    return len(line) < _SHORT * full and not _ENDED.search(line) and bool(_STARTS.match(after))


def ends_sentence(line: str, after: str) -> bool:
    """A line end that is a sentence end too. Parting there changes no sentence, and keeps blocks short."""
    if not _STOPPED.search(line):
        return False
    return sentences_in(f"{line} {after}") == [*sentences_in(line), *sentences_in(after)]


def _joined(part: Sequence[Placed], known: frozenset[str], heading: bool) -> Block:
    text, starts, last = [], [], ""
    length = 0
    for line, _ in part:
        kept, between = seam(last, line, known)
        text += [kept, between]
        length += len(kept) + len(between)
        starts.append(length)
        last = line
    text.append(last.removesuffix(SOFT_HYPHEN))
    pages = tuple(page for _, page in part)
    return Block(text="".join(text), starts=tuple(starts), pages=pages, heading=heading)
