"""Seed D's stage 1 by rules: which sentences of an answer need a fact check, what one may do against the interest of a
house, and how far it drifts from its topics."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from core.case import Case
from core.retrieval.intent import last_answer, tool_texts
from core.retrieval.library_vocabulary import LibraryVocabulary
from core.settings.domains import Domain, domain
from core.text.quantities import numbers
from core.text.small_talk import affirms, beyond_courtesy, form_of, in_lexicon, runs, topic_of
from core.text.words import content, stem, words

_EXPLAINS = re.compile(
    r"^(?:by )?(?P<term>[^.,;:?!]{2,60}?),? (?:i (?:just )?(?:mean|meant)|means?|refers? to|stands? for|is|are)\b"
    r"(?P<rest>.+)",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"[,;:()–—]|\b(?:that|because|which|who|when|while|since|as|if|so|but)\b", re.IGNORECASE)
_TOPIC = 3
"""Most words of the library side by side that still name a topic and state nothing."""


def need_check(case: Case, vocabulary: LibraryVocabulary) -> list[bool]:
    """For each sentence of the draft whether it states something to be checked: all do that are not plainly talk.

    A sentence goes free in one of four ways only: it is courtesy, or an offer or a question that names no more than a
    topic; in small talk, it has nothing of the library in it; it presents what a tool gave; or it explains the
    assistant's own words. A number, and a word of the library that something is said about, always need a check.
    """
    return [not _is_free(s.text, case, vocabulary) for s in case.sentences]


def explains_itself(sentence: str, case: Case, vocabulary: LibraryVocabulary) -> bool:
    """True when a sentence says what the assistant meant by words of its own last turn, no term of the library."""
    said = last_answer(case.question)
    match = _EXPLAINS.match(sentence) if case.kind == "about_last_turn" and said else None
    if not match or not _are_own_words(match["term"], said, vocabulary):
        return False
    new = set(numbers(match["rest"]).values()) - set(numbers(said).values())
    return not (new or affirms(sentence) or speaks_of_library(match["rest"], vocabulary))


def speaks_of_library(text: str, vocabulary: LibraryVocabulary) -> bool:
    """True when a clause holds a term that the library explains, or is made of the library's words for the most part.

    Everyday words stand in books and in shops' terms too, so a few of them do not make a clause speak of the library.
    """
    return any(vocabulary.explains(clause) or _is_mostly_held(clause, vocabulary) for clause in _CLAUSES.split(text))


def _is_free(sentence: str, case: Case, vocabulary: LibraryVocabulary) -> bool:
    if form_of(sentence) != "statement":
        return _names_a_topic_at_most(sentence, vocabulary)
    if case.kind == "small_talk":
        return not (numbers(sentence) or affirms(sentence) or set(beyond_courtesy(sentence)) & vocabulary.stems)
    if case.kind == "tool_result":
        return _presents(sentence, "\n".join(tool_texts(case.question)), vocabulary)
    return explains_itself(sentence, case, vocabulary)


def _names_a_topic_at_most(sentence: str, vocabulary: LibraryVocabulary) -> bool:
    """True for courtesy, and for an offer or a question whose words of the library name a topic as the library does."""
    if form_of(sentence) == "courtesy":
        return True
    topic = topic_of(sentence)
    if topic is None or affirms(topic):
        return False
    named = runs(content(topic), vocabulary.stems - in_lexicon("courtesy"))
    return all(len(run) <= _TOPIC and (len(run) == 1 or vocabulary.holds(run)) for run in named)


def _presents(sentence: str, told: str, vocabulary: LibraryVocabulary) -> bool:
    """True when a sentence hands on what a tool gave: its numbers are the tool's, and no term of the library is there.

    A number may also count the things that the sentence lists.
    """
    given = set(numbers(told).values()) | {float(len(listed(sentence)))}
    if affirms(sentence) or set(numbers(sentence).values()) - given:
        return False
    added = set(_stated(sentence)) - set(content(told))
    return not added & vocabulary.stems and not speaks_of_library(sentence, vocabulary)


def listed(sentence: str) -> Sequence[str]:
    """The things that a sentence lists behind its colon, by commas or by "and"."""
    _, colon, rest = sentence.partition(":")
    return [part for part in re.split(r",\s*(?:and\s+)?|\s+and\s+", rest.strip()) if part] if colon else []


def _is_mostly_held(clause: str, vocabulary: LibraryVocabulary) -> bool:
    stated = _stated(clause)
    return 2 * sum(w in vocabulary.stems for w in stated) > len(stated)


def _stated(text: str) -> list[str]:
    """The stems of `text` with which something may be stated: no courtesy, no word of handing on, no number or unit."""
    return [w for w in beyond_courtesy(text) if w not in in_lexicon("presenting") and w.isalpha() and len(w) > 2]


def _are_own_words(term: str, said: str, vocabulary: LibraryVocabulary) -> bool:
    """True for words of the assistant's last turn that are no term of the library."""
    stems = content(term)
    return bool(stems) and set(stems) <= set(content(said)) and not vocabulary.holds(stems)


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
