"""Natural language inference: does a premise say a hypothesis, leave it open, or say otherwise?"""

from pathlib import Path

import numpy as np

from core.judgements import LABELS, decided
from core.models import Memory, ModelError
from core.models.calibration import temperature_of
from core.models.cross_encoders import Room, cross_encoder, read_whole, readings

_REMEMBERED = 50_000
_MOST_TOKENS = 200
"""Tokens of a hypothesis; the rest of what the model reads is left to the premise."""
_MARKS = 6
"""Most tokens that a model puts around and between two texts."""


class Entailer:
    """A three-label NLI cross-encoder. A pair is scored once and remembered by its content.

    A premise that is longer than the model reads is read in overlapping windows, never cut off; the most decided
    window gives the label.
    """

    def __init__(self, path_or_name: str | Path, digest: str) -> None:
        self.model = cross_encoder(path_or_name)
        self.digest = digest
        self._columns = columns_of(self.model.id2label, str(path_or_name))
        self._temperature = temperature_of(Path(path_or_name))
        self._room = Room(self.model.tokens, self.model.most_tokens - _MOST_TOKENS - _MARKS)
        self._memory = Memory(_REMEMBERED)
        self.forget = self._memory.forget

    def probabilities(self, pairs: list[tuple[str, str]]) -> np.ndarray:
        """P(entailment), P(neutral), P(contradiction) of each (premise, hypothesis): shape (pairs, 3)."""
        return np.array(self._memory.each(pairs, self._predict), dtype=float).reshape(len(pairs), 3)

    def _predict(self, pairs: list[tuple[str, str]]) -> np.ndarray:
        for _, hypothesis in pairs:
            read_whole(self.model, hypothesis, _MOST_TOKENS, "sentence")
        windows = [readings(premise, self._room) for premise, _ in pairs]
        flat = [(window, h) for (_, h), found in zip(pairs, windows, strict=True) for window in found]
        each = np.split(self._softmax(flat), np.cumsum([len(found) for found in windows])[:-1])
        return np.array([rows[decided(rows).argmax()] for rows in each])

    def _softmax(self, pairs: list[tuple[str, str]]) -> np.ndarray:
        logits = self.model.logits(pairs)[:, self._columns].astype(float) / self._temperature
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)


def columns_of(id2label: dict[int, str], name: str) -> list[int]:
    """Where the model keeps each of LABELS; ModelError when it has others."""
    places = {label.casefold(): int(i) for i, label in id2label.items()}
    if set(places) != set(LABELS):
        raise ModelError(
            f"{Path(name).name} has the labels {', '.join(sorted(places))}; an NLI model must have entailment, neutral "
            "and contradiction: choose another."
        )
    return [places[label] for label in LABELS]
