"""The index of words: BM25 by bm25s, each score as a share of the best possible one."""

import logging
import math
from collections.abc import Iterable, Sequence

import bm25s
import numpy as np

from core.text.words import content

logging.getLogger("bm25s").setLevel(logging.WARNING)  # it tells of every index that it builds
_K1, _B = 1.5, 0.75
"""BM25: how soon a repeated word adds no more, and how much a long text loses."""


class Bm25Index:
    """A BM25 index of texts. Scores are absolute, 0 to 1: they do not depend on the other texts that match."""

    def __init__(self, stem_lists: Sequence[list[str]]) -> None:
        """stem_lists: the stems of the content words of each text, in their order."""
        self.size = len(stem_lists)
        self._index, self._counts = bm25s.BM25(method="lucene", k1=_K1, b=_B), {}
        if any(stem_lists):  # bm25s cannot index texts without words
            self._index.index(stem_lists, show_progress=False)
            counts = np.diff(self._index.scores["indptr"]).tolist()
            self._counts = {stem: counts[n] for stem, n in self._index.vocab_dict.items() if stem}

    def idf(self, stem: str) -> float:
        """Rarity of a stem in the texts; one that they do not hold is the rarest."""
        count = self._counts.get(stem, 0)
        return math.log(1 + (self.size - count + 0.5) / (count + 0.5))

    def shares(self, query: str) -> np.ndarray:
        """BM25 score of `query` for each text, divided by the largest possible one: in [0, 1], (texts,).

        Words that the texts do not hold count in the largest score, so a query of unknown words stays low.
        """
        stems = list(dict.fromkeys(content(query)))
        known = [stem for stem in stems if stem in self._counts]
        scores = self._index.get_scores(known) if known else np.zeros(self.size, dtype=np.float32)
        return scores / (sum(map(self.idf, stems)) or 1.0)


def index_of(texts: Iterable[str]) -> Bm25Index:
    """The index of a few texts."""
    return Bm25Index([content(text) for text in texts])
