"""Scores candidates on four absolute scales, and chooses the sentences that bear on the query."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from core.case import Evidence, Passage
from core.retrieval.word_index import index_of
from core.text.claims import without_questions

DROP = 0.65
"""A sentence is dropped if its cosine is more than this below that of the best sentence of its passage.

It is large because a heading repeats the words of the question, and the sentence under it that answers it is 0.4 to 0.6
below. The reader then finds the answer among the remaining sentences.
"""
RUN = 180
"""Number of words of an external text that are scored together: about what the embedder reads and a passage has."""
MAX_RERANKED = 16
"""Number of candidates that a reranker reads: it takes longer than the rest of the search."""
SCORES = {
    "cosine": "similarity to the question, from −1 to 1",
    "related": "probability that it is about the topic",
    "hybrid": "probability that it answers, from the search",
    "answers": "probability that it answers, finally",
}
"""The four scores of a passage in plain words."""


def bearing(cosines: np.ndarray, fragments: Sequence[int] = ()) -> tuple[int, ...]:
    """Indices of the sentences of a passage that bear on the query. cosines: with the query, (sentences,).

    The best sentence and its neighbours always do, since a sentence is read in its context. fragments: indices of
    broken sentences, which never do.
    """
    cosines = np.array([-np.inf if i in fragments else c for i, c in enumerate(cosines)])
    best = int(np.argmax(cosines))
    indices = {i for i, c in enumerate(cosines) if c >= cosines[best] - DROP} | {best - 1, best, best + 1}
    return tuple(sorted(i for i in indices if 0 <= i < len(cosines) and i not in fragments))


def fuse(cosine: np.ndarray, share: np.ndarray, dense_weight: float) -> np.ndarray:
    """Hybrid score: weighted sum of cosine and BM25 share. It is absolute: no other result of the query scales it."""
    return dense_weight * cosine + (1 - dense_weight) * share


def score_candidates(
    query: str, candidates: list[tuple[Passage, float, float]], models: Any, max_candidates: int = MAX_RERANKED
) -> list[Evidence]:
    """Turn candidates (passage, cosine, BM25 share) into evidence, best `answers` first; `kept` is still empty.

    max_candidates: number of candidates that a reranker reads, the best by hybrid score; the others are dropped.
    """
    if not candidates:
        return []
    calibration = models.calibration
    cosines, shares = (np.array([row[column] for row in candidates]) for column in (1, 2))
    hybrid_scores = fuse(cosines, shares, calibration.dense_weight)
    if models.reranker is not None:
        order = np.argsort(-hybrid_scores, kind="stable")[:max_candidates]
        candidates, cosines, hybrid_scores = [candidates[n] for n in order], cosines[order], hybrid_scores[order]
    cosine = np.clip(cosines, -1.0, 1.0)
    answers = hybrid = calibration.hybrid(hybrid_scores)
    if models.reranker is not None:
        texts = [" ".join(filter(None, without_questions(p.sentences))) for p, _, _ in candidates]
        scores = np.asarray(models.reranker.probabilities(query, texts), dtype=float)
        # Scores that are all equal or not finite say nothing (source document B, 9.3).
        is_degenerate = (len(scores) > 1 and np.ptp(scores) == 0) or not np.isfinite(scores).all()
        answers = hybrid if is_degenerate else scores
    columns = zip(candidates, cosine, calibration.related(cosine), hybrid, answers, strict=True)
    evidence = [
        Evidence(passage=p, cosine=float(c), related=float(r), hybrid=float(h), answers=float(a), kept=())
        for (p, _, _), c, r, h, a in columns
    ]
    return sorted(evidence, key=rank)


def rank(evidence: Evidence) -> tuple[float, float, str]:
    """Sort key of evidence: best `answers` first, then the highest cosine."""
    return -evidence.answers, -evidence.cosine, evidence.passage.id


def mark_relevant_sentences(vector: np.ndarray, evidence: list[Evidence], models: Any) -> tuple[Evidence, ...]:
    """Return `evidence` with `kept` set to the sentences that bear on the query. vector: its embedding, (d,)."""
    cosines = iter(models.embedder.encode([s for e in evidence for s in e.passage.sentences]) @ vector)
    cosines_by_passage = [np.array([next(cosines) for _ in e.passage.sentences]) for e in evidence]
    return tuple(
        replace(e, kept=bearing(c, e.passage.broken)) for e, c in zip(evidence, cosines_by_passage, strict=True)
    )


def score_passages(query: str, passages: list[Passage], models: Any) -> tuple[Evidence, ...]:
    """Evidence from passages from outside the library, in their own order.

    A passage of more than RUN words is scored in runs, and gets on each scale the highest score of its runs.
    """
    if not passages:
        return ()
    runs = [run for p in passages for run in _runs(p)]
    vectors = models.embedder.encode([query, *(run.text for run in runs)])
    shares = index_of(run.text for run in runs).shares(query)
    cosines = vectors[1:] @ vectors[0]
    run_scores = score_candidates(
        query, list(zip(runs, cosines.tolist(), shares.tolist(), strict=True)), models, len(runs)
    )
    best = []
    for passage in passages:
        own = [e for e in run_scores if e.passage.id == passage.id]
        scores = {name: max(getattr(e, name) for e in own) for name in SCORES}  # on every scale the highest of its runs
        best.append(Evidence(passage=passage, **scores, kept=()))
    return mark_relevant_sentences(vectors[0], best, models)


def _runs(passage: Passage) -> list[Passage]:
    """The passage itself, or runs of whole sentences of about RUN words if it is longer."""
    cumulative_words = np.cumsum([len(s.split()) for s in passage.sentences])
    if cumulative_words[-1] <= RUN:
        return [passage]
    run_numbers = np.maximum(cumulative_words - 1, 0) // RUN
    cuts = [np.flatnonzero(run_numbers == n) for n in np.unique(run_numbers)]
    return [replace(passage, sentences=tuple(passage.sentences[i] for i in indices)) for indices in cuts]
