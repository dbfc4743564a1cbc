"""The frequency of English words in the word list of pyspellchecker."""

from functools import lru_cache

from spellchecker import SpellChecker

RARE = 50
"""The count of words that the list knows without a measured frequency."""
_COMMON, _LONG = 100, 8  # what is rarer may be no word, unless it is long
_EVERYDAY = 2000
"""The least frequency of a word that people use every day; "photosynthesis" has 253."""
_ENDINGS = ("s", "es", "ed", "d", "ing", "er", "est", "ness", "ly")
"""Endings of the forms of a word."""
_SHORT = frozenset(
    """a i am an as at be by do go he if in is it me my no of oh on or ox so to up us we
    co ex mid non pre pro semi sub""".split()
)
"""All words of one or two letters, and prefixes that writers separate: "non linear"."""


def frequency(word: str) -> int:
    """The count of `word`, in any case, among the 1.6 billion words of the list; 0 for an unknown word."""
    return _counts().get(word.lower(), 0)


def is_known(word: str) -> bool:
    """True if `word` is surely an English word."""
    return frequency(word) >= (RARE if len(word) >= _LONG else _COMMON)


def may_stand_alone(word: str) -> bool:
    """True if `word` may be a word of its own; the list also counts many pieces of two letters, which are no words."""
    return word.lower() in _SHORT or (len(word) > 2 and frequency(word) > RARE)


def is_everyday(word: str) -> bool:
    """True if `word`, or the word that it is a form of, is frequent in everyday English: "absorbs", "shriller"."""
    return max(map(frequency, _bases(word.lower()))) >= _EVERYDAY


def _bases(word: str) -> list[str]:
    """The word, and what it may be a form of: "plugging" gives plugg, plugge and plug."""
    stems = [word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending) and len(word) > len(ending) + 2]
    doubled = [stem[:-1] for stem in stems if stem[-1] == stem[-2]]
    return [
        word,
        *stems,
        *(f"{stem}e" for stem in stems),
        *(f"{stem[:-1]}y" for stem in stems if stem[-1] == "i"),
        *doubled,
    ]


@lru_cache(maxsize=1)
def _counts() -> dict[str, int]:
    return dict(SpellChecker(language="en").word_frequency.dictionary)
