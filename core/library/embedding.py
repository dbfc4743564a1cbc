"""Passages become vectors, a batch of about the same length at a time, so that little is padding."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from core.case import Passage
from core.library.errors import LibraryError

_BATCH = 32


class Embedder(Protocol):
    """What the library asks of an embedding model. `digest` names its weights."""

    digest: str

    def encode(self, texts: list[str]) -> np.ndarray:
        """(texts, d), float32, rows of length 1."""


def embedded(passages: Sequence[Passage], embedder: Embedder, tell: Callable[[float], None]) -> np.ndarray:
    """One unit vector a passage, in their order: (passages, d), float32.

    `tell` hears after every batch which share of all letters is done; what it raises ends the work.
    """
    texts = [p.text for p in passages]
    order = sorted(range(len(texts)), key=lambda place: -len(texts[place]))
    batches, done = [], 0
    for start in range(0, len(order), _BATCH):
        batch = [texts[place] for place in order[start : start + _BATCH]]
        batches.append(_verified(embedder.encode(batch), len(batch)))
        done += sum(map(len, batch))
        tell(done / sum(map(len, texts)))
    return np.concatenate(batches)[np.argsort(order)]


def _verified(vectors: np.ndarray, rows: int) -> np.ndarray:
    """`vectors` when they are what an embedder owes, so that no broken one is ever stored."""
    array = np.asarray(vectors, dtype=np.float32)
    if array.ndim != 2 or len(array) != rows:
        raise LibraryError(f"The embedder must give {rows} vectors, one a passage, got the shape {array.shape}.")
    if not np.allclose(np.linalg.norm(array, axis=1), 1, atol=1e-3):
        raise LibraryError("The embedder must give vectors of length 1; normalise its output.")
    return array
