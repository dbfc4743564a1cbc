"""Which sentences of an answer need a fact check: all that are not plainly talk.

A sentence goes free in one of four ways only: it is courtesy, or an offer or a question that names no more than a
topic; in small talk, it has nothing of the library in it; it presents what a tool gave; or it explains the
assistant's own words. A number, and a word of the library that something is said about, always need a check.
"""

import re
from collections.abc import Sequence

from core.case import Case
from core.query.intent import last_answer, tool_texts
from core.retrieval.library_vocabulary import LibraryVocabulary
from core.text.quantities import numbers
from core.text.small_talk import affirms, beyond_courtesy, form_of, in_lexicon, runs, topic_of
from core.text.words import content

_EXPLAINS = re.compile(
    r"^(?:by )?(?P<term>[^.,;:?!]{2,60}?),? (?:i (?:just )?(?:mean|meant)|means?|refers? to|stands? for|is|are)\b"
    r"(?P<rest>.+)",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"[,;:()–—]|\b(?:that|because|which|who|when|while|since|as|if|so|but)\b", re.IGNORECASE)
_TOPIC = 3
"""Most words of the library side by side that still name a topic and state nothing."""


def need_check(case: Case, vocabulary: LibraryVocabulary) -> list[bool]:
    """For each sentence of the draft whether it states something that must be checked."""
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
