"""Fakes with structure: meaning by shared words, so that tests need no weights and can be reasoned about."""

import zlib

import numpy as np

from core.models import Memory
from core.models.profile import Models
from core.models.reader import Answer
from core.models.stretches import AnswerWeights
from core.models.support_hints import SupportWeights
from core.text.sentences import sentences
from core.text.words import content, overlap, words


class WordEmbedder:
    """Texts are close when they share content words."""

    size = 256

    def __init__(self, digest="words-of-the-tests"):
        self.digest = digest

    def encode(self, texts):
        vectors = np.full((len(texts), self.size), 1e-4, dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for word in content(text):
                row[zlib.crc32(word.encode()) % self.size] += 1
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


class FakeEmbedder(WordEmbedder):
    """It knows terms, too, and counts its calls."""

    size, memory = 512, Memory(1)

    def __init__(self):
        super().__init__("fake-embedder-of-the-tests")
        self.calls = 0

    def encode(self, texts):
        self.calls += 1
        return super().encode(texts)

    def is_term(self, word):
        return len(word) > 11


class FakeEntailer:
    """Shared words entail; a "not" on one side only contradicts. Counts its calls, and keeps what it was asked."""

    digest = "fake-entailer-of-the-tests"
    memory = Memory(1)

    def __init__(self):
        self.calls, self.asked = 0, []

    def probabilities(self, pairs):
        self.calls += 1
        self.asked += pairs
        return np.array([self._one(*pair) for pair in pairs]).reshape(len(pairs), 3)

    def _one(self, premise, hypothesis):
        shared = overlap(hypothesis, premise)
        if shared > 0.6 and ("not" in words(premise)) != ("not" in words(hypothesis)):
            return (0.05, 0.05, 0.9)
        return (0.9 * shared + 0.05, 0.9 * (1 - shared) + 0.05, 0.0)


class FakeReader:
    """A text answers when it shares the question's words; the answer starts in the sentence that shares most."""

    digest = "fake-reader-of-the-tests"
    memory = Memory(1)
    weights = AnswerWeights(
        cosine=4.0, passage=1.0, defines=1.0, located=2.0, alone=0.5,
        offset=-4.0,
    )  # fmt: skip

    def __init__(self):
        self.calls = 0

    def read(self, question, texts):
        self.calls += 1
        return [self._one(question, text) for text in texts]

    def _one(self, question, text):
        sentences_ = sentences(text) or [text]
        shared = [overlap(question, sentence) for sentence in sentences_]
        starts = np.array(shared) / sum(shared) if sum(shared) else np.full(len(sentences_), 1 / len(sentences_))
        at = tuple(max(0, text.find(sentence)) for sentence in sentences_)
        first = at[int(starts.argmax())]
        probability = 0.05 + 0.9 * overlap(question, text)
        return Answer(probability=probability, span=(first, len(text)), at=at, starts=tuple(starts.tolist()))


def fake_models():
    """Models that go by shared words and were asked nothing yet."""
    weights = SupportWeights(near=0.5, against=-0.5, claims=0.5, unheld=-3.0, shared=1.0, differs=0.0, offset=-2.0)
    return Models(
        profile="fake", embedder=FakeEmbedder(), entailer=FakeEntailer(), reader=FakeReader(), support=weights
    )
