"""Reranking: does a passage answer a question? A cross-encoder reads both together."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.models import Memory, ModelError
from core.models.calibration import MonotoneMap, answers_map_of
from core.models.cross_encoders import CrossEncoder, Room, cross_encoder, readings

_MOST_TOKENS = 160
"""Tokens of a question; the rest of what the model reads is left to the passage."""
_MARKS = 6
"""Most tokens that a model puts around and between two texts."""
_REMEMBERED = 20_000


def best_logits(model: CrossEncoder, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    """The logit of each question and passage, shape (pairs,); of what is too long that of its best window."""
    asked = Room(model.tokens, _MOST_TOKENS)
    told = Room(model.tokens, model.most_tokens - _MOST_TOKENS - _MARKS)
    windows = [
        [(q, window) for q in readings(query, asked) for window in readings(text, told)] for query, text in pairs
    ]
    logits = model.logits([pair for found in windows for pair in found])[:, 0]
    return np.array([found.max() for found in np.split(logits, np.cumsum([len(w) for w in windows])[:-1])])


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
        self._memory = Memory(_REMEMBERED)
        self.forget = self._memory.forget

    @property
    def calibrated(self) -> bool:
        return self._map.calibrated

    def probabilities(self, query: str, texts: list[str]) -> np.ndarray:
        """P(each text answers the query), in [0, 1]: shape (texts,). Of a long one the best window counts."""
        logits = self._memory.each([(query, text) for text in texts], lambda pairs: best_logits(self.model, pairs))
        return self._map(np.array(logits))
