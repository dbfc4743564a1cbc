"""Sentences that pair two things with two attributes the other way round than a text does.

"Speed is a vector, while velocity is a scalar" holds every word of "Velocity is a vector, and speed is a scalar": by
shared words the two are one, and a language model often takes them for one. Here their halves are compared.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import dropwhile, pairwise
from typing import Literal

from core.text.words import STOPWORDS, content, overlap, stem, words

_CONTRAST = re.compile(
    r"(?:\s*[,;])?\s+(?:while|whereas|whilst|but|though|although|unlike|on the other hand|in contrast)\b,?\s*|;\s+",
    re.IGNORECASE,
)
_JOINED = re.compile(r"(?:\s*,)?\s+and\s+", re.IGNORECASE)
_COMMA = re.compile(r",\s+")
"""Where one half of a sentence ends and the other begins: at an "and" only where no contrast is drawn, at a comma only
where it is the only one."""
_RESPECTIVELY = re.compile(
    r"(?P<one>.{1,120}?)\s+and\s+(?P<other>.{1,120}?)\s+and\s+(?P<last>.{1,120}?),?\s+respectively\b", re.IGNORECASE
)
_THAN = re.compile(
    r"(?P<one>.{1,120}?)\b(?P<how>(?:more|less|fewer)\s+\w+|(?!other|rather)\w{2,}er|more|less|fewer|better|worse)\s+"
    r"(?P<what>(?:\w+\s+){0,3}?)than\s+(?P<other>.{1,120})",
    re.IGNORECASE,
)
_FROM_TO = re.compile(
    r"\bfrom\s+(?:the\s+)?(?P<one>[\w’'-]+)(?:\s+\w+)?\s+(?:in)?to(?:wards?)?\s+(?:the\s+)?(?P<other>[\w’'-]+)",
    re.IGNORECASE,
)
_DIRECTED = re.compile(
    r"\b(?P<how>to|towards?|into|from|above|below|before|after|under|over|inside|outside|without|with)\s+"
    r"(?:the\s+|an?\s+|its\s+|their\s+)?(?P<thing>[\w’'-]+)",
    re.IGNORECASE,
)
"""A direction counts as one word with what it leads to: "to the heart" is another attribute than "from the heart"."""
_NEGATION = re.compile(r"\b(?:not|no|never|neither|nor|cannot)\b|n't\b", re.IGNORECASE)
_SHORT = re.compile(r"[\d.,]{1,2}|[^\W\d]|\d+[.,]\d+")
"""Symbols, and small numbers, which stand for something else in every line; those with a unit are for another rule."""
_LEAST_SHARED = 0.5
"""A text must hold at least this share of the words that tell the halves of a sentence apart to be compared with it."""
_SAME_EVENT = 0.6
"""A text that holds this share of a sentence's words speaks of the same thing going from one to another."""
_LONGEST = 600
"""Most characters of a sentence that is read; a longer one has more than two halves."""


@dataclass(frozen=True)
class Halves:
    """The stems that only one half of a sentence holds, for each half, in their order."""

    one: tuple[str, ...]
    other: tuple[str, ...]

    @property
    def tells(self) -> bool:
        """True where each half has a thing and an attribute of its own."""
        return min(len(self.one), len(self.other)) >= 2

    def beside(self, text: "Halves") -> Literal["alike", "otherwise", ""]:
        """How `text` pairs the things and the attributes of this sentence; "" where it does not hold them.

        The thing of a half is its first word that `text` holds. Its halves must hold one thing each.
        """
        held, (one, other) = text.words, text.sets
        first, second = ([stem for stem in half if stem in held] for half in (self.one, self.other))
        if not first or not second or len(first) + len(second) < _LEAST_SHARED * len(self.one + self.other):
            return ""
        of_first, of_second = (one, other) if first[0] in one else (other, one)
        if second[0] not in of_second:
            return ""
        parted = [stem in of_second for stem in first[1:]], [stem in of_first for stem in second[1:]]
        if all(some and not any(some) for some in parted):
            return "alike"
        attributes = [list(dropwhile(lambda part: not part, some)) for some in parted]  # a thing may have several words
        return "otherwise" if all(2 * sum(some) >= len(some) > 0 for some in attributes) else ""

    @cached_property
    def sets(self) -> tuple[frozenset[str], frozenset[str]]:
        return frozenset(self.one), frozenset(self.other)

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(self.one + self.other)


Found = tuple[int, tuple[int, ...]]
"""A passage, and the places of one or two of its sentences."""


def swapped_in(sentence: str, passages: Sequence[Sequence[str]]) -> Found | None:
    """Where `passages`, each the sentences of one, pair the things of `sentence` the other way round.

    None where nothing does, and where something pairs them as the sentence does.
    """
    if sentence.rstrip().endswith("?") or len(sentence) > _LONGEST:
        return None
    for runs in (False, True):
        own = [halves for halves in halves_of(sentence, runs) if halves.tells]
        found = [
            (mine.beside(theirs), (n, places))
            for n, texts in enumerate(passages if own else ())
            for places, theirs in _paired(tuple(texts), runs)
            for mine in own
        ]
        if any(how == "alike" for how, _ in found):
            return None
        if otherwise := next((place for how, place in found if how == "otherwise"), None):
            return otherwise
    return _turned_in(sentence, passages)


def _turned_in(sentence: str, passages: Sequence[Sequence[str]]) -> Found | None:
    if not (_THAN.search(sentence) or _FROM_TO.search(sentence)):
        return None
    found = ((n, (i,)) for n, texts in enumerate(passages) for i, t in enumerate(texts) if turned_round(sentence, t))
    return next(found, None)


def turned_round(sentence: str, text: str) -> bool:
    """True where `text` compares the same two things the other way round, or goes the other way from one to another."""
    if bool(_NEGATION.search(sentence)) != bool(_NEGATION.search(text)):
        return False
    return _compared_otherwise(sentence, text) or _leads_otherwise(sentence, text)


@lru_cache(maxsize=4096)
def halves_of(sentence: str, runs: bool = False) -> tuple[Halves, ...]:
    """Every way in which a sentence falls into two halves. runs: by its words two by two, for halves that hold the same
    words in another order ("blue litmus red")."""
    if len(sentence) > _LONGEST:
        return ()
    if listed := _RESPECTIVELY.search(sentence):
        second, *between = listed["other"].split()
        ones = (f"{listed['one']} {' '.join(between[-2:])}", f"{second} {listed['last']}")
        return (_halves(*ones, runs),)
    ends = list(_CONTRAST.finditer(sentence)) or list(_JOINED.finditer(sentence)) or list(_COMMA.finditer(sentence))[:2]
    ends = ends if ends and (len(ends) == 1 or not _COMMA.fullmatch(ends[0][0])) else []
    return tuple(_halves(sentence[: end.start()], sentence[end.end() :], runs) for end in ends)


@lru_cache(maxsize=1024)
def _paired(texts: tuple[str, ...], runs: bool) -> tuple[tuple[tuple[int, ...], Halves], ...]:
    """The halves of each sentence, and each two sentences that follow each other, with their places."""
    found = [((n,), halves) for n, text in enumerate(texts) for halves in halves_of(text, runs)]
    return (*found, *(((n, n + 1), _halves(*pair, runs)) for n, pair in enumerate(pairwise(texts)) if all(pair)))


def _halves(one: str, other: str, runs: bool = False) -> Halves:
    first, second = _attributes(one, runs), _attributes(other, runs)
    return Halves(tuple(w for w in first if w not in second), tuple(w for w in second if w not in first))


@lru_cache(maxsize=8192)
def _attributes(text: str, runs: bool) -> tuple[str, ...]:
    """The stems of `text` in order, then each direction with what it leads to as one more word; with `runs` its first
    stem and its stems two by two."""
    stems = [stem for stem in content(text) if not _SHORT.fullmatch(stem)]
    if runs:
        return tuple(dict.fromkeys([*stems[:1], *(" ".join(pair) for pair in pairwise(stems))]))
    led = ((m["how"].lower(), *words(m["thing"])) for m in _DIRECTED.finditer(text))
    ways = [f"{how} {stem(thing[0])}" for how, *thing in led if thing and thing[0] not in STOPWORDS]
    return tuple(dict.fromkeys([*stems, *ways]))


def _compared_otherwise(sentence: str, text: str) -> bool:
    mine, theirs = _THAN.search(sentence), _THAN.search(text)
    if not mine or not theirs or stem(mine["how"].lower()) != stem(theirs["how"].lower()):
        return False
    here, there = (_halves(f"{m['one']} {m['what']}", m["other"]) for m in (mine, theirs))
    turned = set(here.one) & set(there.other) and set(here.other) & set(there.one)
    return bool(turned) and not set(here.other) & set(there.other)


def _leads_otherwise(sentence: str, text: str) -> bool:
    """True where `text` says of the same thing that it goes the other way."""
    if overlap(sentence, text) < _SAME_EVENT or not _same_subject(sentence, text):
        return False
    ways = (
        {(stem(m["one"].lower()), stem(m["other"].lower())) for m in _FROM_TO.finditer(t)} for t in (sentence, text)
    )
    mine, theirs = ways
    return any(one != other and (other, one) in theirs and (one, other) not in theirs for one, other in mine)


def _same_subject(sentence: str, text: str) -> bool:
    """True where each of the two holds the first word of the other, wherever it stands."""
    mine, theirs = (re.sub(_FROM_TO, " ", one) for one in (sentence, text))
    return bool({*content(mine)[:1]} & set(content(text)) and {*content(theirs)[:1]} & set(content(sentence)))
