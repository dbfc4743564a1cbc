"""Contexts that came with a question, scored in place of a search: they are the whole library of that question."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from core.case import Closest, Context, Evidence, Passage, Scope
from core.contexts import passages_of
from core.retrieval.retriever import Found
from core.retrieval.scoring import score_passages
from core.scope import in_scope


def found_in(query: str, scope: Scope, contexts: Sequence[Context], models: Any) -> Found:
    """Every context in the order in which it was given, which the marks of an answer count; none is left out."""
    measured = score_passages(query, passages_of(contexts), models)
    evidence = tuple(_scored(e, c.score) for e, c in zip(measured, contexts, strict=True))
    return Found(evidence=evidence, closest=_closest(evidence, scope))


def _scored(evidence: Evidence, score: float | None) -> Evidence:
    """A context's own score stands for every scale: its source says nothing more."""
    if score is None:
        return evidence
    s = min(max(score, 0.0), 1.0)  # a cosine may lie below 0 or a rounding above 1
    return replace(evidence, cosine=s, related=s, hybrid=s, answers=s)


def _closest(evidence: tuple[Evidence, ...], scope: Scope) -> Closest | None:
    if not evidence:
        return None
    top, asked = max(evidence, key=lambda e: e.cosine), Scope(class_number=scope.class_number, subject=scope.subject)
    near = max((e.cosine for e in evidence if in_scope(_as_asked(e.passage, asked), asked)), default=0.0)
    return Closest(cosine=top.cosine, asked=near, class_number=top.passage.class_number, subject=top.passage.subject)


def _as_asked(passage: Passage, scope: Scope) -> Passage:
    """A context that does not say its class or subject is taken at the caller's word."""
    known = {"class_number": passage.class_number or scope.class_number, "subject": passage.subject or scope.subject}
    return replace(passage, **known)
