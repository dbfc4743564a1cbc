"""Measures the models that ship: python -m core.lab.figures.models --data DIR --home DIR --out data/measured.

Writes models.json, from which tables of the docs are made. --before: the folder of an NLI model to compare with.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from core.banks.project import for_fitting
from core.lab.figure_files import dated, store_figures, stored_figures
from core.lab.figures import altered_pairs as paired
from core.lab.training.calibration_samples import chapter_shelf, texts_of
from core.lab.training.evaluate import accuracy, report, template_pairs
from core.lab.training.nli_datasets import rows
from core.models.calibration import calibration_of
from core.models.cross_encoders import CrossEncoder, cross_encoder
from core.models.embedder import bundled_embedder
from core.models.profile import BUNDLED, place_of
from core.models.reranker import best_logits
from core.retrieval.scoring import fuse
from core.retrieval.word_index import index_of

PARTS = ("nli", "paired", "ranking")
DEV = ("dev_fairytaleqa", "dev_entbank")
_POOL = 40
"""Number of passages from the hybrid search that the reranker reads."""


def nli_figures(name: str, data: Path) -> dict[str, Any]:
    """One NLI model's results on the textbook test, the reporting halves and the templates."""
    model = cross_encoder(place_of(name)[0])
    templates = {name: accuracy(model, pairs) for name, pairs in template_pairs(data).items()}
    return report(model, data) | {"templates": templates}


class Candidates(NamedTuple):
    """The passages to be ranked for one question; arrays have the shape (passages,).

    cosine: with the question. share: BM25 share. right: True for the passages that answer.
    """

    question: str
    texts: list[str]
    cosine: np.ndarray
    share: np.ndarray
    right: np.ndarray


def dev_candidates(data: Path, name: str, embedder: Any) -> Iterator[Candidates]:
    """Yield each question of the reporting half with its own passages, labelled by people."""
    for row in (r for r in rows(data, f"rerank/{name}") if r["negs"] and not for_fitting(r["q"])):
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


def compare(candidates: Sequence[Candidates], dense_weight: float, reranker: CrossEncoder) -> dict[str, Any]:
    """The figures of each kind of search on the candidates."""
    ways = {
        "dense": [c.cosine for c in candidates],
        "bm25": [c.share for c in candidates],
        "hybrid": [fuse(c.cosine, c.share, dense_weight) for c in candidates],
        "reranked": [best_logits(reranker, [(c.question, t) for t in c.texts]) for c in candidates],
    }
    return {
        way: rank_figures([rank(s, c.right) for s, c in zip(scores, candidates, strict=True)])
        for way, scores in ways.items()
    }


def rank(scores: np.ndarray, right: np.ndarray) -> int:
    """The rank, from 1, of the best-scored right passage; passages with the same score are ranked before it."""
    return 1 + int((scores[~right] >= scores[right].max()).sum())


def ranking_figures(data: Path, reranker: CrossEncoder) -> dict[str, Any]:
    """MRR@10 and recall@1 of four searches on the reporting half of every set, by its name and the name of the search:
    cosine alone, BM25 alone, the hybrid of both, and the reranker on the hybrid's best passages."""
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


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the data sets")
    parser.add_argument("--home", type=Path, required=True, help="a run-time folder for the sample library")
    parser.add_argument("--out", type=Path, required=True, help="where models.json is written")
    parser.add_argument("--before", help="the folder of an NLI model to compare with")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="parts to measure (default: all)")
    options = parser.parse_args(arguments)
    names = {"shipped": BUNDLED.entailer} | ({"before": options.before} if options.before else {})
    path = options.out / "models.json"
    for part in options.only:
        stored = stored_figures(path)
        # The figures "before" of a part remain unless they are measured again.
        store_figures(path, stored | {part: dated(stored.get(part, {}) | _measured(part, names, options))})


def _measured(part: str, names: dict[str, str], options: argparse.Namespace) -> dict[str, Any]:
    if part == "nli":
        return {which: nli_figures(name, options.data) for which, name in names.items()}
    if part == "paired":
        halves = paired.both_halves(options.home)
        return {which: paired.outcomes(name, halves) for which, name in names.items()}
    return ranking_figures(options.data, cross_encoder(place_of(BUNDLED.reranker)[0]))


if __name__ == "__main__":
    main()
