"""Searches are compared on the same candidates, and ties never flatter."""

import numpy as np
import pytest

from core.lab.figures.models import Candidates, compare, rank, rank_figures
from core.models.cross_encoders import CrossEncoder
from core.models.reranker import best_logits


class Reader:
    """Prefers the text that shares its last word with the question. It reads seven hundred words at once."""

    most_tokens = 700
    room_beside = CrossEncoder.room_beside

    def tokens(self, text):
        return len(text.split())

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
    figures = compare(found, 0.9, Reader())
    assert {way: f["recall_at_1"] for way, f in figures.items()} == {
        "dense": 0.0, "bm25": 1.0, "hybrid": 0.0, "reranked": 1.0,
    }  # fmt: skip


class Narrow(Reader):
    """Finds rust in what it reads, which is never more than seven hundred words together."""

    def logits(self, pairs):
        assert all(self.tokens(q) + self.tokens(t) <= self.most_tokens for q, t in pairs)
        return np.array([[float("rust" in t)] for _, t in pairs])


def test_of_a_long_passage_the_best_window_counts():
    long = "Wood is brown. " * 300 + "Iron has rust. " + "Wood is brown. " * 300
    assert best_logits(Narrow(), [("what is rust", "Wood is red."), ("what is rust", long)]).tolist() == [0.0, 1.0]


def test_ranks_and_their_figures():
    found = rank_figures([1, 2, 20, 1])
    assert found == {"mrr_at_10": pytest.approx(np.mean([1, 0.5, 0, 1])), "recall_at_1": 0.5, "n": 4}
