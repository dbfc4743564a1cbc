"""Language models in general: how they write, report progress, and become drafts; and the base class of local models,
which all sessions share, one chat at a time, in order of arrival."""

import logging
import math
import queue
import threading
import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

from core.case import Draft
from core.models import ModelError
from core.platform.jobs import Turns, Wait, in_line, report_waits
from core.text.answer_sentences import read_answer
from core.text.citation_marks import without_marks
from core.writers.prompts import Message


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


Content = TypeVar("Given")
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


log = logging.getLogger(__name__)
_CACHE_SIZE = 500


class LanguageModel(ABC):
    """A language model on this computer. The same chat in the same manner always has the same answer.

    The model is loaded by the first request. Answers are cached unless the time ran out. seconds: maximum time for one
    answer, without waiting in the queue.
    """

    name: ClassVar[str]
    seconds: ClassVar[float] = 120.0

    def __init__(self) -> None:
        self._model: Any = None
        self._cache: OrderedDict[tuple[str, Manner], Completion] = OrderedDict()
        self._turns = Turns(1)

    def write(
        self, messages: list[Message], max_tokens: int, listen: Listen | None = None, manner: Manner = LIKELIEST
    ) -> Completion:
        """The answer to a chat, in at most `max_tokens` and `seconds`. Raises ModelError if there is none.

        listen: called with the position in the queue, with a note while the model loads, then with the text so far.
        """
        return run_with_listener(lambda on_text: self._in_turn(messages, max_tokens, on_text, manner), listen)

    def reply(self, messages: list[Message], max_tokens: int, pattern: str) -> str:
        """The answer to a chat in at most `max_tokens` that matches `pattern`. Raises ModelError if there is none."""
        completion = self.write(messages, max_tokens, manner=Manner(pattern=pattern))
        if not completion.whole:
            raise ModelError(f"The answer of {self.name} was cut off; ask again when the computer has less to do.")
        return completion.text

    def yes(self, messages: list[Message]) -> float:
        """P(yes) relative to yes and no, for a chat that asks for Yes or No.

        The model writes each word in a separate call, since it gives the probability only of what it writes.
        """
        logarithms = [self.write(messages, 1, manner=Manner(pattern=word)).logarithm for word in ("Yes", "No")]
        if None in logarithms:
            raise ModelError(f"{self.name} does not say how sure it is; let another model judge.")
        return 1 / (1 + math.exp(min(700.0, logarithms[1] - logarithms[0])))

    def _in_turn(self, messages: list[Message], max_tokens: int, on_text: Listen, manner: Manner) -> Completion:
        def report_wait(wait: Wait | None) -> None:
            if wait:
                on_text(f"Others are answered first: this question is {in_line(wait)} …")

        with report_waits(report_wait), self._turns.take_turn():
            if self._model is None:
                on_text("The model is loaded, which is done once …")
                started = time.perf_counter()
                self._model = self._load(on_text)
                log.info("%s loaded in %.1f s", self.name, time.perf_counter() - started)
            key = self._prompt(messages), manner
            until = time.monotonic() + self.seconds
            completion = self._cache.get(key) or self._complete(*key, max_tokens, until, on_text)
            if completion.in_time:
                self._cache[key] = completion
            while len(self._cache) > _CACHE_SIZE:
                self._cache.popitem(last=False)
            return completion

    @abstractmethod
    def _load(self, on_text: Listen) -> Any:
        """Load the model, which is then stored as `_model`. Raises ModelError if it cannot be loaded."""

    @abstractmethod
    def _prompt(self, messages: list[Message]) -> str:
        """The chat in the model's own format, ready to be continued."""

    @abstractmethod
    def _complete(self, prompt: str, manner: Manner, max_tokens: int, until: float, on_text: Listen) -> Completion:
        """The model's continuation of `prompt`, in at most `max_tokens` and until `until` of time.monotonic()."""
