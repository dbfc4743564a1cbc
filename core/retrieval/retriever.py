"""Searches the library by meaning and by words, with one hybrid score; or scores the contexts of a question.

No score depends on the other results of its search. A question with contexts is searched in these alone.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np

from core.case import Closest, Context, Evidence, Passage, Scope, in_scope
from core.retrieval.contexts import passages_of
from core.retrieval.library_words import LibrarySpelling, LibraryVocabulary
from core.retrieval.refinement import terms_near
from core.retrieval.scoring import (
    MAX_RERANKED,
    mark_relevant_sentences,
    rank,
    score_candidates,
    score_passages,
)
from core.retrieval.word_index import Bm25Index
from core.text.words import in_english

_FEW = 4
"""Number of candidates that the reranker reads in a quick search, `Retriever.quick_search`."""
_LED, _SHARE = 2, 4
"""The passages next to the _LED best results are added to the evidence, as at most one in _SHARE of its passages."""
POOL = 40
"""Number of candidates that each of the two searches contributes; all are then scored together."""


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """Result of a search: evidence, best first, and the closest passage of the whole library."""

    evidence: tuple[Evidence, ...]
    closest: Closest | None


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """The passages of the library that can be evidence, at one version of the library, with their BM25 index.

    row_by_id: passage id -> index in `passages`. vocabulary: also covers the exercises, which are no evidence. english:
    whether most of the library is in English.
    """

    version: str
    passages: tuple[Passage, ...]
    lexical: Bm25Index
    row_by_id: dict[str, int]
    vocabulary: LibraryVocabulary
    english: bool
    spelling: LibrarySpelling


class Retriever:
    """Searches one library with one set of models; a change of the library is seen at the next search."""

    def __init__(self, library: Any, models: Any) -> None:
        self.library, self.models = library, models
        self._lock = threading.Lock()
        self._snapshot: Snapshot | None = None

    def snapshot(self) -> Snapshot:
        """The library as it is now; read once per version."""
        with self._lock:
            version = self.library.version
            if self._snapshot is None or self._snapshot.version != version:
                all_passages = self.library.passages()
                earlier = self._snapshot and self._snapshot.vocabulary
                passages = tuple(p for p in all_passages if p.tells)
                vocabulary = LibraryVocabulary(all_passages, earlier)
                self._snapshot = Snapshot(
                    version=version, passages=passages, lexical=Bm25Index(vocabulary.stem_lists(passages)),
                    row_by_id={p.id: n for n, p in enumerate(passages)}, vocabulary=vocabulary,
                    english=in_english(p.text for p in passages),
                    spelling=LibrarySpelling(t for p in all_passages for t in (p.text, p.section)),
                )  # fmt: skip
            return self._snapshot

    def search(self, query: str, scope: Scope, count: int, fetch: str = "") -> SearchResult:
        """The `count` best passages in `scope` for `query`, including neighbours of the best ones.

        fetch: a wider query that only finds candidates; they are scored by `query`.
        """
        vector = self.models.embedder.encode([query])[0]
        # A neighbour often continues the thought of a passage, but shares few words with the question: the neighbours
        # of the best passages replace the weakest.
        ranked = self._rank(query, vector, scope, fetch)
        best = ranked[:count]
        neighbours = [p for e in best[:_LED] for p in self._neighbours(e.passage) if in_scope(p, scope)]
        candidates = list({p.id: p for p in neighbours if p.id not in {e.passage.id for e in best}}.values())
        candidates = candidates[: count // _SHARE]
        ranked_by_id = {e.passage.id: e for e in ranked}
        snapshot = self.snapshot()
        shares = snapshot.lexical.shares(query)
        unranked = self._with_cosines([p for p in candidates if p.id not in ranked_by_id], vector)
        new = score_candidates(query, [(p, c, shares[snapshot.row_by_id[p.id]]) for p, c in unranked], self.models)
        added = [*new, *(ranked_by_id[p.id] for p in candidates if p.id in ranked_by_id)]
        evidence = sorted([*best[: count - len(added)], *added], key=rank)
        return SearchResult(
            evidence=mark_relevant_sentences(vector, evidence, self.models), closest=self._closest(vector, scope)
        )

    def terms_near(self, query: str, scope: Scope) -> str:
        """Terms of the library near `query`: headings and defined terms of the closest passages in scope."""
        vector = self.models.embedder.encode([query])[0]
        near = [p for p, _ in self.library.nearest(vector, POOL, scope)]
        return terms_near(query, vector, near, self.models.embedder.encode)

    def quick_search(self, query: str, vector: np.ndarray, scope: Scope) -> SearchResult:
        """A quick search: the reranker reads only the _FEW best candidates, and all their sentences are kept.

        vector: embedding of `query`, (d,), which a caller that compares many questions already has.
        """
        evidence = [
            replace(e, kept=tuple(range(len(e.passage.sentences))))
            for e in self._rank(query, vector, scope, max_candidates=_FEW)
        ]
        return SearchResult(evidence=tuple(evidence), closest=self._closest(vector, scope))

    def _rank(
        self, query: str, vector: np.ndarray, scope: Scope, fetch: str = "", max_candidates: int = MAX_RERANKED
    ) -> list[Evidence]:
        """The scored candidates of both searches, best first. With `fetch`, the reranker reads twice as many."""
        snapshot = self.snapshot()
        shares = snapshot.lexical.shares(query)
        nearest = {p.id: (p, c) for p, c in self.library.nearest(vector, POOL, scope)}
        by_words = _by_words(snapshot, shares, scope)
        if fetch:
            by_words += _by_words(snapshot, snapshot.lexical.shares(fetch), scope)
            by_words += [p for p, _ in self.library.nearest(self.models.embedder.encode([fetch])[0], POOL, scope)]
        candidates = [*nearest.values(), *self._with_cosines([p for p in by_words if p.id not in nearest], vector)]
        with_scores = [(p, c, shares[snapshot.row_by_id[p.id]]) for p, c in candidates if p.id in snapshot.row_by_id]
        return score_candidates(query, with_scores, self.models, 2 * max_candidates if fetch else max_candidates)

    def _neighbours(self, passage: Passage) -> list[Passage]:
        """The passages that can be evidence directly after and before `passage` in its document."""
        snapshot = self.snapshot()
        index, document = snapshot.row_by_id[passage.id], _document(passage)
        neighbours = (snapshot.passages[n] for n in (index + 1, index - 1) if 0 <= n < len(snapshot.passages))
        return [p for p in neighbours if _document(p) == document]

    def _closest(self, vector: np.ndarray, scope: Scope) -> Closest | None:
        """The class and subject of the library's closest passage, its cosine, and that of the closest one in the class
        and subject of `scope`. None if the library is empty."""
        nearest = self.library.nearest(vector, 1, Scope())
        if not nearest:
            return None
        in_book = self.library.nearest(vector, 1, Scope(class_number=scope.class_number, subject=scope.subject))
        book = nearest[0][0]
        return Closest(
            cosine=_cosine(nearest), asked=_cosine(in_book), class_number=book.class_number, subject=book.subject
        )

    def _with_cosines(self, passages: list[Passage], vector: np.ndarray) -> list[tuple[Passage, float]]:
        """Each passage once, with the cosine of its stored vector."""
        distinct = list({p.id: p for p in passages}.values())
        if not distinct:
            return []
        cosines = self.library.vectors([p.id for p in distinct]) @ vector
        return list(zip(distinct, cosines.tolist(), strict=True))


def _document(passage: Passage) -> str:
    """Id of the document of a library passage."""
    return passage.id.rpartition(":")[0]


def _cosine(nearest: list[tuple[Passage, float]]) -> float:
    return float(np.clip(nearest[0][1], -1.0, 1.0)) if nearest else 0.0


def _by_words(snapshot: Snapshot, shares: np.ndarray, scope: Scope) -> list[Passage]:
    """The POOL passages in scope with the highest BM25 score; of equal scores the earlier one first."""
    order = np.argsort(-shares, kind="stable")[: np.count_nonzero(shares > 0)]
    passages = (snapshot.passages[n] for n in order.tolist())
    return list(islice((p for p in passages if in_scope(p, scope)), POOL))


def search_contexts(query: str, scope: Scope, contexts: Sequence[Context], models: Any) -> SearchResult:
    """The scores of every context, in the order of `contexts`, to which the numbers of citation marks refer.

    A score that came with a context takes the place of all four scores. A context without class or subject counts as
    one of the asked class and subject.
    """
    evidence = []
    for scored, context in zip(score_passages(query, passages_of(contexts), models), contexts, strict=True):
        if context.score is not None:
            own = min(max(context.score, 0.0), 1.0)  # a cosine may be below 0, or above 1 by rounding
            scored = replace(scored, cosine=own, related=own, hybrid=own, answers=own)
        evidence.append(scored)
    if not evidence:
        return SearchResult(evidence=(), closest=None)
    top = max(evidence, key=lambda e: e.cosine)
    book = Scope(class_number=scope.class_number, subject=scope.subject)
    in_book = (
        e.cosine for e in evidence
        if in_scope(replace(e.passage, class_number=e.passage.class_number or scope.class_number,
                            subject=e.passage.subject or scope.subject), book)
    )  # fmt: skip
    closest = Closest(
        cosine=top.cosine, asked=max(in_book, default=0.0), class_number=top.passage.class_number,
        subject=top.passage.subject,
    )  # fmt: skip
    return SearchResult(evidence=tuple(evidence), closest=closest)
