"""What a server of OpenAI's protocol tells of the probabilities of the words that its model wrote."""

import math
import re
from typing import Any


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
