"""What all language models share: how they write, report their progress, and how their text becomes a draft."""

import math
import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeVar

from core.case import Draft
from core.models import ModelError
from core.text.answer_sentences import read_answer
from core.text.citation_marks import without_marks


@dataclass(frozen=True, kw_only=True)
class Manner:
    """How a model generates text.

    temperature: 0 always takes the likeliest word; otherwise words are sampled, reproducibly for the same `seed`.
    pattern: a regular expression that the whole text must match, or "". least: minimum number of tokens, for models
    that support it.
    """

    temperature: float = 0.0
    seed: int = 0
    pattern: str = ""
    least: int = 0


_LEAST = 5
"""The number of tokens of "I don't know.". It is more than those of a mark such as "[3]", since a model that should
write one behind each sentence may otherwise write only the mark."""
LIKELIEST = Manner(least=_LEAST)
MORE = tuple(Manner(temperature=0.7, seed=n, least=_LEAST) for n in (1, 2))
"""The manners of the two samples with which a first draft is compared (SelfCheckGPT; Manakul et al., 2023)."""


@dataclass(frozen=True, kw_only=True)
class Completion:
    """The text that a model wrote. whole: True if the model ended it itself. in_time: False if the time ran out.

    logarithm: log probability of the whole text of `tokens` tokens; None if the model does not give it.
    """

    text: str
    whole: bool
    in_time: bool = True
    logarithm: float | None = None
    tokens: int = 0

    @property
    def certainty(self) -> float | None:
        """The geometric mean of the tokens' probabilities; None if unknown.

        (Malinin and Gales, Uncertainty Estimation in Autoregressive Structured Prediction, 2021.)
        """
        if self.logarithm is None or not self.tokens:
            return None
        return min(1.0, math.exp(self.logarithm / self.tokens))


def draft_of(completion: Completion, writer: str) -> Draft:
    """The draft in a model's text: marks become citations, and an incomplete last sentence is omitted.

    Raises ModelError if the text is empty or has nothing but marks, since an empty answer is a fault of the model.
    """
    if not without_marks(completion.text).strip(" .,"):
        raise ModelError(f"The writer {writer} wrote nothing; put it in other words, or choose another writer.")
    return replace(read_answer(completion.text, writer=writer, whole=completion.whole), certainty=completion.certainty)


Content = TypeVar("Content")
Listen = Callable[[str], None]
"""A listener. It is called with the reason why nothing is written yet, and then with the whole text so far. Raising an
exception ends the writing."""
_AGAIN = 0.25
"""Seconds after which a listener is called again with the same text, so that it can end the writing."""


class WritingStopped(Exception):  # noqa: N818 - requested by a person, not an error
    """Raised in the writing thread when nobody waits for the text any more."""


def run_with_listener(
    write: Callable[[Listen], Content], listen: Listen | None = None, until: float = math.inf
) -> Content:
    """Run `write` in another thread, call `listen` in this one with each text it reports, and return its result.

    An exception of `listen` is raised here at once, and ends `write` at its next report. After `until` of
    time.monotonic(), TimeoutError is raised in the same way.
    """
    events: queue.SimpleQueue[tuple[str, object]] = queue.SimpleQueue()
    is_over = threading.Event()

    def on_text(text: str) -> None:
        if is_over.is_set():
            raise WritingStopped
        events.put(("text", text))

    def work() -> None:
        try:
            events.put(("end", write(on_text)))
        except BaseException as error:  # raised again in the waiting thread
            events.put(("error", error))

    threading.Thread(target=work, daemon=True).start()
    so_far = ""
    try:
        while True:
            kind, value = "text", so_far
            with suppress(queue.Empty):
                kind, value = events.get(timeout=max(0.0, min(_AGAIN, until - time.monotonic())))
            if kind == "end":
                return value
            if kind == "error":
                raise value
            if time.monotonic() > until:
                raise TimeoutError
            so_far = value
            if listen:
                listen(so_far)
    finally:
        is_over.set()
