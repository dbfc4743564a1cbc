"""Searches are compared on the same candidates, and ties never flatter."""

import numpy as np

from core.models.training.ranking import Candidates, compared, rank


class Reader:
    """Prefers the text that shares its last word with the question."""

    def logits(self, pairs):
        return np.array([[float(q.split()[-1] == t.split()[-1])] for q, t in pairs])


def test_a_tie_counts_against_the_right_passage():
    scores, right = np.array([0.5, 0.5, 0.9]), np.array([True, False, False])
    assert rank(scores, right) == 3
    assert rank(np.array([1.0, 0.5, 0.9]), right) == 1


def test_each_way_orders_the_same_candidates():
    found = [
        Candidates("what is rust", ["red wood", "brown rust"], np.array([0.9, 0.1]), np.array([0.2, 0.8]),
                   np.array([False, True]))
    ]  # fmt: skip
    figures = compared(found, 0.9, Reader())
    assert {way: f["recall_at_1"] for way, f in figures.items()} == {
        "dense": 0.0, "bm25": 1.0, "hybrid": 0.0, "reranked": 1.0,
    }  # fmt: skip
    assert "reranked" not in compared(found, 0.9, None)
