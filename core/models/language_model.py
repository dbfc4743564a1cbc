"""A language model on this computer, which all sessions share: one chat at a time, first come, first served."""

import logging
import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from typing import Any, ClassVar

from core.jobs import Turns, Wait, in_line, telling
from core.models.listening import Listen, heard
from core.models.llm_drafts import Written
from core.models.prompts import Message

log = logging.getLogger(__name__)
_REMEMBERED = 500


class LanguageModel(ABC):
    """Continues a chat, always with the likeliest word, so that the same chat is always answered in the same words.

    It is loaded in the turn of who asks first. What was not cut off by the clock is remembered.
    """

    name: ClassVar[str]

    def __init__(self) -> None:
        self._model: Any = None
        self._known: OrderedDict[str, Written] = OrderedDict()
        self._turns = Turns(1)

    def write(self, messages: list[Message], most: int, seconds: float, listen: Listen | None = None) -> Written:
        """The answer to a chat, in at most `most` tokens and `seconds` from its turn on; ModelError when there is none.

        listen: told its place in the line, and that the model is loaded; then the text so far.
        """
        return heard(lambda tell: self._in_turn(messages, most, seconds, tell), listen)

    def _in_turn(self, messages: list[Message], most: int, seconds: float, tell: Listen) -> Written:
        def told(wait: Wait | None) -> None:
            if wait:
                tell(f"Others are answered first: this question is {in_line(wait)} …")

        with telling(told), self._turns.taken():
            if self._model is None:
                tell("The model is loaded, which is done once …")
                started = time.perf_counter()
                self._model = self._loaded(tell)
                log.info("%s loaded in %.1f s", self.name, time.perf_counter() - started)
            prompt = self._prompt(messages)
            written = self._known.get(prompt) or self._continued(prompt, most, time.monotonic() + seconds, tell)
            if written.in_time:
                self._known[prompt] = written
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
    def _continued(self, prompt: str, most: int, until: float, tell: Listen) -> Written:
        """What the model writes after `prompt`, in at most `most` tokens and not after `until` of time.monotonic()."""
