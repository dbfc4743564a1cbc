"""The search: dense and BM25 to one hybrid score, each on an absolute scale; or the contexts that came with a question,
which are then its whole library."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.case import Closest, Context, Evidence, Passage, Scope, in_scope
from core.retrieval.contexts import passages_of
from core.retrieval.library_vocabulary import LibraryVocabulary
from core.retrieval.refinement import terms_near
from core.retrieval.scoring import RERANKED, Lexical, compressed, rank, score_passages, scored
from core.retrieval.spelling import LibrarySpelling
from core.text.words import in_english

_FEW = 4
"""Candidates that are read closely where many questions are only compared."""
_LED, _SHARE = 2, 4
"""The passages beside the first _LED results are at hand too, as long as they are one in _SHARE of the evidence."""
POOL = 40
"""Candidates taken from each of the two searches before they are scored together."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """What a search returns: evidence, best first, and the closest passage of the whole library."""

    evidence: tuple[Evidence, ...]
    closest: Closest | None


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """The evidence of the library as it was at one version, with its BM25 index; `places` finds a passage by its id.

    `vocabulary` knows the exercises too: they are no evidence, but the library holds them. english: the language that
    most of it is in.
    """

    version: str
    passages: tuple[Passage, ...]
    lexical: Lexical
    places: dict[str, int]
    vocabulary: LibraryVocabulary
    english: bool
    spelling: LibrarySpelling


class Retriever:
    """Searches one library with one set of models; follows the library when its content changes."""

    def __init__(self, library: Any, models: Any) -> None:
        self.library, self.models = library, models
        self._lock = threading.Lock()
        self._snapshot: Snapshot | None = None

    def snapshot(self) -> Snapshot:
        """The library as it is now, indexed once a version."""
        with self._lock:
            version = self.library.version
            if self._snapshot is None or self._snapshot.version != version:
                everything = self.library.passages()
                passages = tuple(p for p in everything if p.tells)
                self._snapshot = Snapshot(
                    version=version, passages=passages, lexical=Lexical([p.text for p in passages]),
                    places={p.id: n for n, p in enumerate(passages)}, vocabulary=LibraryVocabulary(everything),
                    english=in_english(p.text for p in passages),
                    spelling=LibrarySpelling(t for p in everything for t in (p.text, p.section)),
                )  # fmt: skip
            return self._snapshot

    def search(self, query: str, scope: Scope, count: int, fetch: str = "") -> Found:
        """The `count` best passages in `scope` for `query`, those beside the best one among them.

        fetch: a wider query that only finds candidates; they are scored by `query`.
        """
        vector = self.models.embedder.encode([query])[0]
        evidence = self._with_neighbours(query, vector, scope, self._ranked(query, vector, scope, fetch), count)
        return Found(evidence=compressed(vector, evidence, self.models), closest=self._closest(vector, scope))

    def terms_near(self, query: str, scope: Scope) -> str:
        """Terms of the library near `query`: headings and defined terms of the passages in scope nearest to it."""
        vector = self.models.embedder.encode([query])[0]
        near = [p for p, _ in self.library.nearest(vector, POOL, scope)]
        return terms_near(query, vector, near, self.models.embedder.encode)

    def glance(self, query: str, vector: np.ndarray, scope: Scope) -> Found:
        """What a search finds that reads only the few likeliest passages, and all sentences of these.

        vector: that of `query`, which whoever compares many questions has already.
        """
        few = [
            replace(e, kept=tuple(range(len(e.passage.sentences))))
            for e in self._ranked(query, vector, scope, most=_FEW)
        ]
        return Found(evidence=tuple(few), closest=self._closest(vector, scope))

    def _ranked(
        self, query: str, vector: np.ndarray, scope: Scope, fetch: str = "", most: int = RERANKED
    ) -> list[Evidence]:
        """The candidates of both searches, scored, best first. A wider search has twice as many read."""
        snapshot = self.snapshot()
        shares = snapshot.lexical.shares(query)
        found = {p.id: (p, c) for p, c in self.library.nearest(vector, POOL, scope)}
        wide = _by_words(snapshot, shares, scope)
        if fetch:
            wide += _by_words(snapshot, snapshot.lexical.shares(fetch), scope)
            wide += [p for p, _ in self.library.nearest(self.models.embedder.encode([fetch])[0], POOL, scope)]
        candidates = [*found.values(), *self._with_cosines([p for p in wide if p.id not in found], vector)]
        known = [(p, c, shares[snapshot.places[p.id]]) for p, c in candidates if p.id in snapshot.places]
        return scored(query, known, self.models, 2 * most if fetch else most)

    def _with_neighbours(
        self, query: str, vector: np.ndarray, scope: Scope, ranked: list[Evidence], count: int
    ) -> list[Evidence]:
        """The `count` best of `ranked`, of which the weakest give way to the passages beside the best ones.

        A passage beside the best one often holds the rest of its thought, and shares few words with the question.
        """
        best = ranked[:count]
        beside = [p for e in best[:_LED] for p in self._beside(e.passage) if in_scope(p, scope)]
        wanted = list({p.id: p for p in beside if p.id not in {e.passage.id for e in best}}.values())
        wanted = wanted[: count // _SHARE]
        known = {e.passage.id: e for e in ranked}
        new = self._scored(query, vector, [p for p in wanted if p.id not in known])
        added = [*new, *(known[p.id] for p in wanted if p.id in known)]
        return sorted([*best[: count - len(added)], *added], key=rank)

    def _beside(self, passage: Passage) -> list[Passage]:
        """The passages before and after `passage` in its document, those that are evidence."""
        snapshot = self.snapshot()
        place, document = snapshot.places[passage.id], _document(passage)
        around = (snapshot.passages[n] for n in (place + 1, place - 1) if 0 <= n < len(snapshot.passages))
        return [p for p in around if _document(p) == document]

    def _scored(self, query: str, vector: np.ndarray, passages: list[Passage]) -> list[Evidence]:
        """`passages` of the snapshot, scored as any candidate is."""
        snapshot = self.snapshot()
        shares = snapshot.lexical.shares(query)
        with_cosines = self._with_cosines(passages, vector)
        return scored(query, [(p, c, shares[snapshot.places[p.id]]) for p, c in with_cosines], self.models)

    def _closest(self, vector: np.ndarray, scope: Scope) -> Closest | None:
        """The closest passage of the whole library, and how close the class and subject of `scope` come."""
        nearest = self.library.nearest(vector, 1, Scope())
        if not nearest:
            return None
        asked = self.library.nearest(vector, 1, Scope(class_number=scope.class_number, subject=scope.subject))
        book = nearest[0][0]
        return Closest(
            cosine=_cosine(nearest), asked=_cosine(asked), class_number=book.class_number, subject=book.subject
        )

    def _with_cosines(self, passages: list[Passage], vector: np.ndarray) -> list[tuple[Passage, float]]:
        """Each passage once, with the cosine of its stored vector."""
        distinct = list({p.id: p for p in passages}.values())
        if not distinct:
            return []
        cosines = self.library.vectors([p.id for p in distinct]) @ vector
        return list(zip(distinct, cosines.tolist(), strict=True))


def _document(passage: Passage) -> str:
    """The document of a passage of a library, as its id names it."""
    return passage.id.rpartition(":")[0]


def _cosine(nearest: list[tuple[Passage, float]]) -> float:
    return float(np.clip(nearest[0][1], -1.0, 1.0)) if nearest else 0.0


def _by_words(snapshot: Snapshot, shares: np.ndarray, scope: Scope) -> list[Passage]:
    """The POOL passages in scope that BM25 ranks highest."""
    order = (snapshot.passages[n] for n in np.argsort(-shares, kind="stable") if shares[n] > 0)
    return [p for p, _ in zip((p for p in order if in_scope(p, scope)), range(POOL), strict=False)]


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
