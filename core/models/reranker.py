"""Reranking: whether a passage answers a question, from a cross-encoder that reads both together."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.models import Memory, ModelError
from core.models.calibration import MonotoneMap, answers_map_of
from core.models.cross_encoders import CrossEncoder, Room, cross_encoder, readings

_MOST_TOKENS = 160
"""Maximum tokens of a question; the passage has the rest of the model's input."""


def best_logits(model: CrossEncoder, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    """The logit of each (question, passage), shape (pairs,). A question or passage that is too long is split into
    windows; the largest logit counts.
    """
    query_room = Room(model.tokens, _MOST_TOKENS)
    text_room = model.room_beside(_MOST_TOKENS)
    windows = [
        [(q, window) for q in readings(query, query_room) for window in readings(text, text_room)]
        for query, text in pairs
    ]
    logits = model.logits([pair for pair_windows in windows for pair in pair_windows])[:, 0]
    return np.array([part.max() for part in np.split(logits, np.cumsum([len(w) for w in windows])[:-1])])


class Reranker:
    """A one-label cross-encoder. Logits are cached by the texts of the pair.

    A monotone map turns a logit into P(the passage answers the question). A model without a fitted map gets a sigmoid,
    and `calibrated` is then False.
    """

    def __init__(self, path_or_name: str | Path, digest: str) -> None:
        self.model = cross_encoder(path_or_name)
        if len(self.model.id2label) != 1:
            raise ModelError(
                f"{Path(str(path_or_name)).name} has {len(self.model.id2label)} labels; a reranker must have one: "
                "choose another."
            )
        self.digest = digest
        self._map: MonotoneMap = answers_map_of(Path(path_or_name))
        self.memory = Memory()

    @property
    def calibrated(self) -> bool:
        return self._map.calibrated

    def probabilities(self, query: str, texts: list[str]) -> np.ndarray:
        """P(each text answers the query), in [0, 1], shape (texts,). A long text gets the value of its best window."""
        logits = self.memory.outputs([(query, text) for text in texts], lambda pairs: best_logits(self.model, pairs))
        return self._map(np.array(logits))
