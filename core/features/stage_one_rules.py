"""Stage 1 of source document D by rules: which sentences of an answer need a fact check, which ones name competitors,
invented things or rules, and their topic drift: how much closer they are to foreign topics than to those of the domain.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from core.case import Case
from core.retrieval.intent import last_answer, tool_texts
from core.retrieval.library_words import LibraryVocabulary
from core.settings.domains import Domain
from core.text.lexicon import word_set
from core.text.quantities import numbers
from core.text.small_talk import affirms, beyond_courtesy, form_of, in_lexicon, runs, topic_of
from core.text.words import content, stem, words

_EXPLAINS = re.compile(
    r"^(?:by )?(?P<term>[^.,;:?!]{2,60}?),? (?:i (?:just )?(?:mean|meant)|means?|refers? to|stands? for|is|are)\b"
    r"(?P<rest>.+)",
    re.IGNORECASE,
)
_MEANING = re.compile(r"^(?:and )?what (?:do|did) you mean by (?P<term>[^.,;:?!]{2,60})\W*$", re.IGNORECASE)
_CLAUSES = re.compile(r"[,;:()–—]|\b(?:that|because|which|who|when|while|since|as|if|so|but)\b", re.IGNORECASE)
_TOPIC = 3
"""Maximum number of adjacent library words that only name a topic; more of them count as a statement."""


def need_check(case: Case, vocabulary: LibraryVocabulary) -> list[bool]:
    """For each sentence of the draft, True if it needs a fact check.

    These sentences need none:
    - courtesy, and an offer or a question that only names a topic;
    - small talk without words of the library;
    - the presentation of a tool result;
    - an explanation of the assistant's own words.

    A number, and a statement about a word of the library, always need a check.
    """
    return [not _is_free(s.text, case, vocabulary) for s in case.sentences]


def explains_itself(sentence: str, case: Case, vocabulary: LibraryVocabulary) -> bool:
    """True if a sentence explains words of the assistant's last turn, and these words are no term of the library.

    If the question has no earlier turn, the words in "what do you mean by ..." count as the assistant's words.
    """
    last_turn = last_answer(case.question)
    if not last_turn and (named := _MEANING.match(case.question.query.strip())):
        last_turn = named["term"]
    elif case.kind != "about_last_turn":
        return False
    match = _EXPLAINS.match(sentence) if last_turn else None
    term = content(match["term"]) if match else []
    if not term or not set(term) <= set(content(last_turn)) or vocabulary.contains(term):
        return False
    new = set(numbers(match["rest"]).values()) - set(numbers(last_turn).values())
    return not (new or affirms(sentence) or speaks_of_library(match["rest"], vocabulary))


def speaks_of_library(text: str, vocabulary: LibraryVocabulary) -> bool:
    """True if a clause of `text` contains a term that the library explains, or if most words of a clause occur in the
    library.

    Everyday words occur in a library too, so a few of them in a clause do not count.
    """
    for clause in _CLAUSES.split(text):
        stems = _stating_stems(clause)
        if vocabulary.explains(clause) or 2 * sum(w in vocabulary.stems for w in stems) > len(stems):
            return True
    return False


def _is_free(sentence: str, case: Case, vocabulary: LibraryVocabulary) -> bool:
    form = form_of(sentence)
    if form == "courtesy":
        return True
    if form != "statement":  # an offer or a question, whose library words may only name a topic of the library
        topic = topic_of(sentence)
        if topic is None or affirms(topic):
            return False
        topics = runs(content(topic), vocabulary.stems - in_lexicon("courtesy"))
        return all(len(run) <= _TOPIC and (len(run) == 1 or vocabulary.contains(run)) for run in topics)
    if case.kind == "small_talk":
        return not (numbers(sentence) or affirms(sentence) or set(beyond_courtesy(sentence)) & vocabulary.stems)
    if case.kind == "tool_result":
        # Its numbers are those of the tool or count the items that it lists, and it holds no term of the library.
        tool_text = "\n".join(tool_texts(case.question))
        items = re.split(r",\s*(?:and\s+)?|\s+and\s+", sentence.partition(":")[2].strip())
        values = set(numbers(tool_text).values()) | {float(sum(map(bool, items)))}
        if affirms(sentence) or set(numbers(sentence).values()) - values:
            return False
        added = set(_stating_stems(sentence)) - set(content(tool_text))
        return not added & vocabulary.stems and not speaks_of_library(sentence, vocabulary)
    return explains_itself(sentence, case, vocabulary)


def _stating_stems(text: str) -> list[str]:
    """The stems of `text` that may state something: without words of courtesy, words such as "here is", numbers and
    units.
    """
    return [w for w in beyond_courtesy(text) if w not in in_lexicon("presenting") and w.isalpha() and len(w) > 2]


NOWHERE = -1.0
"""The drift of a sentence without a topic: a greeting, thanks, or a refusal to help."""
_FIRST_PERSON = frozenset("we us our ours".split())
_NAME = r"(?:[a-z]?[A-Z][\w+'’-]*)"
_NAMES = re.compile(rf"(?:(?<=[a-z,;:)\d] )|^(?=[a-z][A-Z])){_NAME}(?: (?:of )?(?:{_NAME}|\d[\w.]*))*")
"""Names inside a sentence, with model numbers: "iPhone 15 Pro"."""


def drift(texts: Sequence[str], domain: Domain, embedder: Any) -> list[float]:
    """The topic drift of each text: its highest cosine with a foreign topic minus its highest cosine with a topic of
    the domain, in [-1, 1]. It is NOWHERE (-1) for a text without a topic, such as a greeting or a refusal to help.
    """
    has_topic = [beyond_courtesy(text) and form_of(text) not in ("courtesy", "decline") for text in texts]
    about = [n for n, has_one in enumerate(has_topic) if has_one]
    values = [NOWHERE] * len(texts)
    if about:
        home, elsewhere = _phrases(embedder, domain.topics, domain.elsewhere)
        vectors = embedder.encode([texts[n] for n in about])
        distances = (vectors @ elsewhere.T).max(-1) - (vectors @ home.T).max(-1)
        for n, value in zip(about, np.clip(distances, -1.0, 1.0), strict=True):
            values[n] = float(value)
    return values


@lru_cache(maxsize=8)
def _phrases(embedder: Any, topics: tuple[str, ...], elsewhere: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """(vectors of the topics of a domain, vectors of foreign topics), cached for each embedder."""
    return embedder.encode(list(topics)), embedder.encode(list(elsewhere))


def competitors_in(sentence: str, domain: Domain, evidence_text: str) -> list[str]:
    """The competitors that a sentence names and that do not occur in `evidence_text`, the text of the passages. [] if
    the sentence also speaks of the domain's owner ("we", "our"), since it then compares the two.
    """
    mentions = [m["name"] for m in _mentions(domain.competitors).finditer(sentence)]
    first_person = _FIRST_PERSON & word_set(_mentions(domain.competitors).sub(" ", sentence))
    return [] if first_person else [name for name in mentions if not _contains(name, evidence_text)]


def unheld_things(sentence: str, domain: Domain, vocabulary: LibraryVocabulary, tool_text: str) -> list[str]:
    """The things that a sentence names as the domain's own and that are neither in the library nor in the catalogue nor
    in `tool_text`.

    Numbered things ("Figure 9.4") count in any sentence, other names only in an offer.
    """
    unknown = []
    for mention in _number_pattern(domain.numbered).finditer(sentence):
        kinds = next(k for k in domain.numbered if mention["kind"].lower() in k.split("|"))
        if not vocabulary.holds_number(kinds, mention["number"]):
            unknown.append(mention.group())
    if speaks_of(sentence, domain.offering):
        unknown += [
            name for name in _NAMES.findall(sentence)
            if not (vocabulary.holds_text(name) or any(_contains(name, entry) for entry in domain.catalogue))
        ]  # fmt: skip
    return [thing for thing in unknown if not _contains(thing, tool_text)]


def speaks_of(sentence: str, phrases: Iterable[str]) -> bool:
    """True if a sentence holds one of `phrases` in any form of its words."""
    stems = f" {_stems(sentence)} "
    return any(f" {_stems(phrase)} " in stems for phrase in phrases)


def rules_in(sentence: str, domain: Domain) -> bool:
    """True if a sentence mentions a policy of the domain."""
    return speaks_of(sentence, domain.policy)


def _stems(text: str) -> str:
    return " ".join(stem(word) for word in words(text))


def _contains(thing: str, text: str) -> bool:
    return f" {' '.join(words(thing))} " in f" {' '.join(words(text))} "


@lru_cache(maxsize=64)
def _mentions(names: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for the names, with a plural or possessive ending, and with a word such as "our" and one more before
    them: "our main competitors".
    """
    pattern = "|".join(re.escape(n) for n in names) or r"(?!)"
    whose = r"(?:\b(?:our|my|your|the)(?: \w+)? )?"
    return re.compile(rf"{whose}(?<!\w)(?P<name>(?:{pattern})(?:'s|s|es)?)(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=64)
def _number_pattern(kinds: tuple[str, ...]) -> re.Pattern[str]:
    pattern = "|".join(re.escape(k) for kind in kinds for k in kind.split("|")) or r"(?!)"
    return re.compile(rf"\b(?P<kind>{pattern})s?\.? (?P<number>\d++(?:\.\d+)*+)(?!\w\w)", re.IGNORECASE)
