"""Finds sentences that swap the attributes of two things, compared with a text.

"Speed is a vector, while velocity is a scalar" has the same words as "Velocity is a vector, and speed is a scalar", and
language models often take the two for one. This module compares the halves of the sentences.
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
"""Two halves meet at a contrast word; at an "and" if there is none; else at a comma if it is the only one."""
_CAUSE = re.compile(r"\b(?:because|since|so|therefore|hence|thus)\b", re.IGNORECASE)
"""A sentence with a cause and its effect may name either first, so without a contrast word it has no two halves."""
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
_DETERMINER = r"(?:the|an?|his|her|its|their|our|my)"
_ACTS_ON = re.compile(
    rf"\b{_DETERMINER}\s+(?P<one>[\w’'-]+)\s+(?P<how>\w+)\s+(?:(?:to|at)\s+)?"
    rf"{_DETERMINER}\s+(?P<other>[\w’'-]+)",
    re.IGNORECASE,
)
"""Who does something to whom: "The king said to his men"."""
_DIRECTED = re.compile(
    r"\b(?P<how>to|towards?|into|from|above|below|before|after|under|over|inside|outside|without|with)\s+"
    r"(?:the\s+|an?\s+|its\s+|their\s+)?(?P<thing>[\w’'-]+)",
    re.IGNORECASE,
)
"""A preposition and its object count as one word: "to the heart" is another attribute than "from the heart"."""
_NEGATION = re.compile(r"\b(?:not|no|never|neither|nor|cannot)\b|n't\b", re.IGNORECASE)
_SHORT = re.compile(r"[\d.,]{1,2}|[^\W\d]|\d+[.,]\d+")
"""Symbols and small numbers, whose meaning changes from line to line; another rule checks numbers with units."""
_LEAST_SHARED = 0.5
"""The least share of the distinguishing words of a sentence that a text must hold to be compared with it."""
_FEWEST_CROSSED = 2
"""The fewest pairs of adjacent words of a sentence that are those of another thing."""
_SAME_EVENT = 0.6
"""The least share of a sentence's words that a text must hold to describe the same movement from one to another."""
_LONGEST = 600
"""The most characters of a sentence that is compared; a longer one has more than two halves."""


@dataclass(frozen=True)
class Halves:
    """The two halves of a sentence, each as the stems that only this half holds, in their order. is_parallel: True if
    both halves hold some stem, such as that of a verb.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    is_parallel: bool = False

    def beside(self, text: "Halves") -> Literal["alike", "otherwise", ""]:
        """How `text` pairs things and attributes, compared with this sentence: "alike", "otherwise" (swapped), or "" if
        unclear.

        The thing of a half is its first stem that `text` holds. The result is "" unless each half of `text` holds one
        of the two things.
        """
        stems, (one, other) = text.words, text.sets
        first, second = ([stem for stem in half if stem in stems] for half in (self.first, self.second))
        if not first or not second or len(first) + len(second) < _LEAST_SHARED * len(self.first + self.second):
            return ""
        of_first, of_second = (one, other) if first[0] in one else (other, one)
        if second[0] not in of_second:
            return ""
        crossings = [stem in of_second for stem in first[1:]], [stem in of_first for stem in second[1:]]
        if all(flags and not any(flags) for flags in crossings):
            return "alike"
        attributes = [
            list(dropwhile(lambda flag: not flag, flags)) for flags in crossings
        ]  # the first stems that do not cross over may be further words of the thing
        return "otherwise" if all(2 * sum(flags) >= len(flags) > 0 for flags in attributes) else ""

    @cached_property
    def sets(self) -> tuple[frozenset[str], frozenset[str]]:
        return frozenset(self.first), frozenset(self.second)

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(self.first + self.second)


Location = tuple[int, tuple[int, ...]]
"""The index of a passage, and the indices of one or two of its sentences."""


def swapped_in(sentence: str, passages: Sequence[Sequence[str]]) -> Location | None:
    """Where `passages` (each a sequence of sentences) swap the attributes of the two things of `sentence`: a Location.

    None if no passage does, or if some passage pairs them as `sentence` does. The same for a sentence of one half that
    gives a thing the attribute of the other.
    """
    is_quote = any(sentence in texts for texts in passages)
    if is_quote or sentence.rstrip().endswith("?") or len(sentence) > _LONGEST:
        return None
    if _THAN.search(sentence) or _FROM_TO.search(sentence) or _ACTS_ON.search(sentence):
        book = ((n, i, text) for n, texts in enumerate(passages) for i, text in enumerate(texts))
        if reversal := next(((n, (i,)) for n, i, text in book if is_reversal(sentence, text)), None):
            return reversal
    for runs in (False, True):
        # Each half must have a thing and an attribute of its own.
        own = [halves for halves in halves_of(sentence, runs) if min(len(halves.first), len(halves.second)) >= 2]
        comparisons = [
            (sentence_halves.beside(text_halves), (n, indices))
            for n, texts in enumerate(passages if own else ())
            for indices, text_halves in _half_pairs(tuple(texts), runs)
            for sentence_halves in own
        ]
        if any(how == "alike" for how, _ in comparisons):
            return None
        if otherwise := next((location for how, location in comparisons if how == "otherwise"), None):
            return otherwise
    crossings = (
        (n, (i,)) for n, texts in enumerate(passages) for i, text in enumerate(texts)
        if not _NEGATION.search(f"{sentence} {text}") and any(_crosses(sentence, h) for h in halves_of(text, True))
    )  # fmt: skip
    return next(crossings, None)


def _crosses(sentence: str, text: Halves) -> bool:
    """True if `sentence` begins with the thing of one half of `text` and goes on with the words of the other half: "An
    acid turns red litmus blue" by "Acids turn blue litmus red, and alkalis turn red litmus blue".

    text: halves of pairs of adjacent words.
    """
    thing, *pairs = _attributes(sentence, True) or ("",)
    own, other = text.sets if thing in text.first[:1] else reversed(text.sets)
    rest = [pair for pair in pairs if not pair.startswith(f"{thing} ")]
    if not text.is_parallel or thing not in (*text.first[:1], *text.second[:1]) or set(rest) & own:
        return False
    return sum(pair in other for pair in rest) >= max(_FEWEST_CROSSED, len(rest) / 2)


def is_reversal(sentence: str, text: str) -> bool:
    """True if `text` reverses a comparison of `sentence` ("A is larger than B"), a direction ("from A to B") or an act
    ("A told B").
    """
    if bool(_NEGATION.search(sentence)) != bool(_NEGATION.search(text)):
        return False
    return _compared_otherwise(sentence, text) or _leads_otherwise(sentence, text) or _acts_otherwise(sentence, text)


@lru_cache(maxsize=4096)
def halves_of(sentence: str, runs: bool = False) -> tuple[Halves, ...]:
    """Every split of a sentence into two halves. runs: compare pairs of adjacent words instead of single words, for
    halves that hold the same words in another order ("blue litmus red")."""
    if len(sentence) > _LONGEST:
        return ()
    if respective := _RESPECTIVELY.search(sentence):
        second, *between = respective["other"].split()
        ones = (f"{respective['one']} {' '.join(between[-2:])}", f"{second} {respective['last']}")
        return (_halves(*ones, runs),)
    ends = list(_CONTRAST.finditer(sentence))
    if not ends and not _CAUSE.search(sentence):
        ends = list(_JOINED.finditer(sentence)) or list(_COMMA.finditer(sentence))[:2]
    ends = ends if ends and (len(ends) == 1 or not _COMMA.fullmatch(ends[0][0])) else []
    return tuple(_halves(sentence[: end.start()], sentence[end.end() :], runs) for end in ends)


@lru_cache(maxsize=1024)
def _half_pairs(texts: tuple[str, ...], runs: bool) -> tuple[tuple[tuple[int, ...], Halves], ...]:
    """(indices, halves) for the splits of each sentence, and for each two adjacent sentences as two halves."""
    single = [((n,), halves) for n, text in enumerate(texts) for halves in halves_of(text, runs)]
    return (*single, *(((n, n + 1), _halves(*pair, runs)) for n, pair in enumerate(pairwise(texts)) if all(pair)))


def _halves(one: str, other: str, runs: bool = False) -> Halves:
    first, second = _attributes(one, runs), _attributes(other, runs)
    is_parallel = bool(set(content(one)) & set(content(other)))
    return Halves(tuple(w for w in first if w not in second), tuple(w for w in second if w not in first), is_parallel)


@lru_cache(maxsize=8192)
def _attributes(text: str, runs: bool) -> tuple[str, ...]:
    """The stems of `text` in order, then each preposition with its object as one more word. With `runs`: the first stem
    and each pair of adjacent stems."""
    stems = [stem for stem in content(text) if not _SHORT.fullmatch(stem)]
    if runs:
        return tuple(dict.fromkeys([*stems[:1], *(" ".join(pair) for pair in pairwise(stems))]))
    phrases = ((m["how"].lower(), *words(m["thing"])) for m in _DIRECTED.finditer(text))
    directions = [f"{how} {stem(thing[0])}" for how, *thing in phrases if thing and thing[0] not in STOPWORDS]
    return tuple(dict.fromkeys([*stems, *directions]))


def _compared_otherwise(sentence: str, text: str) -> bool:
    sentence_match, text_match = _THAN.search(sentence), _THAN.search(text)
    if not sentence_match or not text_match or stem(sentence_match["how"].lower()) != stem(text_match["how"].lower()):
        return False
    here, there = (_halves(f"{m['one']} {m['what']}", m["other"]) for m in (sentence_match, text_match))
    is_swap = set(here.first) & set(there.second) and set(here.second) & set(there.first)
    return bool(is_swap) and not set(here.second) & set(there.second)


def _leads_otherwise(sentence: str, text: str) -> bool:
    """True if `text` gives the movement of the same thing the opposite direction."""
    if overlap(sentence, text) < _SAME_EVENT:
        return False
    for one, other in ((sentence, text), (text, sentence)):  # the subject of each must be in the other
        if not {*content(_FROM_TO.sub(" ", one))[:1]} & set(content(other)):
            return False
    sentence_match, text_match = (
        {(stem(m["one"].lower()), stem(m["other"].lower())) for m in _FROM_TO.finditer(t)} for t in (sentence, text)
    )
    return any(
        one != other and (other, one) in text_match and (one, other) not in text_match for one, other in sentence_match
    )


def _acts_otherwise(sentence: str, text: str) -> bool:
    """True if in `text` the second thing of `sentence` does to the first what `sentence` says of the first."""
    if overlap(sentence, text) < _SAME_EVENT:
        return False
    own, others = (
        {
            tuple(stem(m[name].lower()) for name in ("one", "how", "other"))
            for m in _ACTS_ON.finditer(each)
            if m["how"].lower() not in STOPWORDS
        }
        for each in (sentence, text)
    )
    return any((other, how, one) in others and (one, how, other) not in others for one, how, other in own)
