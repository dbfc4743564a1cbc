"""Measures the cost of a local language model, independently of other work on the computer."""

import time
from collections.abc import Callable
from typing import Any

from core.writers.language_model import Completion, LanguageModel, Manner


class Meter:
    """Counts the tokens that a language model reads and writes, and the CPU seconds of this process.

    CPU seconds depend little on other work on the computer. While measured, the model has no time limit.
    """

    def __init__(self, model: LanguageModel) -> None:
        self.model, self._complete = model, model._complete
        self.read = self.write_drafts = 0
        self.seconds = 0.0
        model._complete = self._metered

    def _metered(self, prompt: str, manner: Manner, most: int, until: float, tell: Callable[[str], Any]) -> Completion:
        started = time.process_time()
        written = self._complete(prompt, manner, most, float("inf"), tell)
        self.seconds += time.process_time() - started
        self.read += self.model._model.get_tokenizer().encode(prompt).input_ids.shape[1]
        self.write_drafts += written.tokens
        return written

    def taken(self) -> dict[str, float]:
        """The cost since the last call. It also empties the model's cache, since cached answers cost nothing."""
        cost = {"read": self.read, "written": self.write_drafts, "seconds": round(self.seconds, 2)}
        self.read, self.write_drafts, self.seconds = 0, 0, 0.0
        self.model._find_document.clear()
        return cost
