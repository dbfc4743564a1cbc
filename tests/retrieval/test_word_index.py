"""The index of words: its scores by their definition, and an index of its own for every state of the library."""

import math
from itertools import compress
from types import SimpleNamespace

import numpy as np
import pytest

from core.case import Passage
from core.library import Library
from core.question import Scope
from core.retrieval import library_words
from core.retrieval.library_words import LibraryVocabulary
from core.retrieval.retriever import POOL, Retriever, _by_words
from core.retrieval.word_index import index_of
from core.text.words import content
from tests.support.fake_models import WordEmbedder
from tests.support.libraries import HEAT, LIGHT

TEXTS = [
    "Light travels in straight lines. Light is bent by a lens.",
    "Sound needs a medium, and sound travels slower than light.",
    "The of and",
    "",
    "Heat flows from a warm body to a cold body. It's the body that cools; ध्वनि and H₂O too.",
    "Sound needs a medium, and sound travels slower than light.",
]
QUERIES = ["light", "How does sound travel in a warm body?", "zebra", "sound zebra", "", "the of", "ध्वनि H2O it's"]


def share(query, text):
    """The BM25 share of `query` for `text` by the formula, with k1 1.5 and b 0.75."""
    tokens = [content(t) for t in TEXTS]
    own, mean = content(text), np.mean([len(t) for t in tokens])

    def idf(word):
        n = sum(word in t for t in tokens)
        return math.log(1 + (len(TEXTS) - n + 0.5) / (n + 0.5))

    query_words = dict.fromkeys(content(query))
    counts = {word: own.count(word) for word in query_words}
    score = sum(idf(w) * n / (n + 1.5 * (0.25 + 0.75 * len(own) / mean)) for w, n in counts.items())
    return score / (sum(map(idf, query_words)) or 1)


def test_a_share_is_that_of_the_formula():
    index = index_of(TEXTS)
    for query in QUERIES:
        assert index.shares(query) == pytest.approx([share(query, text) for text in TEXTS], abs=1e-6)
    assert index_of([]).shares("light").tolist() == [] and index_of(["", "the"]).shares("light").tolist() == [0, 0]


def test_the_best_by_words_are_those_of_a_stable_sort_of_all_in_scope():
    chance = np.random.default_rng(0)
    for size in (0, 1, 300):
        passages = tuple(Passage(id=f"one:{n}", sentences=("A.",), pages=(n % 2 + 1,)) for n in range(size))
        for values in (2, 40, 10**6):  # few values give many equal scores
            scores = (chance.integers(values, size=size) / values).astype(np.float32)
            order = [n for n in sorted(range(size), key=lambda n: -scores[n]) if scores[n] > 0]
            for scope, kept in ((Scope(), order), (Scope(pages=((2, 2),)), [n for n in order if n % 2])):
                found = _by_words(SimpleNamespace(passages=passages), scores, scope)
                assert [p.id for p in found] == [f"one:{n}" for n in kept[:POOL]]


def test_a_vocabulary_gives_the_words_of_each_passage_and_reads_only_new_ones(monkeypatch):
    passages = [Passage(id=f"one:{n}", sentences=(text,), pages=(1,)) for n, text in enumerate(TEXTS)]
    earlier = LibraryVocabulary(passages)
    assert earlier.stem_lists(passages) == [list(content(text)) for text in TEXTS]
    read, new = [], Passage(id="two:0", sentences=("A zebra.",), pages=(1,))
    monkeypatch.setattr(library_words, "content", lambda text: read.append(text) or content(text))
    now = [passages[4], new, passages[0]]
    assert LibraryVocabulary(now, earlier).stem_lists(now) == [list(content(p.text)) for p in now]
    assert read == ["A zebra."]


def test_a_library_that_has_changed_is_searched_by_an_index_of_its_own(tmp_path):
    library = Library(tmp_path, WordEmbedder())
    library.ingest(LIGHT, "light.pdf")
    retriever = Retriever(library, None)
    first = retriever.snapshot()
    library.ingest(HEAT, "heat.pdf")
    second = retriever.snapshot()
    assert first.lexical.size == len(first.passages) < second.lexical.size == len(second.passages)
    told = [p.text for p in second.passages]
    assert second.lexical.shares("heat").tolist() == index_of(told).shares("heat").tolist()
    assert all(compress(second.lexical.shares("heat"), ["heat" in text.lower() for text in told]))
    library.close()
