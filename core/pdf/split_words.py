"""Joins words that a page splits with a gap, such as "ener gy", where no other reading is possible."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from core.pdf.page import Line, Page, Word
from core.text.words import STOPWORDS, frequency, is_known, may_stand_alone

_FIRST = re.compile(r"[(\[\"'“‘]{0,3}([A-Za-z]{1,30})")
_MIDDLE = re.compile(r"[a-z]{1,30}")
_LAST = re.compile(r"([a-z]{1,30})[)\].,;:?!\"'”’]{0,4}")
_WORD = re.compile(r"[A-Za-z]{1,60}")
_WIDEST = 0.8  # of the font size: largest gap between pieces of one word
_MOST = 3  # maximum number of pieces of one word
_CLITICS = frozenset("s t d m ll re ve".split())
"""Letters that may follow an apostrophe: "computer s" may be "computer's", so it is not joined."""
_UNITS = 2  # letters: a piece this short after a number may be a unit
_MIN_OCCURRENCES = 2  # times: a word that occurs whole this often is a word of the document
_USUAL = 8000  # minimum frequency of a word joined from a stopword and two letters: "for ce", not "ch in"

_VERY_USUAL = 500_000  # the same for one letter and two letters: "Y ou", not "B ar"


def join_words(pages: Sequence[Page]) -> list[Page]:
    """Return the pages with split words joined; the new word covers all of its pieces.

    Pieces are joined if at least one of them is no word, the whole is in the word list or elsewhere in the document,
    and no other way of joining the neighbours leaves only words.
    """
    words = _Words.of(pages)
    return [replace(page, lines=tuple(_join_line(line, words) for line in page.lines)) for page in pages]


@dataclass(frozen=True)
class _Words:
    """Counts of words and pieces in a document.

    counts: how often each word occurs. joins: how often a piece occurs next to a piece with which it makes a word.
    """

    counts: Counter[str]
    joins: Counter[str]

    @classmethod
    def of(cls, pages: Sequence[Page]) -> "_Words":
        counts: Counter[str] = Counter()
        pairs: Counter[tuple[str, str]] = Counter()
        for page in pages:
            for line in page.lines:
                texts = [w.lower() for w in _WORD.findall(line.text)]
                counts.update(texts)
                pairs.update(pair for pair in pairwise(texts) if not all(map(_may_be_word, pair)))
        joins: Counter[str] = Counter()
        for pair, times in pairs.items():
            if is_known("".join(pair)) or counts["".join(pair)] >= _MIN_OCCURRENCES:
                joins.update(dict.fromkeys(pair, times))
        return cls(counts, joins)

    def make_word(self, first: str, *rest: str) -> bool:
        """True if these pieces, in this order, are certainly one split word."""
        pieces = (first.lower(), *rest)
        whole, fragments = "".join(pieces), [piece for piece in pieces if not _may_be_word(piece)]
        if not fragments or len(set(pieces)) < len(pieces) or rest[-1] in _CLITICS or first[1:] != first[1:].lower():
            return False
        if sum(len(piece) == 1 for piece in pieces) > 1:
            return False  # variables of a formula, such as "a n d"
        if len(pieces) > 2:
            return len(fragments) > 1 and is_known(whole)
        is_bound = all(self.counts[piece] <= self.joins[piece] for piece in fragments)
        if not is_known(whole):
            return is_bound and self.counts[whole] >= _MIN_OCCURRENCES and min(map(len, pieces)) > 1
        if min(map(len, pieces)) == 1:
            longer = max(pieces, key=len)
            is_word = len(longer) > _UNITS or frequency(whole) >= _VERY_USUAL
            return longer in fragments and (
                (is_word and len(fragments) == len(pieces)) or self.counts[whole] >= _MIN_OCCURRENCES
            )
        if len(fragments) == 1 and len(fragments[0]) <= _UNITS and not STOPWORDS.isdisjoint(pieces):
            return is_bound and (frequency(whole) >= _USUAL or self.counts[whole] >= _MIN_OCCURRENCES)
        return is_bound or len(fragments) == len(pieces) or len(max(fragments, key=len)) > _UNITS + 1


@lru_cache(maxsize=20_000)
def _may_be_word(word: str) -> bool:
    return may_stand_alone(word)


def _join_line(line: Line, words: _Words) -> Line:
    if all(map(_may_be_word, _WORD.findall(line.text))):
        return line
    ends = [_ends(line, start, words) for start in range(len(line.words))]
    new_words: list[Word] = []
    start = 0
    while start < len(line.words):
        # A word is joined only if none of its later pieces may belong to the word behind it.
        inside = [end for later in range(start + 1, max(ends[start], default=0)) for end in ends[later]]
        end = ends[start][0] if len(ends[start]) == 1 and max(inside, default=0) <= ends[start][0] else start + 1
        pieces = line.words[start:end]
        span = (pieces[0].span[0], pieces[-1].span[1]) if pieces[0].span and pieces[-1].span else pieces[0].span
        text = "".join(piece.text for piece in pieces)
        new_words.append(Word(text=text, left=pieces[0].left, right=pieces[-1].right, span=span))
        start = end
    return replace(line, words=tuple(new_words)) if len(new_words) < len(line.words) else line


def _ends(line: Line, start: int, words: _Words) -> list[int]:
    """Which words may begin at index `start` of a line and consist of several pieces: for each of them, the index after
    its last piece.
    """
    first = _FIRST.fullmatch(line.words[start].text)
    if not first or (start and line.words[start - 1].text[-1:].isdigit() and len(first[1]) <= _UNITS):
        return []
    ends, pieces = [], [first[1]]
    for end in range(start + 1, min(start + _MOST, len(line.words))):
        before, word = line.words[end - 1], line.words[end]
        last = _LAST.fullmatch(word.text)
        near = word.left - before.right <= _WIDEST * line.size
        is_next = near and (before.span is None or word.span is None or before.span[1] == word.span[0] > 0)
        if not last or not is_next:
            break
        if words.make_word(*pieces, last[1]):
            ends.append(end + 1)
        if not _MIDDLE.fullmatch(word.text):
            break
        pieces.append(last[1])
    return ends
