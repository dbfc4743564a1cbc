"""Natural language inference: does a premise say a hypothesis, leave it open, or say otherwise?"""

import threading
from collections import OrderedDict
from pathlib import Path

import numpy as np
import torch
from sentence_transformers import CrossEncoder

from core.models.errors import ModelError
from core.models.loading import loaded

LABELS = ("entailment", "neutral", "contradiction")
_REMEMBERED = 50_000
_MOST_TOKENS = 200
"""A longer hypothesis would be cut off, and its end never read."""


class Entailer:
    """A three-label NLI cross-encoder. A pair is scored once and remembered by its content."""

    def __init__(self, path_or_name: str | Path, digest: str) -> None:
        options = {"dtype": torch.float32}
        self.model = loaded(lambda name: CrossEncoder(name, device="cpu", model_kwargs=options), path_or_name)
        self.digest = digest
        self._columns = _columns(self.model.config.id2label, str(path_or_name))
        self._known: OrderedDict[tuple[str, str], np.ndarray] = OrderedDict()
        self._lock = threading.Lock()

    def probabilities(self, pairs: list[tuple[str, str]]) -> np.ndarray:
        """P(entailment), P(neutral), P(contradiction) of each (premise, hypothesis): shape (pairs, 3)."""
        with self._lock:
            missing = [p for p in dict.fromkeys(pairs) if p not in self._known]
            if missing:
                self._known.update(zip(missing, self._predict(missing), strict=True))
            rows = [self._known[p] for p in pairs]
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return np.array(rows, dtype=float).reshape(len(pairs), 3)

    def _predict(self, pairs: list[tuple[str, str]]) -> np.ndarray:
        longest = max((hypothesis for _, hypothesis in pairs), key=len)
        tokens = len(self.model.tokenizer.tokenize(longest))
        if tokens > _MOST_TOKENS:
            raise ModelError(f"A sentence may have {_MOST_TOKENS} tokens, one has {tokens}; break it up.")
        scores = self.model.predict(pairs, batch_size=32, apply_softmax=True, show_progress_bar=False)
        return np.asarray(scores)[:, self._columns]


def _columns(id2label: dict[int, str], name: str) -> list[int]:
    """Where the model keeps each of LABELS; ModelError when it has others."""
    places = {label.casefold(): int(i) for i, label in id2label.items()}
    if set(places) != set(LABELS):
        raise ModelError(
            f"{Path(name).name} has the labels {', '.join(sorted(places))}; an NLI model must have entailment, neutral "
            "and contradiction: choose another."
        )
    return [places[label] for label in LABELS]
