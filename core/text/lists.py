"""Lists in running text: which sentences are items, and which sentence opens the list that an item belongs to."""

import re
from collections.abc import Sequence
from itertools import takewhile
from string import ascii_lowercase
from typing import NamedTuple

_BULLET = re.compile(r"[•▪●○■□➢✓]\s*")
_NUMBERED = re.compile(r"(\(?)(\d{1,2}|[a-z]|[ivx]{1,4})(?:(\))\s*|(\.)\s+)(?=\S)")
_ORDINAL = re.compile(r"(First|Second|Third|Fourth|Fifth|Sixth)(?:ly)?,?\s+(?=[a-z])")
_ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth")
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv")
_ANNOUNCES = re.compile(
    r"(?::\s?[-–—]?|[-–—])$"
    r"|\b(?:following|as follows|these are|given below|listed below|some (?:of |more |other )?examples"
    r"|(?:two|three|four|five|six|seven|several|many|different|various|main) (?:\w+ ){0,2}?\w+s)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\b(?:has|have|had|are|were|is|for|by|in|into|of) (?:(?:main|the) )?(two|three|four) (?:\w+ ){0,2}?\w+s\b"
    r"[^.!?:;]{0,40}[.:]$",
    re.IGNORECASE,
)
_ITEM_WORDS = 20
_COUNTS = {"two": 2, "three": 3, "four": 4}
_ADDS = re.compile(
    r"(?:also|another|besides|finally|in addition|lastly|moreover|the (?:other|second|third|last))\b"
    r"|(?:it|they|these)\b(?: \w+)? also\b",
    re.IGNORECASE,
)
"""The start of the last item of a list without markers."""
_STOPS = (".", "!", "?", "।")
_PAUSE = re.compile(r"[:–—-]\s+")
_BETWEEN = 4
"""The most sentences from one item to the next; an item may have several sentences."""


class _Marker(NamedTuple):
    """The marker of an item. style: the notation that all markers of a list share. numbers: the positions in the list
    that it may stand for. length: its characters."""

    style: str
    numbers: frozenset[int]
    length: int


def without_list_marker(sentence: str) -> str:
    """`sentence` without the bullet or number before it."""
    marker = _marker(sentence)
    return sentence[marker.length :] if marker and marker.style != "ordinal" else sentence


def begins_enumeration(sentence: str) -> bool:
    """True for a sentence that announces a number of items ("for two reasons") or is a first item ("First, ...")."""
    marker = _marker(sentence)
    first = marker is not None and marker.style == "ordinal" and 1 in marker.numbers
    return first or bool(_COUNTED.search(sentence))


def list_openers(sentences: Sequence[str]) -> tuple[int | None, ...]:
    """For each sentence, the index of the sentence that opens its list; None for a sentence that is no item.

    A list starts with a bullet or the first number after an announcing sentence or a heading. Its numbers increase by
    one; an item may have further sentences, which are no items. If the opener gives the number of items, they need no
    markers, but the last one must have a word such as "also".
    """
    openers: list[int | None] = [None] * len(sentences)
    opener, style, number, last = None, "", 0, 0
    for index, sentence in enumerate(sentences):
        marker = _marker(sentence)
        if marker is None:
            continue
        goes_on = opener is not None and marker.style == style and index - last <= _BETWEEN
        if goes_on and (style == "bullet" or number + 1 in marker.numbers):
            number += 1
        elif index and 1 in marker.numbers and _opens(sentences[index - 1]):
            opener, style, number = index - 1, marker.style, 1
        else:
            opener = _sentence_with_first_item(sentences, index, marker)
            style, number = marker.style, 2
        openers[index], last = opener, index
    for opener in range(len(sentences)):
        for item in _unmarked_items(sentences, opener, openers):
            openers[item] = opener
    return tuple(openers)


def _unmarked_items(sentences: Sequence[str], opener: int, openers: Sequence[int | None]) -> range:
    """The indices of the items of a list without markers after its opener: sentences in lower case after a colon or a
    dash; or as many sentences as the opener announces, if the last one has a word such as "also": "It has two uses. It
    keeps food fresh. It also melts ice."
    """
    after = sentences[opener + 1 :] if sentences[opener].endswith((":", "–", "—")) else ()
    in_lower_case = list(takewhile(_continues_a_list, after))
    if len(in_lower_case) > 1:
        return range(opener + 1, opener + 1 + len(in_lower_case))
    count_match = _COUNTED.search(sentences[opener])
    items = range(opener + 1, opener + 1 + _COUNTS[count_match[1].lower()]) if count_match else range(0)
    if not items or items.stop > len(sentences) or any(openers[n] is not None for n in items):
        return range(0)
    is_other = any(_marker(sentences[n]) or "?" in sentences[n] for n in (opener, *items))
    return items if not is_other and _ADDS.match(sentences[items[-1]]) else range(0)


def _continues_a_list(sentence: str) -> bool:
    """True for at most 20 words in lower case without a question mark or a marker."""
    is_short = sentence[:1].islower() and len(sentence.split()) <= _ITEM_WORDS
    return is_short and "?" not in sentence and not _marker(sentence)


def _sentence_with_first_item(sentences: Sequence[str], index: int, second: _Marker) -> int | None:
    """The index of the sentence that opens a list with its first item, as "It has two uses: (i) It heats." does."""
    if second.style != "bullet" and 2 not in second.numbers:
        return None
    for before in range(index - 1, max(-1, index - 1 - _BETWEEN), -1):
        for pause in _PAUSE.finditer(sentences[before]):
            first = _marker(sentences[before][pause.end() :])
            if first and first.style == second.style and 1 in first.numbers:
                return before
    return None


def _marker(sentence: str) -> _Marker | None:
    if bullet := _BULLET.match(sentence):
        return _Marker("bullet", frozenset({1}), bullet.end())
    if ordinal := _ORDINAL.match(sentence):
        return _Marker("ordinal", frozenset({_ORDINALS.index(ordinal[1]) + 1}), ordinal.end())
    if not (numbered := _NUMBERED.match(sentence)):
        return None
    opening, sign, bracket, stop = numbered.groups()
    kind, numbers = ("digit", [int(sign)]) if sign.isdigit() else ("letter", [])
    if kind == "letter":  # "i" is the first Roman number and the ninth letter
        numbers = [n for n, letter in enumerate(ascii_lowercase, 1) if sign in (letter, *_ROMAN[n - 1 : n])]
    return _Marker(f"{opening}{kind}{bracket or stop}", frozenset(numbers), numbered.end())


def _opens(sentence: str) -> bool:
    """True for a sentence that announces a list, and for a heading, which has no full stop; False for a question."""
    announces = _ANNOUNCES.search(sentence) or not sentence.rstrip("\"'”’)]").endswith(_STOPS)
    return bool(announces) and "?" not in sentence and _marker(sentence) is None
