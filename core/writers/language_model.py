"""What every language model shares: how it is to write, what it tells meanwhile, what it wrote and how that becomes a
draft; and one on this computer, which all sessions share: one chat at a time, first come, first served."""

import logging
import math
import queue
import threading
import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

from core.case import Draft
from core.models import ModelError
from core.platform.jobs import Turns, Wait, in_line, telling
from core.text.answer_sentences import read_answer
from core.text.citation_marks import without_marks
from core.writers.prompts import Message


@dataclass(frozen=True, kw_only=True)
class Manner:
    """How a chat is continued.

    temperature: 0 takes the likeliest word each time; any other draws, and the same `seed` draws the same again.
    pattern: the regular expression that all of it must fit, "" for free words. least: tokens before which it may not
    end, where whoever writes can be held to that.
    """

    temperature: float = 0.0
    seed: int = 0
    pattern: str = ""
    least: int = 0


_LEAST = 5
"""As many tokens as "I don't know." has. A mark such as "[3]" has fewer: asked for one behind each sentence, a model
may take the mark for the whole answer, and end where its first sentence should begin."""
LIKELIEST = Manner(least=_LEAST)
MORE = tuple(Manner(temperature=0.7, seed=n, least=_LEAST) for n in (1, 2))
"""How the drafts are sampled that a first one is held against (SelfCheckGPT; Manakul et al., 2023)."""


@dataclass(frozen=True, kw_only=True)
class Written:
    """What a model wrote. whole: it came to its own end. in_time: no clock cut it off.

    logarithm: of the probability of all its words, `tokens` of them; None where the model does not say it.
    """

    text: str
    whole: bool
    in_time: bool = True
    logarithm: float | None = None
    tokens: int = 0

    @property
    def certainty(self) -> float | None:
        """How sure the model was of each word: the geometric mean of their probabilities; None where it is not known.

        (Malinin and Gales, Uncertainty Estimation in Autoregressive Structured Prediction, 2021.)
        """
        if self.logarithm is None or not self.tokens:
            return None
        return min(1.0, math.exp(self.logarithm / self.tokens))


def draft_of(written: Written, writer: str) -> Draft:
    """The draft that a model wrote, its marks read as citations; a sentence that was cut off is left out.

    ModelError when it wrote nothing, or nothing but marks: an empty answer of a model is a fault of it.
    """
    if not without_marks(written.text).strip(" .,"):
        raise ModelError(f"The writer {writer} wrote nothing; put it in other words, or choose another writer.")
    return replace(read_answer(written.text, writer=writer, whole=written.whole), certainty=written.certainty)


Given = TypeVar("Given")
Listen = Callable[[str], None]
"""Told what there is to show, whole each time: why nothing is written yet, then the text so far. What it raises ends
the writing."""
_AGAIN = 0.25
"""Seconds after which a listener hears the same once more, so that it can end what has nothing new to tell."""


class Stopped(Exception):  # noqa: N818 - what a person wanted, no fault
    """Raised where something is told that nobody waits for any more."""


def heard(write: Callable[[Listen], Given], listen: Listen | None = None, until: float = math.inf) -> Given:
    """What `write` gives, which runs in a thread of its own; `listen` hears in this one what it tells.

    What `listen` raises is raised here at once, and ends `write` when it tells something next. So does the moment
    `until` of time.monotonic(), with a TimeoutError.
    """
    told: queue.SimpleQueue[tuple[str, object]] = queue.SimpleQueue()
    over = threading.Event()

    def tell(text: str) -> None:
        if over.is_set():
            raise Stopped
        told.put(("text", text))

    def work() -> None:
        try:
            told.put(("end", write(tell)))
        except BaseException as error:  # raised where it is waited for
            told.put(("error", error))

    threading.Thread(target=work, daemon=True).start()
    so_far = ""
    try:
        while True:
            kind, found = _next(told, min(_AGAIN, until - time.monotonic())) or ("text", so_far)
            if kind == "end":
                return found
            if kind == "error":
                raise found
            if time.monotonic() > until:
                raise TimeoutError
            so_far = found
            if listen:
                listen(so_far)
    finally:
        over.set()


def _next(told: "queue.SimpleQueue[tuple[str, object]]", seconds: float) -> tuple[str, object] | None:
    """What was told next, None when that is nothing for so many seconds."""
    try:
        return told.get(timeout=max(0.0, seconds))
    except queue.Empty:
        return None


log = logging.getLogger(__name__)
_REMEMBERED = 500
SECONDS = 120.0
"""Longest time for one answer, from its turn on."""
_ANSWERS = ("Yes", "No")


class LanguageModel(ABC):
    """Continues a chat, so that the same chat is always answered in the same words where it is to be in one manner.

    It is loaded in the turn of who asks first. What was not cut off by the clock is remembered.
    """

    name: ClassVar[str]

    def __init__(self) -> None:
        self._model: Any = None
        self._known: OrderedDict[tuple[str, Manner], Written] = OrderedDict()
        self._turns = Turns(1)

    def write(
        self,
        messages: list[Message],
        most: int,
        seconds: float = SECONDS,
        listen: Listen | None = None,
        manner: Manner = LIKELIEST,
    ) -> Written:
        """The answer to a chat, in at most `most` tokens and `seconds` from its turn on; ModelError when there is none.

        listen: told its place in the line, and that the model is loaded; then the text so far.
        """
        return heard(lambda tell: self._in_turn(messages, most, seconds, tell, manner), listen)

    def reply(self, messages: list[Message], most: int, pattern: str) -> str:
        """The answer to a chat in at most `most` tokens, all of which fits `pattern`; ModelError when there is none."""
        written = self.write(messages, most, manner=Manner(pattern=pattern))
        if not written.whole:
            raise ModelError(f"The answer of {self.name} was cut off; ask again when the computer has less to do.")
        return written.text

    def yes(self, messages: list[Message]) -> float:
        """P(yes) of a chat that asks for Yes or No: of the two words, which are the only ones it may say.

        Each is asked for by itself, since a model tells the probability of what it writes and of nothing else.
        """
        words = [self.write(messages, 1, manner=Manner(pattern=word)).logarithm for word in _ANSWERS]
        if None in words:
            raise ModelError(f"{self.name} does not say how sure it is; let another model judge.")
        return 1 / (1 + math.exp(min(700.0, words[1] - words[0])))

    def _in_turn(self, messages: list[Message], most: int, seconds: float, tell: Listen, manner: Manner) -> Written:
        def told(wait: Wait | None) -> None:
            if wait:
                tell(f"Others are answered first: this question is {in_line(wait)} …")

        with telling(told), self._turns.taken():
            if self._model is None:
                tell("The model is loaded, which is done once …")
                started = time.perf_counter()
                self._model = self._loaded(tell)
                log.info("%s loaded in %.1f s", self.name, time.perf_counter() - started)
            asked = self._prompt(messages), manner
            written = self._known.get(asked) or self._continued(*asked, most, time.monotonic() + seconds, tell)
            if written.in_time:
                self._known[asked] = written
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
            return written

    @abstractmethod
    def _loaded(self, tell: Listen) -> Any:
        """What `_prompt` and `_continued` find as `_model`; ModelError in one sentence when it cannot be had."""

    @abstractmethod
    def _prompt(self, messages: list[Message]) -> str:
        """The chat as the model reads it, up to where it begins to write."""

    @abstractmethod
    def _continued(self, prompt: str, manner: Manner, most: int, until: float, tell: Listen) -> Written:
        """What the model writes after `prompt`, in at most `most` tokens and not after `until` of time.monotonic()."""
