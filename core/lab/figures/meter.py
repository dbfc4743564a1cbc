"""Measures the cost of a local language model in tokens and CPU seconds, which other work on the computer hardly
changes."""

import time
from collections.abc import Callable
from typing import Any

from core.writers.language_model import Completion, LanguageModel, Manner


class Meter:
    """Counts the tokens that a language model reads and writes, and the CPU seconds of this process.

    While a model is measured, it has no time limit.
    """

    def __init__(self, model: LanguageModel) -> None:
        self.model, self._complete = model, model._complete
        self.prompt_tokens = self.new_tokens = 0
        self.seconds = 0.0
        model._complete = self._metered

    def _metered(
        self, prompt: str, manner: Manner, max_tokens: int, until: float, tell: Callable[[str], Any]
    ) -> Completion:
        started = time.process_time()
        completion = self._complete(prompt, manner, max_tokens, float("inf"), tell)
        self.seconds += time.process_time() - started
        self.prompt_tokens += self.model._model.get_tokenizer().encode(prompt).input_ids.shape[1]
        self.new_tokens += completion.tokens
        return completion

    def take_cost(self) -> dict[str, float]:
        """Return the tokens read and written and the CPU seconds since the last call, and reset these counts to zero.

        The call also empties the model's cache, since a cached answer would cost nothing.
        """
        cost = {"read": self.prompt_tokens, "written": self.new_tokens, "seconds": round(self.seconds, 2)}
        self.prompt_tokens, self.new_tokens, self.seconds = 0, 0, 0.0
        self.model._cache.clear()
        return cost
