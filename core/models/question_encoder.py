"""How near a text lies to a question that it may answer: an encoder that was trained for search, not for likeness."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.models import Memory
from core.models.cross_encoders import cross_encoder

_QUESTION = "Represent this sentence for searching relevant passages: "
"""What the encoder was trained to find before a question, by its own card."""
_REMEMBERED = 20_000


class QuestionEncoder:
    """An encoder of questions and of texts that may answer them, whose first token speaks for the whole text.

    A text is encoded once and remembered by its content.
    """

    def __init__(self, path_or_name: str | Path, digest: str) -> None:
        self.model = cross_encoder(path_or_name)
        self.digest = digest
        self._memory = Memory(_REMEMBERED)
        self.forget = self._memory.forget

    def cosines(self, query: str, texts: Sequence[str]) -> np.ndarray:
        """The cosine of `query` with each text, shape (texts,). The end of a text that is too long is left out."""
        vectors = np.stack(self._memory.each([f"{_QUESTION}{query}", *texts], self._encode))
        return vectors[1:] @ vectors[0]

    def _encode(self, texts: list[str]) -> np.ndarray:
        """Unit vectors, float32, shape (texts, dimensions)."""
        vectors = self.model.first_token(texts)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
