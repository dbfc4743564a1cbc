"""How often English words are written, by the word list of pyspellchecker."""

from functools import lru_cache

from spellchecker import SpellChecker

RARE = 50
"""The count that the list gives to words that it merely knows."""
_COMMON, _LONG = 100, 8  # what is rarer may be no word, unless it is long
_SHORT = frozenset(
    """a i am an as at be by do go he if in is it me my no of oh on or ox so to up us we
    co ex mid non pre pro semi sub""".split()
)
"""All words of one or two letters, and first parts of words that writers set apart: "non linear"."""


def frequency(word: str) -> int:
    """How often the list counts `word`, in any case, among its 1.6 billion words; 0 for what it does not hold."""
    return _counts().get(word.lower(), 0)


def is_known(word: str) -> bool:
    """Is `word` surely an English word?"""
    return frequency(word) >= (RARE if len(word) >= _LONG else _COMMON)


def may_stand_alone(word: str) -> bool:
    """May `word` be a word of its own? The list counts many pieces of two letters, which are none."""
    return word.lower() in _SHORT or (len(word) > 2 and frequency(word) > RARE)


@lru_cache(maxsize=1)
def _counts() -> dict[str, int]:
    return dict(SpellChecker(language="en").word_frequency.dictionary)
