"""Better questions: what the library can answer, close to what was asked."""

import re
from typing import Any

import numpy as np

from core.case import Passage, Scope

SHOWN = 3
_ANSWERABLE = 0.5
"""A question is offered when a passage answers it at least this probably."""
_CANDIDATES = 12
_CALLED = re.compile(
    r"\b(?:is|are) (?:called|known as|termed) (?:an? |the )?"
    r"([a-z][a-z\- ]{3,40}?)(?=[.,;(]| and | or | because | when |$)"
)
_IS_A = re.compile(r"^(?:An? |The )?([A-Z]?[a-z][a-z\-]+(?: [a-z\-]+){0,3}?) (is|are) (?:an? |the |those |that )")
_NO_TERM = re.compile(
    r"^(?:it|this|that|these|those|there|here|he|she|they|we|you|one|what|such|each|all|some|most|both|another|other"
    r"|answer|example)\b"
    r"|\b(?:it|this|that|which|by|in|of|to|and|for|on)$"
)


def questions_of(passage: Passage) -> list[str]:
    """Questions that a passage defines the answer to: "What is photosynthesis?"."""
    found = []
    for sentence in passage.sentences:
        if sentence.endswith("?"):
            continue
        found += [f"What is {term.strip()}?" for term in _CALLED.findall(sentence) if _is_term(term)]
        if (match := _IS_A.match(sentence)) and _is_term(match.group(1).lower()):
            found.append(f"What {match.group(2)} {_uncapitalised(match.group(1))}?")
    return list(dict.fromkeys(found))


def suggestions(query: str, retriever: Any, scope: Scope, count: int = SHOWN) -> tuple[str, ...]:
    """Up to `count` questions close to `query` that the library can answer within `scope`, the closest first."""
    embed = retriever.models.embedder.encode
    vector = embed([query])[0]
    near = [p for p, _ in retriever.library.nearest(vector, 60, scope)]
    candidates = [q for q in dict.fromkeys(q for p in near for q in questions_of(p)) if not _same(q, query)]
    if not candidates:
        return ()
    order = np.argsort(-(embed(candidates) @ vector), kind="stable")[:_CANDIDATES]
    offered: list[str] = []
    for question in (candidates[n] for n in order):
        found = retriever.search(question, scope, 3).evidence
        if found and found[0].answers >= _ANSWERABLE:
            offered.append(question)
        if len(offered) == count:
            break
    return tuple(offered)


def _is_term(term: str) -> bool:
    return len(term.split()) <= 4 and not _NO_TERM.search(term.strip().lower())


def _same(one: str, other: str) -> bool:
    return re.sub(r"\W", "", one.lower()) == re.sub(r"\W", "", other.lower())


def _uncapitalised(term: str) -> str:
    return term[0].lower() + term[1:]
