"""Words that the page sets apart inside, such as "ener gy", become whole where there is no other reading."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from core.pdf.page import Line, Page, Word
from core.text.word_list import is_known, may_stand_alone

_FIRST = re.compile(r"[(\[\"'“‘]{0,3}([A-Za-z]{1,30})")
_LAST = re.compile(r"([a-z]{1,30})[)\].,;:?!\"'”’]{0,4}")
_MIDDLE = re.compile(r"[a-z]{1,30}")
_WORD = re.compile(r"[A-Za-z]{1,60}")
_WIDEST = 0.8  # of the size: pieces of one word are not farther apart
_LONGEST_RUN = 8  # pieces in a row: more are a table or a formula
_CLIPPED = frozenset("s t d m ll re ve".split())
"""What stands behind an apostrophe: "computer s" may be "computer's"."""
_UNITS = 2  # letters: after a number, so few may be a unit
_SEEN = 2  # times: a word that no list holds is whole elsewhere in the document


def joined(pages: Sequence[Page]) -> list[Page]:
    """The pages with words that stand apart inside as one word each, which covers all of its pieces.

    At least one piece is no word by itself, the whole is a word of the word list or of the document, and no other way
    to put the neighbours together leaves words only.
    """
    words = _Words.of(pages)
    return [replace(page, lines=tuple(_joined(line, words) for line in page.lines)) for page in pages]


@dataclass(frozen=True)
class _Words:
    """How often the document has each word, and each word before another, in lower case."""

    counts: Counter[str]
    pairs: Counter[tuple[str, str]]

    @classmethod
    def of(cls, pages: Sequence[Page]) -> "_Words":
        counts: Counter[str] = Counter()
        pairs: Counter[tuple[str, str]] = Counter()
        for page in pages:
            for line in page.lines:
                texts = [w.lower() for w in _WORD.findall(line.text)]
                counts.update(texts)
                pairs.update(pair for pair in zip(texts, texts[1:], strict=False) if not all(map(_stands, pair)))
        return cls(counts, pairs)

    def makes_word(self, first: str, second: str) -> bool:
        """Do two pieces make one word, and can they be nothing else?"""
        pieces = first.lower(), second
        whole, lost = "".join(pieces), [piece for piece in pieces if not _stands(piece)]
        if not lost or second in _CLIPPED or (len(first) > 1 and first[1:] != first[1:].lower()):
            return False
        only_here = all(self.counts[piece] <= self._joins(piece) for piece in lost)
        if not is_known(whole):
            return only_here and self.counts[whole] >= _SEEN and min(map(len, pieces)) > 1
        if min(map(len, pieces)) > 1:
            return only_here or len(lost) == len(pieces) or len(max(lost, key=len)) > _UNITS + 1
        longer = max(pieces, key=len)
        return longer in lost and (len(lost) == len(pieces) or self.counts[whole] >= _SEEN)

    def _joins(self, piece: str) -> int:
        """How often `piece` stands beside another with which it makes a word."""
        return sum(n for pair, n in self.pairs.items() if piece in pair and is_known("".join(pair)))


@lru_cache(maxsize=20_000)
def _stands(word: str) -> bool:
    return may_stand_alone(word)


def _joined(line: Line, words: _Words) -> Line:
    if all(_stands(word.text) for word in line.words):
        return line
    found: list[Word] = []
    for run in _runs(line, words):
        found += _whole(run, words)
    return replace(line, words=tuple(found)) if len(found) < len(line.words) else line


def _runs(line: Line, words: _Words) -> Iterator[list[Word]]:
    """The words of a line in runs of pieces each of which may belong to the next."""
    run: list[Word] = []
    for place, word in enumerate(line.words):
        before = line.words[place - 2].text if place > 1 else ""
        if run and not _may_join(before, run[-1], word, line.size, words):
            yield run
            run = []
        run.append(word)
    yield run


def _may_join(before: str, first: Word, second: Word, size: float, words: _Words) -> bool:
    """before: the text of the word before `first`, "" for none."""
    one, other = _FIRST.fullmatch(first.text), _LAST.fullmatch(second.text)
    if not one or not other or second.left - first.right > _WIDEST * size:
        return False
    if before[-1:].isdigit() and len(one[1]) <= _UNITS:
        return False
    follows = first.span is None or second.span is None or first.span[1] == second.span[0] > 0
    return follows and words.makes_word(one[1], other[1])


def _whole(run: list[Word], words: _Words) -> list[Word]:
    """`run` read in the only way that leaves words alone; as it is where there is none, or more than one."""
    if not 1 < len(run) <= _LONGEST_RUN:
        return run
    readings = [r for r in _readings(len(run)) if all(_is_word(run[start:end]) for start, end in r)]
    if len(readings) != 1:
        return run
    return [_one(run[start:end]) for start, end in readings[0]]


def _readings(size: int) -> Iterator[list[tuple[int, int]]]:
    """All ways to read `size` pieces, each as a word or together with the next one: where each word starts and ends."""
    if size == 0:
        yield []
    for last in (1, 2):
        if last <= size:
            yield from ([*reading, (size - last, size)] for reading in _readings(size - last))


def _is_word(pieces: Sequence[Word]) -> bool:
    return len(pieces) > 1 or _stands("".join(_WORD.findall(pieces[0].text)))


def _one(pieces: Sequence[Word]) -> Word:
    first, last = pieces[0], pieces[-1]
    span = (first.span[0], last.span[1]) if first.span and last.span else None
    return Word(text="".join(p.text for p in pieces), left=first.left, right=last.right, span=span)
