"""The frequency of English words in the word list of pyspellchecker."""

from functools import lru_cache

from spellchecker import SpellChecker

RARE = 50
"""The count of words that the list knows without a measured frequency."""
_COMMON, _LONG = 100, 8  # what is rarer may be no word, unless it is long
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


@lru_cache(maxsize=1)
def _counts() -> dict[str, int]:
    return dict(SpellChecker(language="en").word_frequency.dictionary)
