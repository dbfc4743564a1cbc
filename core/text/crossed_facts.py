"""Finds sentences that give one of two things what a text says of the other.

"Speed is a vector, while velocity is a scalar" has the same words as "Velocity is a vector, and speed is a scalar", and
language models often take the two for one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import dropwhile, pairwise
from typing import Literal

from core.text.certainty import UNSURE
from core.text.lexicon import word_set
from core.text.words import NEGATION, STOPWORDS, content, overlap, stem, words

_CONTRAST = re.compile(
    r"(?:\s*[,;])?\s+(?:while|whereas|whilst|but|though|although|unlike|on the other hand|in contrast)\b,?\s*|;\s+",
    re.IGNORECASE,
)
_JOINED = re.compile(r"(?:\s*,)?\s+and\s+", re.IGNORECASE)
"""Two halves meet at a contrast word; at an "and" if there is none; else at the only comma, if they
have a word in common: "Herbivores eat plants, carnivores eat meat"."""
_CAUSES = frozenset("because since so therefore hence thus".split())
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
    r"\b(?P<how>from)\s+(?:the\s+)?(?P<one>[\w’'-]+)(?:\s+\w+)?\s+(?:in)?to(?:wards?)?\s+(?:the\s+)?(?P<other>[\w’'-]+)",
    re.IGNORECASE,
)
_DIRECTED = re.compile(
    r"\b(?P<how>to|towards?|into|from|above|below|before|after|under|over|inside|outside|without|with)\s+"
    r"(?:the\s+|an?\s+|its\s+|their\s+)?(?P<thing>[\w’'-]+)",
    re.IGNORECASE,
)
"""A preposition and its object count as one word: "to the heart" is another attribute than "from the heart"."""
_DETERMINER = r"(?:the|an?|his|her|its|their|our|my)"
_ACTS_ON = re.compile(
    rf"\b{_DETERMINER}\s+(?P<one>[\w’'-]+)\s+(?P<how>\w+)\s+(?:(?:to|at)\s+)?{_DETERMINER}\s+(?P<other>[\w’'-]+)",
    re.IGNORECASE,
)
"""Who does something to whom: "The king said to his men"."""
_SHORT = re.compile(r"[\d.,]{1,2}|[^\W\d]|\d+[.,]\d+")
"""Symbols and small numbers, whose meaning changes from line to line; another rule checks numbers with units."""
_LEAST_SHARED = 0.5
"""The least share of the distinguishing words of a sentence that a text must hold to be compared with it."""
_FEWEST_CROSSED = 2
"""The fewest pairs of adjacent words of a sentence that are those of another thing."""
_SAME_EVENT = 0.6
"""The least share of a sentence's words that a text must hold to describe the same event."""
_LONGEST = 600
"""The most characters of a sentence that is compared; a longer one has more than two halves."""


@dataclass(frozen=True)
class Halves:
    """The two halves of a sentence, each as the stems, or pairs of adjacent stems, that only this half holds, in their
    order. is_parallel: True if both halves hold some stem, such as that of a verb.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    is_parallel: bool

    def beside(self, text: "Halves") -> Literal["alike", "otherwise", ""]:
        """How `text` pairs things and attributes, compared with this sentence: "alike", "otherwise" (crossed), or "" if
        unclear.

        The thing of a half is its first stem that `text` holds. The result is "" unless each half of `text` holds one
        of the two things.
        """
        one, other = set(text.first), set(text.second)
        first, second = ([stem for stem in half if stem in one | other] for half in (self.first, self.second))
        if not first or not second or len(first) + len(second) < _LEAST_SHARED * len(self.first + self.second):
            return ""
        of_first, of_second = (one, other) if first[0] in one else (other, one)
        if second[0] not in of_second:
            return ""
        crossings = [stem in of_second for stem in first[1:]], [stem in of_first for stem in second[1:]]
        if all(flags and not any(flags) for flags in crossings):
            return "alike"
        # The first stems that do not cross over may be further words of the thing.
        attributes = [list(dropwhile(lambda flag: not flag, flags)) for flags in crossings]
        return "otherwise" if all(2 * sum(flags) >= len(flags) > 0 for flags in attributes) else ""

    def mixes(self, text: "Halves") -> bool:
        """True if each half of this sentence has words of both halves of `text`: "downward for positive, upward for
        negative" where `text` has "upward for positive, downward for negative".
        """
        halves = (set(self.first), set(self.second))
        shared = [(half & set(text.first), half & set(text.second)) for half in halves]
        count = sum(len(one | other) for one, other in shared)
        return all(one and other for one, other in shared) and count >= _LEAST_SHARED * sum(map(len, halves))


def is_crossed(sentence: str, lines: Sequence[str]) -> bool:
    """True if `sentence` gives one of two things what one of `lines`, or two adjacent ones, say of the other, if it
    mixes the two halves of a line, or if it reverses a comparison, a direction or an act.

    False if some line pairs them as `sentence` does.
    """
    if sentence in lines or sentence.rstrip().endswith("?") or len(sentence) > _LONGEST:
        return False
    lines = tuple(line for line in lines if "?" not in line)
    # A comparison, direction or act is compared with those that are denied too if it is denied.
    same = [line for line in lines if bool(NEGATION.search(line)) == bool(NEGATION.search(sentence))]
    comparisons = {_comparison(sentence, line) for line in same}
    is_reversed = "otherwise" in comparisons and "alike" not in comparisons
    if is_reversed or any(_reverses(sentence, line) for line in same):
        return True
    for in_pairs in (False, True):
        # Each half must have a thing and an attribute of its own.
        own = [halves for halves in _halves_of(sentence, in_pairs) if min(len(halves.first), len(halves.second)) >= 2]
        text = _all_halves(lines, in_pairs) if own else ()
        found = {halves.beside(others) for others in text for halves in own}
        if "alike" in found:
            return False
        if "otherwise" in found:
            return True
    affirmed = [line for line in lines if not NEGATION.search(f"{sentence} {line}")]
    if any(_takes_over(sentence, halves) for line in affirmed for halves in _halves_of(line, True)):
        return True
    own = _halves_of(sentence, False)
    return any(halves.mixes(text) for line in affirmed for text in _halves_of(line, False) for halves in own)


def _takes_over(sentence: str, text: Halves) -> bool:
    """True if `sentence` begins with the thing of one half of `text` and goes on with the words of the other half: "An
    acid turns red litmus blue" by "Acids turn blue litmus red, and alkalis turn red litmus blue".

    text: halves of pairs of adjacent words.
    """
    thing, *pairs = _attributes(sentence, True) or ("",)
    if not text.is_parallel or thing not in (*text.first[:1], *text.second[:1]):
        return False
    own, other = (text.first, text.second) if thing == text.first[0] else (text.second, text.first)
    rest = [pair for pair in pairs if not pair.startswith(f"{thing} ")]
    return not set(rest) & set(own) and sum(pair in other for pair in rest) >= max(_FEWEST_CROSSED, len(rest) / 2)


def _reverses(sentence: str, text: str) -> bool:
    """True if `text` reverses a direction of `sentence` ("from A to B") or an act ("A told B"). Directions count if
    the subject of each is in the other, since they are then of one movement.
    """
    if overlap(sentence, text) < _SAME_EVENT:
        return False
    both = ((sentence, text), (text, sentence))
    moves = all(set(content(_FROM_TO.sub(" ", one))[:1]) & set(content(other)) for one, other in both)
    own, others = (
        {tuple(stem(m[name].lower()) for name in ("one", "how", "other"))
         for m in [*(_FROM_TO.finditer(each) if moves else ()),
                   *(act for act in _ACTS_ON.finditer(each) if act["how"].lower() not in STOPWORDS)]}
        for each in (sentence, text)
    )  # fmt: skip
    return any((other, how, one) in others and (one, how, other) not in others for one, how, other in own)


def _comparison(sentence: str, text: str) -> Literal["alike", "otherwise", ""]:
    """Does `text` make the comparison of `sentence` ("A is larger than B")? "alike"; "otherwise" if it makes the
    reverse one; "" if it makes neither."""
    here, there = _THAN.search(sentence), _THAN.search(text)
    if not here or not there or stem(here["how"].lower()) != stem(there["how"].lower()):
        return ""
    own, others = (_halves(f"{m['one']} {m['what']}", m["other"], False) for m in (here, there))
    if set(own.second) & set(others.second):
        return "alike" if set(own.first) & set(others.first) else ""
    is_reversed = set(own.first) & set(others.second) and set(own.second) & set(others.first)
    return "otherwise" if is_reversed else ""


@lru_cache(maxsize=1024)
def _all_halves(lines: tuple[str, ...], in_pairs: bool) -> tuple[Halves, ...]:
    """The halves of each line, and each two adjacent lines as halves."""
    beside = (_halves(*both, in_pairs) for both in pairwise(lines) if all(both))
    return (*(halves for line in lines for halves in _halves_of(line, in_pairs)), *beside)


@lru_cache(maxsize=4096)
def _halves_of(sentence: str, in_pairs: bool) -> tuple[Halves, ...]:
    """Every split of a sentence into two halves. in_pairs: compare pairs of adjacent words instead of single words, for
    halves that hold the same words in another order ("blue litmus red")."""
    if len(sentence) > _LONGEST:
        return ()
    if respective := _RESPECTIVELY.search(sentence):
        second, *between = respective["other"].split()
        return (_halves(f"{respective['one']} {' '.join(between[-2:])}", f"{second} {respective['last']}", in_pairs),)
    ends, is_cause = list(_CONTRAST.finditer(sentence)), bool(_CAUSES & word_set(sentence))
    if not ends and not is_cause:
        ends = list(_JOINED.finditer(sentence))
    halves = tuple(_halves(sentence[: end.start()], sentence[end.end() :], in_pairs) for end in ends)
    if ends or is_cause or in_pairs:
        return halves
    clauses = sentence.split(", ")
    halves = (_halves(*clauses, in_pairs),) if len(clauses) == 2 else ()
    return tuple(half for half in halves if half.is_parallel)


def _halves(one: str, other: str, in_pairs: bool) -> Halves:
    first, second = _attributes(one, in_pairs), _attributes(other, in_pairs)
    return Halves(
        tuple(word for word in first if word not in second),
        tuple(word for word in second if word not in first),
        is_parallel=bool(set(_attributes(one, False)) & set(_attributes(other, False))),
    )


@lru_cache(maxsize=8192)
def _attributes(text: str, in_pairs: bool) -> tuple[str, ...]:
    """The stems of `text` in order, then each preposition with its object as one more word. in_pairs: the first stem
    and each pair of adjacent stems.
    """
    text = UNSURE.sub(" ", text)  # "usually" is no attribute of a thing
    stems = [stem for stem in content(text) if not _SHORT.fullmatch(stem)]
    if in_pairs:
        return tuple(dict.fromkeys([*stems[:1], *map(" ".join, pairwise(stems))]))
    phrases = ((m["how"].lower(), *words(m["thing"])) for m in _DIRECTED.finditer(text))
    directions = [f"{how} {stem(thing[0])}" for how, *thing in phrases if thing and thing[0] not in STOPWORDS]
    return tuple(dict.fromkeys([*stems, *directions]))
