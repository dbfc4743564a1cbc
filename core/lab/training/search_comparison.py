"""Compares four searches: cosine alone, BM25 alone, the hybrid of both, and the reranker on the hybrid's best passages.

The figures, MRR@10 and recall@1 on the reporting half of each set, are measured by `python -m core.lab.figures.models
--only ranking`.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from core.banks.project import for_fitting
from core.lab.training.calibration_samples import chapter_shelf, texts_of
from core.lab.training.nli_datasets import rows
from core.models.calibration import calibration_of
from core.models.cross_encoders import CrossEncoder
from core.models.embedder import bundled_embedder
from core.models.reranker import best_logits
from core.retrieval.scoring import fuse
from core.retrieval.word_index import index_of

DEV = ("dev_fairytaleqa", "dev_entbank")
_POOL = 40
"""Number of passages from the hybrid search that the reranker reads."""


class Candidates(NamedTuple):
    """The passages to be ranked for one question; arrays have the shape (passages,).

    cosine: with the question. share: BM25 share. right: True for the passages that answer.
    """

    question: str
    texts: list[str]
    cosine: np.ndarray
    share: np.ndarray
    right: np.ndarray


def dev_rows(data: Path, name: str) -> list[dict[str, Any]]:
    """The reporting half of a dev set, split by the hash of the question."""
    return [r for r in rows(data, f"rerank/{name}") if r["negs"] and not for_fitting(r["q"])]


def dev_candidates(data: Path, name: str, embedder: Any) -> Iterator[Candidates]:
    """Yield each question of the reporting half with its own passages, labelled by people."""
    for row in dev_rows(data, name):
        texts = [*texts_of(row["pos"]), *row["negs"]]
        vectors = embedder.encode([row["q"], *texts])
        right = np.arange(len(texts)) < len(texts_of(row["pos"]))
        yield Candidates(row["q"], texts, vectors[1:] @ vectors[0], index_of(texts).shares(row["q"]), right)


def chapter_candidates(data: Path, embedder: Any, dense_weight: float) -> Iterator[Candidates]:
    """Yield the textbook questions of the reporting half, each with its best passages from 57 chapters. A passage is
    labelled right by the words that it shares with the reference answer.

    Questions without a right passage among the best are left out, since no ranking could answer them.
    """
    shelf, labels = chapter_shelf(data, embedder)
    for row in rows(data, "ncert_qa/questions_dev"):
        if for_fitting(row["question"]):
            continue
        cosine, share = shelf.vectors @ embedder.encode([row["question"]])[0], shelf.lexical.shares(row["question"])
        pool = np.argsort(-fuse(cosine, share, dense_weight), kind="stable")[:_POOL]
        right = np.array([bool(labels.answers(row["question"], row["ground_truth"], int(n))) for n in pool])
        if right.any():
            yield Candidates(row["question"], [shelf.texts[n] for n in pool], cosine[pool], share[pool], right)


def compare(candidates: Sequence[Candidates], dense_weight: float, reranker: CrossEncoder | None) -> dict[str, Any]:
    """The figures of each kind of search on the candidates. reranker: None to leave its ranking out."""
    ways = {
        "dense": [c.cosine for c in candidates],
        "bm25": [c.share for c in candidates],
        "hybrid": [fuse(c.cosine, c.share, dense_weight) for c in candidates],
    }
    if reranker is not None:
        ways["reranked"] = [best_logits(reranker, [(c.question, t) for t in c.texts]) for c in candidates]
    return {
        way: rank_figures([rank(s, c.right) for s, c in zip(scores, candidates, strict=True)])
        for way, scores in ways.items()
    }


def rank(scores: np.ndarray, right: np.ndarray) -> int:
    """The rank, from 1, of the best-scored right passage; passages with the same score are ranked before it."""
    return 1 + int((scores[~right] >= scores[right].max()).sum())


def table(data: Path, reranker: CrossEncoder | None) -> dict[str, Any]:
    """The figures of every set, by its name and the name of the search."""
    embedder = bundled_embedder()
    weight = calibration_of(embedder.digest).dense_weight
    sets = {name: list(dev_candidates(data, name, embedder)) for name in DEV}
    sets["ncert_qa"] = list(chapter_candidates(data, embedder, weight))
    return {name: compare(candidates, weight, reranker) for name, candidates in sets.items()}


def rank_figures(ranks: Sequence[int]) -> dict[str, float]:
    """MRR@10 and recall@1 of the ranks (from 1) of the first right passage of each question."""
    rank_array = np.array(ranks)
    return {
        "mrr_at_10": round(float(np.where(rank_array <= 10, 1 / rank_array, 0).mean()), 4),
        "recall_at_1": round(float((rank_array == 1).mean()), 4),
        "n": len(ranks),
    }
