"""Reranking: does a passage answer a question? A cross-encoder reads both together."""

import threading
from collections import OrderedDict
from pathlib import Path

import numpy as np

from core.models.calibration import MonotoneMap, answers_map_of
from core.models.cross_encoders import cross_encoder
from core.models.errors import ModelError
from core.models.premises import Room, readings

_MOST_TOKENS = 160
"""Tokens of a question; the rest of what the model reads is left to the passage."""
_MARKS = 6
"""Most tokens that a model puts around and between two texts."""
_REMEMBERED = 20_000


class Reranker:
    """A one-label cross-encoder. Its logit becomes P(the passage answers the question) through a monotone map, or,
    for a model without one, through a sigmoid: `calibrated` is then False.

    A pair is read once and remembered by its content."""

    def __init__(self, path_or_name: str | Path, digest: str) -> None:
        self.model = cross_encoder(path_or_name)
        if len(self.model.id2label) != 1:
            raise ModelError(
                f"{Path(str(path_or_name)).name} has {len(self.model.id2label)} labels; a reranker must have one: "
                "choose another."
            )
        self.digest = digest
        self._map: MonotoneMap = answers_map_of(Path(path_or_name))
        self._asked = Room(self.model.tokens, _MOST_TOKENS)
        self._room = Room(self.model.tokens, self.model.most_tokens - _MOST_TOKENS - _MARKS)
        self._known: OrderedDict[tuple[str, str], float] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def calibrated(self) -> bool:
        return self._map.calibrated

    def probabilities(self, query: str, texts: list[str]) -> np.ndarray:
        """P(each text answers the query), in [0, 1]: shape (texts,). Of a long one the best window counts."""
        with self._lock:
            missing = [text for text in dict.fromkeys(texts) if (query, text) not in self._known]
            if missing:
                self._known.update(zip(((query, text) for text in missing), self._read(query, missing), strict=True))
            logits = np.array([self._known[query, text] for text in texts])
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return self._map(logits)

    def _read(self, query: str, texts: list[str]) -> list[float]:
        asked = readings(query, self._asked)
        pairs = [[(q, window) for q in asked for window in readings(text, self._room)] for text in texts]
        logits = self.model.logits([pair for found in pairs for pair in found])[:, 0]
        return [float(found.max()) for found in np.split(logits, np.cumsum([len(found) for found in pairs])[:-1])]
