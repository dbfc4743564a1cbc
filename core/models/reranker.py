"""Reranking: does a passage answer a question? A cross-encoder reads both together."""

import threading
from pathlib import Path

import numpy as np
import torch
from sentence_transformers import CrossEncoder

from core.models.errors import ModelError
from core.models.loading import loaded


class Reranker:
    """A one-label cross-encoder; its logit through a sigmoid is P(the passage answers the question)."""

    def __init__(self, path_or_name: str | Path, digest: str) -> None:
        options = {"dtype": torch.float32}
        self.model = loaded(lambda name: CrossEncoder(name, device="cpu", model_kwargs=options), path_or_name)
        if self.model.config.num_labels != 1:
            raise ModelError(
                f"{Path(str(path_or_name)).name} has {self.model.config.num_labels} labels; a reranker must have one: "
                "choose another."
            )
        self.digest = digest
        self._lock = threading.Lock()

    def probabilities(self, query: str, texts: list[str]) -> np.ndarray:
        """P(each text answers the query), in [0, 1]: shape (texts,)."""
        pairs = [(query, text) for text in texts]
        with self._lock:
            return np.asarray(self.model.predict(pairs, activation_fn=torch.nn.Sigmoid(), show_progress_bar=False))
