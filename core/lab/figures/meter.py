"""What a language model on this computer takes for what it is asked, whoever else is at work there."""

import time
from collections.abc import Callable
from typing import Any

from core.writers.language_model import LanguageModel, Manner, Written


class Meter:
    """What a language model takes: tokens read and written, and seconds of all cores together in this process, which
    other work on the computer lengthens little. No clock ends what it says while it is measured."""

    def __init__(self, model: LanguageModel) -> None:
        self.model, self._continued = model, model._continued
        self.read = self.written = 0
        self.seconds = 0.0
        model._continued = self._metered

    def _metered(self, prompt: str, manner: Manner, most: int, until: float, tell: Callable[[str], Any]) -> Written:
        started = time.process_time()
        written = self._continued(prompt, manner, most, float("inf"), tell)
        self.seconds += time.process_time() - started
        self.read += self.model._model.get_tokenizer().encode(prompt).input_ids.shape[1]
        self.written += written.tokens
        return written

    def taken(self) -> dict[str, float]:
        """All of it since it was asked last; what was remembered is forgotten, since it would cost nothing."""
        found = {"read": self.read, "written": self.written, "seconds": round(self.seconds, 2)}
        self.read, self.written, self.seconds = 0, 0, 0.0
        self.model._known.clear()
        return found
