"""A language model on this computer, which all sessions share: one chat at a time, first come, first served."""

import logging
import math
import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from typing import Any, ClassVar

from core.jobs import Turns, Wait, in_line, telling
from core.models.errors import ModelError
from core.models.listening import Listen, heard
from core.models.llm_drafts import LIKELIEST, Manner, Written
from core.models.prompts import Message

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
