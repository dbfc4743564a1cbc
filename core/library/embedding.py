"""Passages become vectors, a batch at a time."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from core.case import Passage
from core.library.errors import LibraryError
from core.library.progress import Pace

_BATCH = 32


class Embedder(Protocol):
    """What the library asks of an embedding model. `digest` names its weights."""

    digest: str

    def encode(self, texts: list[str]) -> np.ndarray:
        """(texts, d), float32, rows of length 1."""


def embedded(passages: Sequence[Passage], pages: int, embedder: Embedder, pace: Pace) -> np.ndarray:
    """One unit vector a passage, (passages, d), float32; `pace` hears of every batch."""
    batches = []
    for start in range(0, len(passages), _BATCH):
        batch = passages[start : start + _BATCH]
        batches.append(_verified(embedder.encode([p.text for p in batch]), len(batch)))
        pace.tell(batch[-1].pages[-1], pages, (start + len(batch)) / len(passages))
    return np.concatenate(batches)


def _verified(vectors: np.ndarray, rows: int) -> np.ndarray:
    """`vectors` when they are what an embedder owes, so that no broken one is ever stored."""
    array = np.asarray(vectors, dtype=np.float32)
    if array.ndim != 2 or len(array) != rows:
        raise LibraryError(f"The embedder must give {rows} vectors, one a passage, got the shape {array.shape}.")
    if not np.allclose(np.linalg.norm(array, axis=1), 1, atol=1e-3):
        raise LibraryError("The embedder must give vectors of length 1; normalise its output.")
    return array
