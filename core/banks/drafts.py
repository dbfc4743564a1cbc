"""Rows that a person may want in a bank: questions that the library's own sentences answer, and neighbours that none
does; made by rule, so that each can be held against its sentence, and in no bank until somebody says so."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from core.banks.rows import checked
from core.case import Passage
from core.retrieval.suggestions import definitions_of
from core.text.verifiable_facts import proper_names
from core.text.words import content, words

MOST = 100
"""Rows of one document."""
_UNTOLD = (
    ("Who was the first to describe {term}?", "who was the first to describe it"),
    ("In which year did somebody describe {term} for the first time?", "in which year it was first described"),
)
"""What a book may leave out of a thing that it explains, as a question and in words; asked by turns."""
_LEANS = re.compile(r"\b(?:this|these|they|such)\b", re.IGNORECASE)
"""Such a sentence says nothing without the one before."""
_TELLS = re.compile(r"\b(?:1[0-9]|20)\d\d\b|\b(?:discover|invent|first|name[ds] (?:by|after))", re.IGNORECASE)
"""What a sentence holds that might answer either."""


def drafts_of(document: str, passages: Sequence[Passage]) -> list[dict[str, Any]]:
    """Rows about what `document` explains, in its order, each question followed by one that nothing here answers.

    passages: of the whole library. A question expects the rarest word of its sentence as its fact, and has that
    sentence as its reference; of its neighbour a note says what is missing. No two ask the same.
    """
    seen = Counter(word for passage in passages for word in set(content(passage.text)))
    found: dict[str, dict[str, Any]] = {}
    for question, term, passage, place in _explained(document, passages):
        sentence = passage.sentences[place]
        fact = _fact(sentence, question, seen)
        if question in found or fact is None or _LEANS.search(sentence):
            continue
        about = {"class_number": passage.class_number, "subject": passage.subject} if passage.subject else {}
        row = {"query": question, "expected": "answered", "facts": [fact], "reference": sentence, "document": document}
        found[question] = row | about
        ask, what = _UNTOLD[len(found) // 2 % len(_UNTOLD)]
        if not _told(term, passages):
            note = f"No sentence of the library that names {term} says {what}."
            found[ask.format(term=term)] = {"query": ask.format(term=term), "expected": "refused", "note": note} | about
        if len(found) >= MOST:
            break
    return [checked({"kind": "draft", **row}) for row in found.values()]


def _explained(document: str, passages: Iterable[Passage]) -> Iterator[tuple[str, str, Passage, int]]:
    for passage in passages:
        if passage.name == document and passage.tells:
            for question, term, place in definitions_of(passage):
                if place not in passage.broken:
                    yield question, term, passage, place


def _fact(sentence: str, question: str, seen: Counter[str]) -> str | None:
    """The word of a sentence that fewest passages hold and that its question does not say; None without any."""
    asked = set(content(question))
    told = [word for word in words(sentence) if (stem := content(word)) and not asked & set(stem)]
    return min(told, key=lambda word: seen[content(word)[0]], default=None)


def _told(term: str, passages: Iterable[Passage]) -> bool:
    """Might a sentence that names `term` say who saw it first, or when?"""
    wanted = set(content(term))
    sentences = (s for passage in passages for s in passage.sentences if wanted <= set(content(s)))
    return any(_TELLS.search(s) or proper_names(s) for s in sentences)
