"""Gaps of the library: questions that were refused because the library does not cover them, grouped by meaning."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.journal.journal import Lacking

TOGETHER = 0.60
"""Minimum mean cosine between two groups of questions that are merged into one gap. Chosen by F1 on
questions that a person had grouped.
"""
MOST = 500
"""Maximum number of distinct questions that are grouped; the newest ones."""
_BATCH_SIZE = 32

Encode = Callable[[list[str]], np.ndarray]
"""A function of an embedder: texts -> unit vectors, (texts, dimensions)."""


@dataclass(frozen=True, kw_only=True)
class Gap:
    """Questions that one more chapter would answer together.

    question: the one closest in meaning to all of them. questions: each once, most frequent first. asked: number of
    times that they were asked in total. reasons: reason of a refusal -> number of times. last: time of the latest
    question, in seconds since 1970.
    """

    question: str
    questions: tuple[str, ...]
    asked: int
    reasons: dict[str, int]
    last: float


def gaps_of(lacking: Sequence[Lacking], encode: Encode) -> list[Gap]:
    """The gaps of the library, most asked first: the refused questions, grouped by meaning.

    Measured on 2026-11-26, on other questions than those that chose TOGETHER: of two questions that belong together,
    80 % get into one group; of two questions in one group, 97 % belong together.
    """
    entries_by_question: dict[str, list[Lacking]] = {}
    for entry in lacking:
        entries_by_question.setdefault(entry.question, []).append(entry)
    questions = list(entries_by_question)[:MOST]
    # Between two batches, questions that wait for the model get their turn.
    batches = [encode(questions[start : start + _BATCH_SIZE]) for start in range(0, len(questions), _BATCH_SIZE)]
    vectors = np.concatenate(batches) if batches else np.zeros((0, 1))
    gaps = []
    for indices in clusters_of(vectors):
        group, own = [entries_by_question[questions[n]] for n in indices], vectors[indices]
        centre = int(np.argmax(own @ own.sum(0)))
        reasons: Counter[str] = Counter()
        for entry in (entry for same_question in group for entry in same_question):
            reasons[entry.reason] += entry.asked
        by_count = sorted(group, key=lambda same_question: sum(e.asked for e in same_question), reverse=True)
        gaps.append(
            Gap(
                question=group[centre][0].question, asked=reasons.total(), reasons=dict(reasons.most_common()),
                questions=tuple(same_question[0].question for same_question in by_count),
                last=max(entry.last for same_question in group for entry in same_question),
            )
        )  # fmt: skip
    return sorted(gaps, key=lambda gap: (-gap.asked, -gap.last))


def clusters_of(vectors: np.ndarray, together: float = TOGETHER) -> list[list[int]]:
    """Average-linkage clusters by cosine, as lists of indices. vectors: unit vectors, (questions, dimensions)."""
    if len(vectors) < 2:
        return [[index] for index in range(len(vectors))]
    from scipy.cluster.hierarchy import fcluster, linkage  # a third of a second; an empty page skips it
    from scipy.spatial.distance import squareform

    distances = np.clip(1 - vectors @ vectors.T, 0, 2)
    np.fill_diagonal(distances, 0)
    labels = fcluster(linkage(squareform(distances, checks=False), "average"), 1 - together, "distance")
    groups: dict[int, list[int]] = {}
    for index, label in enumerate(labels):
        groups.setdefault(int(label), []).append(index)
    return list(groups.values())
