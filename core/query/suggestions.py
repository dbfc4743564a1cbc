"""Better questions: what the library can answer, close to what was asked."""

from typing import Any

import numpy as np

from core.case import Passage, Scope
from core.text.definitions import defined
from core.text.words import content

SHOWN = 3
_ANSWERABLE = 0.5
"""A question is offered when a passage answers it at least this probably."""
_CANDIDATES = 12


def questions_of(passage: Passage) -> list[str]:
    """Questions that a passage defines the answer to: "What is photosynthesis?"."""
    found = [
        f"What {verb} {term}?"
        for sentence in passage.sentences
        if not sentence.endswith("?")
        for verb, term in defined(sentence)
    ]
    return list(dict.fromkeys(found))


def suggestions(query: str, retriever: Any, scope: Scope, count: int = SHOWN) -> tuple[str, ...]:
    """Up to `count` questions close to `query` that the library can answer within `scope`, the closest first."""
    embed = retriever.models.embedder.encode
    vector = embed([query])[0]
    near = [p for p, _ in retriever.library.nearest(vector, 60, scope)]
    candidates = [q for q in dict.fromkeys(q for p in near for q in questions_of(p)) if not _same(q, query)]
    if not candidates:
        return ()
    vectors = embed(candidates)
    offered: list[str] = []
    for n in np.argsort(-(vectors @ vector), kind="stable")[:_CANDIDATES]:
        if retriever.answerable(candidates[n], vectors[n], scope) >= _ANSWERABLE:
            offered.append(candidates[n])
        if len(offered) == count:
            break
    return tuple(offered)


def _same(one: str, other: str) -> bool:
    return content(one) == content(other)
