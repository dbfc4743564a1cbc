"""How near a text is to a question that it may answer, from an encoder trained for search, not for similarity."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.models import Memory
from core.models.cross_encoders import cross_encoder

_QUESTION = "Represent this sentence for searching relevant passages: "
"""The prefix of a question, as the model card says."""
_CACHE_SIZE = 20_000


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
