"""Vectors of texts: how close two texts are in meaning, and how near a text is to a question that it may answer.

For the second, an encoder is trained for search, not for similarity.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from core.models import Memory
from core.models.weights import MINILM_SHA256, SHIPPED, load_model

_QUESTION = "Represent this sentence for searching relevant passages: "
"""The prefix of a question, as the model card says."""


class Embedder:
    """An encoder of sentence-transformers. Vectors have unit length, so a dot product is a cosine.

    Vectors are cached by text, because the sentences of a chapter recur with every question. digest: the model's
    identity. pooling: how the vectors of the tokens become one.
    """

    def __init__(self, path_or_name: str | Path, digest: str, pooling: Literal["mean", "cls"] = "mean") -> None:
        self.model = load_model(partial(_loaded, pooling=pooling), path_or_name)
        self.digest = digest
        self.memory = Memory()
        self._terms: dict[str, bool] = {}

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors, float32, shape (texts, dimensions). A text that is too long is truncated."""
        if not texts:
            return np.zeros((0, self.model.get_embedding_dimension()), dtype=np.float32)
        return np.stack(self.memory.outputs(texts, self._encode))

    def _encode(self, texts: list[str]) -> np.ndarray:
        return self.model.encode(texts, normalize_embeddings=True, show_progress_bar=False, batch_size=64)

    def is_term(self, word: str) -> bool:
        """True for a word that is rare in everyday English: the tokenizer splits it into several tokens."""
        with self.memory.lock:  # the tokenizer keeps state between calls
            if word not in self._terms:
                self._terms[word] = len(self.model.tokenizer.tokenize(word)) > 1
            return self._terms[word]


def _loaded(path_or_name: str, pooling: Literal["mean", "cls"]) -> Any:
    from core.models import networks  # torch takes seconds to import

    return networks.sentence_encoder(path_or_name, pooling)


def bundled_embedder() -> Embedder:
    """all-MiniLM-L6-v2, whose vectors the library is indexed by."""
    return Embedder(SHIPPED / "minilm", MINILM_SHA256)


class QuestionEncoder(Embedder):
    """An encoder of questions and of texts that may answer them. The vector of the first token stands for the text."""

    def __init__(self, path_or_name: str | Path, digest: str) -> None:
        super().__init__(path_or_name, digest, pooling="cls")

    def cosines(self, query: str, texts: Sequence[str]) -> np.ndarray:
        """The cosine of `query` with each text, shape (texts,)."""
        vectors = self.encode([f"{_QUESTION}{query}", *texts])
        return vectors[1:] @ vectors[0]

    def _encode(self, texts: list[str]) -> np.ndarray:
        """As the superclass, in batches by the number of tokens, which the forward pass makes."""
        batch = self.model.tokenizer(texts, padding=True, truncation=True, return_tensors="pt")
        return self.model({**batch})["sentence_embedding"].numpy()
