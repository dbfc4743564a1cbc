"""Draft rows for a bank: questions that a sentence of the library answers, each followed by one that no sentence
answers.

Rules write them, without a model. A row joins a bank only when a user accepts it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from core.banks.row import validate_row
from core.case import Passage
from core.retrieval.suggestions import definitions_of
from core.text.verifiable_facts import proper_names
from core.text.words import content, words

MOST = 100
"""Maximum number of rows from one document."""
_UNANSWERED_QUESTIONS = (
    ("Who was the first to describe {term}?", "who was the first to describe it"),
    ("In which year did somebody describe {term} for the first time?", "in which year it was first described"),
)
"""(question template, the fact that it asks for, in words), for questions that a textbook rarely answers; used
in turn.
"""
_BACK_REFERENCE = re.compile(r"\b(?:this|these|they|such)\b", re.IGNORECASE)
"""A sentence with one of these words depends on the sentence before it."""
_MAY_ANSWER = re.compile(r"\b(?:1[0-9]|20)\d\d\b|\b(?:discover|invent|first|name[ds] (?:by|after))", re.IGNORECASE)
"""Years and words with which a sentence might answer one of the question templates."""


def drafts_of(document: str, passages: Sequence[Passage]) -> list[dict[str, Any]]:
    """Return draft rows about the terms that `document` explains, in document order, at most MOST.

    Each row that the library answers is followed by a question on the same term that no sentence answers. The latter is
    omitted if some sentence might answer it.
    passages: all passages of the library. The "reference" of a question is the sentence that explains the term, and its
    "facts" are the word of that sentence that the fewest passages have. The unanswerable question has a note on what is
    missing. No question occurs twice.
    """
    word_counts = Counter(word for passage in passages for word in set(content(passage.text)))
    row_by_query: dict[str, dict[str, Any]] = {}
    definitions = (
        (passage, *definition) for passage in passages if passage.name == document and passage.tells
        for definition in definitions_of(passage)
    )  # fmt: skip
    for passage, question, term, index in definitions:
        sentence = passage.sentences[index]
        asked = set(content(question))
        candidates = [word for word in words(sentence) if (stems := content(word)) and not asked & set(stems)]
        fact = min(candidates, key=lambda word: word_counts[content(word)[0]], default=None)
        is_broken = index in passage.broken
        if is_broken or question in row_by_query or fact is None or _BACK_REFERENCE.search(sentence):
            continue
        scope = {"class_number": passage.class_number, "subject": passage.subject} if passage.subject else {}
        row = {"query": question, "expected": "answered", "facts": [fact], "reference": sentence, "document": document}
        row_by_query[question] = row | scope
        template, missing_fact = _UNANSWERED_QUESTIONS[len(row_by_query) // 2 % len(_UNANSWERED_QUESTIONS)]
        if not _may_be_answered(term, passages):
            note = f"No sentence of the library that names {term} says {missing_fact}."
            unanswered = template.format(term=term)
            row_by_query[unanswered] = {"query": unanswered, "expected": "refused", "note": note} | scope
        if len(row_by_query) >= MOST:
            break
    return [validate_row({"kind": "draft", **row}) for row in row_by_query.values()]


def _may_be_answered(term: str, passages: Iterable[Passage]) -> bool:
    """True if some sentence that names `term` might say when it was first described, or by whom."""
    term_words = set(content(term))
    sentences = (s for passage in passages for s in passage.sentences if term_words <= set(content(s)))
    return any(_MAY_ANSWER.search(s) or proper_names(s) for s in sentences)
