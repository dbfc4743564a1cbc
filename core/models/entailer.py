"""Natural language inference: whether a premise entails a hypothesis, leaves it open, or contradicts it."""

from pathlib import Path

import numpy as np

from core.judgements import LABELS, decisiveness
from core.models import Memory, ModelError
from core.models.calibration import temperature_of
from core.models.cross_encoders import cross_encoder, readings, require_fits

_MOST_TOKENS = 200
"""Maximum tokens of a hypothesis; the premise has the rest of the model's input."""


class Entailer:
    """A three-label NLI cross-encoder. Its outputs are cached by the texts of the pair.

    A premise that is too long is read in overlapping windows, never cut off. The window with the most decided
    probabilities counts (`core.judgements.decisiveness`).
    """

    def __init__(self, path_or_name: str | Path, digest: str) -> None:
        self.model = cross_encoder(path_or_name)
        self.digest = digest
        self._columns = columns_of(self.model.id2label, str(path_or_name))
        self._temperature = temperature_of(Path(path_or_name))
        self._room = self.model.room_beside(_MOST_TOKENS)
        self.memory = Memory(50_000)

    def probabilities(self, pairs: list[tuple[str, str]]) -> np.ndarray:
        """P(entailment), P(neutral), P(contradiction) of each (premise, hypothesis); shape (pairs, 3)."""
        return np.array(self.memory.outputs(pairs, self._predict), dtype=float).reshape(len(pairs), 3)

    def _predict(self, pairs: list[tuple[str, str]]) -> np.ndarray:
        for _, hypothesis in pairs:
            require_fits(self.model, hypothesis, _MOST_TOKENS, "sentence")
        windows = [readings(premise, self._room) for premise, _ in pairs]
        flat = [
            (window, h) for (_, h), premise_windows in zip(pairs, windows, strict=True) for window in premise_windows
        ]
        logits = self.model.logits(flat)[:, self._columns].astype(float) / self._temperature
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        probabilities = powers / powers.sum(axis=1, keepdims=True)
        by_pair = np.split(probabilities, np.cumsum([len(premise_windows) for premise_windows in windows])[:-1])
        return np.array([rows[decisiveness(rows).argmax()] for rows in by_pair])


def columns_of(id2label: dict[int, str], name: str) -> list[int]:
    """The model's output column for each of LABELS. Raises ModelError if it has other labels.

    name: the model's name in the message.
    """
    column = {label.casefold(): int(i) for i, label in id2label.items()}
    if set(column) != set(LABELS):
        raise ModelError(
            f"{Path(name).name} has the labels {', '.join(sorted(column))}; an NLI model must have entailment, neutral "
            "and contradiction: choose another."
        )
    return [column[label] for label in LABELS]
