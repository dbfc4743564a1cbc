"""What a server of OpenAI's protocol sends: up to a limit, lest it go on for ever or fill the memory, and what it
tells of the probabilities of the words that its model wrote."""

import math
import re
import time
from collections.abc import Iterator
from typing import Any

import httpx2

from core.models.errors import ModelError

MOST_BYTES = 4_000_000
"""Far more than any answer needs, with all that the protocol wraps around its words."""


def logarithms(choice: Any) -> list[float]:
    """Of the probability of each word of a choice, or of a piece of it; [] where the server tells none."""
    return [float(one.logprob) for one in _words(choice)]


def yes_of(choice: Any) -> float | None:
    """P(yes) among what a choice may begin with, yes or no; None where that is neither.

    A server that tells no probabilities has said one of the two.
    """
    said = [(one.token, math.exp(one.logprob)) for first in _words(choice)[:1] for one in first.top_logprobs or []]
    said = said or [(choice.message.content, 1.0)]
    yes, no = (sum(sure for word, sure in said if _first_word(word) == answer) for answer in ("yes", "no"))
    return yes / (yes + no) if yes + no else None


def _words(choice: Any) -> list[Any]:
    found = getattr(getattr(choice, "logprobs", None), "content", None) or []
    return [one for one in found if isinstance(getattr(one, "logprob", None), int | float)]


def _first_word(text: str) -> str:
    return next(iter(re.findall(r"[a-z]+", text.casefold())), "")


class Bounded(httpx2.SyncByteStream):
    """The bytes of a response until MOST_BYTES or the moment `until` (of time.monotonic); then a ModelError."""

    def __init__(self, stream: Any, until: float, late: str) -> None:
        self._stream, self._until, self._late = stream, until, late

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for part in self._stream:
            size += len(part)
            if size > MOST_BYTES:
                raise ModelError(f"The server sent over {MOST_BYTES:,} bytes for one answer; use another server.")
            if time.monotonic() > self._until:
                raise ModelError(self._late)
            yield part

    def close(self) -> None:
        self._stream.close()
