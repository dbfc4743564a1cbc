"""What a sentence may do against the interest of a house, and how far it drifts from its topics."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from core.domains import Domain, domain
from core.retrieval.library_vocabulary import LibraryVocabulary
from core.text.small_talk import beyond_courtesy, form_of
from core.text.words import stem, words

NOWHERE = -1.0
"""The drift of a sentence without a topic: a greeting, thanks, or the words of a refusal to help."""
_OURS = re.compile(r"\b(?:we|us|our|ours)\b", re.IGNORECASE)
_NAME = r"(?:[a-z]?[A-Z][\w+'’-]*)"
_NAMED = re.compile(rf"(?:(?<=[a-z,;:)\d] )|^(?=[a-z][A-Z])){_NAME}(?: (?:of )?(?:{_NAME}|\d[\w.]*))*")
"""Names inside a sentence, with the numbers of models behind them: "iPhone 15 Pro"."""


def drift(texts: Sequence[str], house: Domain, embedder: Any) -> list[float]:
    """For each text its best cosine with what does not belong here less the best with what does, in [-1, 1].

    NOWHERE for a text that is about nothing, and for one that declines to speak of what it names.
    """
    about = [n for n, text in enumerate(texts) if _has_topic(text)]
    found = [NOWHERE] * len(texts)
    if about:
        home, elsewhere = _phrases(embedder, house.name)
        vectors = embedder.encode([texts[n] for n in about])
        away = (vectors @ elsewhere.T).max(-1) - (vectors @ home.T).max(-1)
        for n, value in zip(about, np.clip(away, -1.0, 1.0), strict=True):
            found[n] = float(value)
    return found


def _has_topic(text: str) -> bool:
    return bool(beyond_courtesy(text)) and form_of(text) not in ("courtesy", "decline")


@lru_cache(maxsize=8)
def _phrases(embedder: Any, name: str) -> tuple[np.ndarray, np.ndarray]:
    """The vectors of what belongs to a house and of what does not, once for each embedder."""
    house = domain(name)
    return embedder.encode(list(house.topics)), embedder.encode(list(house.elsewhere))


def competitors_in(sentence: str, domain: Domain, documented: str) -> list[str]:
    """The competitors that a sentence speaks of; none where it says what sets the house apart.

    documented: the passages, which may name whom they like.
    """
    said = [m["name"] for m in _mentions(domain.competitors).finditer(sentence)]
    ours = _OURS.search(_mentions(domain.competitors).sub(" ", sentence))
    return [] if ours else [name for name in said if not _in(name, documented)]


def unheld_things(sentence: str, domain: Domain, vocabulary: LibraryVocabulary, told: str) -> list[str]:
    """What a sentence names as the house's own, though neither library, catalogue nor a tool has it.

    Numbered things ("Figure 9.4") wherever they are named; other names where the sentence offers something.
    """
    unknown = [m.group() for m in _numbered(domain.numbered).finditer(sentence) if not _is_known(m, domain, vocabulary)]
    if speaks_of(sentence, domain.offering):
        unknown += [name for name in _NAMED.findall(sentence) if not _stands(name, domain, vocabulary)]
    return [thing for thing in unknown if not _in(thing, told)]


def speaks_of(sentence: str, phrases: Iterable[str]) -> bool:
    """True when a sentence holds one of `phrases`, in whatever form of its words."""
    spoken = f" {_stems(sentence)} "
    return any(f" {_stems(phrase)} " in spoken for phrase in phrases)


def rules_in(sentence: str, domain: Domain) -> bool:
    """True when a sentence speaks of a rule of the house."""
    return speaks_of(sentence, domain.policy)


def _is_known(mention: re.Match[str], domain: Domain, vocabulary: LibraryVocabulary) -> bool:
    kinds = next(k for k in domain.numbered if mention["kind"].lower() in k.split("|"))
    return vocabulary.holds_number(kinds, mention["number"])


def _stands(name: str, domain: Domain, vocabulary: LibraryVocabulary) -> bool:
    return vocabulary.holds_text(name) or any(_in(name, entry) for entry in domain.catalogue)


def _stems(text: str) -> str:
    return " ".join(stem(word) for word in words(text))


def _in(thing: str, text: str) -> bool:
    return f" {' '.join(words(thing))} " in f" {' '.join(words(text))} "


@lru_cache(maxsize=64)
def _mentions(names: tuple[str, ...]) -> re.Pattern[str]:
    """Finds the names, however they end, with what is said of whose they are: "our main competitors"."""
    known = "|".join(re.escape(n) for n in names) or r"(?!)"
    whose = r"(?:\b(?:our|my|your|the)(?: \w+)? )?"
    return re.compile(rf"{whose}(?<!\w)(?P<name>(?:{known})(?:'s|s|es)?)(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=64)
def _numbered(kinds: tuple[str, ...]) -> re.Pattern[str]:
    known = "|".join(re.escape(k) for kind in kinds for k in kind.split("|")) or r"(?!)"
    return re.compile(rf"\b(?P<kind>{known})s?\.? (?P<number>\d+(?:\.\d+)*)(?!\w)", re.IGNORECASE)
