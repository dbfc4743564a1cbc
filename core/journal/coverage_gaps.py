"""What the library lacks: questions that were refused for want of coverage, grouped by what they ask."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.journal.journal import Lacking

TOGETHER = 0.60
"""Questions are one gap when their cosines are at least this, on average. Chosen by F1 in
core/lab/figures/gap_groups.py."""
MOST = 500
"""Most different questions that are grouped, the newest."""
_AT_ONCE = 32
_REMEMBERED = 5_000

Encode = Callable[[list[str]], np.ndarray]
"""Unit vectors of texts, as an embedder gives them: shape (texts, dimensions)."""


@dataclass(frozen=True, kw_only=True)
class Gap:
    """Questions that one more chapter would answer together.

    question: the one that is closest to all of them. questions: each once, the most asked first. asked: how often.
    reasons: how often for each. last: when one was asked last, in seconds since 1970.
    """

    question: str
    questions: tuple[str, ...]
    asked: int
    reasons: dict[str, int]
    last: float


class Gaps:
    """Groups questions by meaning. Each is embedded once and remembered, so that a filter costs nothing.

    On the reporting half of core/lab/figures/gap_groups.py the groups by meaning held 80 % of the pairs that belong
    together, and 97 % of their pairs did belong; by shared content words it was 70 % and 76 %.
    """

    def __init__(self, encode: Encode) -> None:
        self._encode = encode
        self._known: dict[str, np.ndarray] = {}
        self._last: tuple[list[str], list[list[int]]] = ([], [])

    def __call__(self, lacking: Sequence[Lacking], progress: Callable[[int, int], None] = lambda *_: None) -> list[Gap]:
        """The gaps, the most asked first. progress: hears how many of how many new questions are read."""
        asked: dict[str, list[Lacking]] = {}
        for one in lacking:
            asked.setdefault(one.question, []).append(one)
        questions = list(asked)[:MOST]
        vectors = self._vectors(questions, progress)
        before, groups = self._last
        if before != questions:
            groups = grouped(vectors)
            self._last = questions, groups
        gaps = [_gap([asked[questions[n]] for n in places], vectors[places]) for places in groups]
        return sorted(gaps, key=lambda gap: (-gap.asked, -gap.last))

    def _vectors(self, questions: list[str], progress: Callable[[int, int], None]) -> np.ndarray:
        """Shape (questions, dimensions); only those that were never read cost anything."""
        known = self._known if len(self._known) < _REMEMBERED else {}
        new = [q for q in questions if q not in known]
        for start in range(0, len(new), _AT_ONCE):
            progress(start, len(new))
            texts = new[start : start + _AT_ONCE]
            known.update(zip(texts, self._encode(texts), strict=True))
        self._known = known
        return np.array([known[q] for q in questions])


def grouped(vectors: np.ndarray, together: float = TOGETHER) -> list[list[int]]:
    """Places of `vectors` (unit length, shape (questions, dimensions)) in groups: average linkage by cosine."""
    if len(vectors) < 2:
        return [[place] for place in range(len(vectors))]
    from scipy.cluster.hierarchy import fcluster, linkage  # it takes a third of a second, which an empty page saves
    from scipy.spatial.distance import squareform

    apart = np.clip(1 - vectors @ vectors.T, 0, 2)
    np.fill_diagonal(apart, 0)
    labels = fcluster(linkage(squareform(apart, checks=False), "average"), 1 - together, "distance")
    groups: dict[int, list[int]] = {}
    for place, label in enumerate(labels):
        groups.setdefault(int(label), []).append(place)
    return list(groups.values())


def _gap(asked: Sequence[Sequence[Lacking]], vectors: np.ndarray) -> Gap:
    """One gap of these questions, each with all the times that it was asked."""
    centre = int(np.argmax(vectors @ vectors.sum(0)))
    reasons: Counter[str] = Counter()
    for one in (one for same in asked for one in same):
        reasons[one.reason] += one.asked
    return Gap(
        question=asked[centre][0].question, asked=reasons.total(), reasons=dict(reasons.most_common()),
        questions=tuple(same[0].question for same in sorted(asked, key=_often, reverse=True)),
        last=max(one.last for same in asked for one in same),
    )  # fmt: skip


def _often(same: Sequence[Lacking]) -> int:
    """How often a question was asked, for all reasons together."""
    return sum(one.asked for one in same)
