"""BM25 over the whole library, as a share of what the query could reach at most."""

import math
from collections import Counter

import bm25s
import numpy as np

from core.text.words import content, words


class Lexical:
    """A BM25 index of texts. Scores are absolute: 1 would be a text made of nothing but the query's rarest words."""

    def __init__(self, texts: list[str]) -> None:
        tokens = [content(t) for t in texts]
        self.size = len(texts)
        self.frequency = Counter(w for t in tokens for w in set(t))
        self.words = frozenset(self.frequency)
        self._spellings = frozenset(w for t in texts for w in words(t) if w.isalpha())
        self._index = bm25s.BM25(method="lucene")
        if self.words:
            self._index.index(tokens, show_progress=False)

    def spellings(self, initial: str, length: int) -> list[str]:
        """The library's words with this initial letter and about this length, sorted."""
        return sorted(w for w in self._spellings if w[0] == initial and abs(len(w) - length) <= 2)

    def idf(self, word: str) -> float:
        """How rare a word is in the library; a word that it does not hold is the rarest."""
        n = self.frequency[word]
        return math.log(1 + (self.size - n + 0.5) / (n + 0.5))

    def shares(self, query: str) -> np.ndarray:
        """For each text the BM25 score of `query` over the most it could reach, in [0, 1]: shape (texts,).

        Words that the library does not hold count towards the most, so a query of foreign words stays low.
        """
        wanted = list(dict.fromkeys(content(query)))
        known = [w for w in wanted if w in self.words]
        if not known:
            return np.zeros(self.size)
        return self._index.get_scores(known) / sum(self.idf(w) for w in wanted)
