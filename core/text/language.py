"""Which language a question is in, as far as it can be told without a model, and whether a library is in English."""

import json
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from core.text.words import STOPWORDS, words

LEXICON = Path(__file__).parents[2] / "data" / "languages.json"
HINDI = "Hindi"
"""The one language beside English in which something is said back: in Devanagari, as who asks in it reads it."""
UNKNOWN = "another language"
"""A language that is seen by its script alone."""
_LATIN, _DEVANAGARI = "LATIN", "DEVANAGARI"
_LEAST = 2
"""Different small words of a language that show it in Latin script: "de Broglie" has one, and is English."""
_READ = 200
"""Passages that are enough to tell the language of a library."""


def language_of(text: str) -> str:
    """The language of `text`: a name of data/languages.json, UNKNOWN, or "" for English and for what cannot be told.

    By the script of most of its words, a lone letter such as λ being a symbol; in Latin script by its small words: one
    language is another when more of these are its own than English.
    """
    said = [w for w in words(text) if len(w) > 1 and not w[0].isdigit()]
    scripts = [_script(w) for w in said]
    foreign = [s for s in scripts if s != _LATIN]
    small = {language: len(set(said) & own) for language, own in _small_words().items()}
    likeliest = max(small, key=small.get)
    if 2 * len(foreign) > len(said):
        return likeliest if small[likeliest] else HINDI if _DEVANAGARI in foreign else UNKNOWN
    english = len(set(said) & STOPWORDS)
    return likeliest if small[likeliest] >= _LEAST and small[likeliest] > english else ""


def in_english(texts: Iterable[str]) -> bool:
    """True when most of these texts, of the first few hundred, are in English; False without any."""
    read = [language_of(text) for _, text in zip(range(_READ), texts, strict=False)]
    return 2 * read.count("") > len(read)


def _script(word: str) -> str:
    """The script of a word's first letter, as Unicode names it."""
    letter = next((c for c in word if c.isalpha()), "a")
    return unicodedata.name(letter, "UNKNOWN").partition(" ")[0]


@lru_cache(maxsize=1)
def _small_words() -> Mapping[str, frozenset[str]]:
    """The small words of each language that are not English too."""
    stored = json.loads(LEXICON.read_text(encoding="utf-8"))
    return {language: frozenset(own) - STOPWORDS for language, own in stored.items()}
