"""What a question may be asked as instead: better questions."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from core.case import Passage, Scope
from core.retrieval.question_parts import points_back
from core.text.verifiable_facts import defined
from core.text.words import content

SHOWN = 3
_ANSWERABLE = 0.5
"""A question is offered when a passage answers it at least this probably."""
_NEAR = 0.27
"""Least mean of two cosines of a question that is offered: with what was asked, of itself and of what answers it."""
_ON_TOPIC = 0.4
"""Least cosine of the question with a passage of its topic; with less there is no topic to offer anything of."""
_SEARCHED = 30
"""Passages whose questions are looked at."""


def questions_of(passage: Passage) -> list[str]:
    """Questions that a passage defines the answer to: "What is photosynthesis?"."""
    return list(dict.fromkeys(question for question, _, _ in definitions_of(passage)))


def definitions_of(passage: Passage) -> Iterator[tuple[str, str, int]]:
    """The question that each definition answers, its term, and the place of its sentence in the passage."""
    for place, sentence in enumerate(passage.sentences):
        for verb, term in () if sentence.endswith("?") else defined(sentence):
            if not points_back(term):  # "its spectrum" asks nothing by itself
                yield f"What {verb} {term}?", term, place


def suggestions(query: str, retriever: Any, scope: Scope, topic: str, count: int = SHOWN) -> tuple[str, ...]:
    """Up to `count` questions near `query` that can be answered within `scope`, the nearest first; () for none near.

    topic: the document whose passage answers `query` best; what another one defines is of another topic.
    """
    embed = retriever.models.embedder.encode
    vector, where = embed([query])[0], replace(scope, documents=(topic,))
    found = retriever.library.nearest(vector, _SEARCHED, where)
    if not found or found[0][1] < _ON_TOPIC:
        return ()
    near = {
        question: cosine
        for passage, cosine in reversed(found)
        for question in questions_of(passage)
        if content(question) != content(query)
    }
    if not near:
        return ()
    vectors = embed(list(near))
    closeness = (vectors @ vector + np.array(list(near.values()))) / 2
    offered: list[str] = []
    for n in np.argsort(-closeness, kind="stable"):
        if closeness[n] < _NEAR or len(offered) == count:
            break
        question = list(near)[n]
        if retriever.answerable(question, vectors[n], scope) >= _ANSWERABLE:
            offered.append(question)
    return tuple(offered)
