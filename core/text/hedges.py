"""Hedging and filler phrases: the patterns of source document C, further built-in ones, and those that a user adds."""

from functools import lru_cache

import regex

from core.errors import UserError
from core.text.words import content, words

PATTERNS: dict[str, str] = {
    "not sure": r"\bI(?:'m| am) (?:not sure|uncertain|unsure)\b|\bI (?:don't|do not) know\b",
    "I think, maybe": r"\bI (?:think|believe|guess)\b|\b(?:maybe|possibly|perhaps)\b",
    "cannot find": r"\b(?:cannot|can't|could not|couldn't) (?:find|determine|answer)\b",
    "no information": r"\bno (?:information|data|evidence)\b",
    "not mentioned": r"\bnot (?:mentioned|specified|stated)\b",
    "as an AI": r"\bas an? (?:AI|language model|assistant)\b",
    "it depends": r"\bit (?:all )?depends on many (?:things|factors)\b|\bthere are many (?:factors|reasons|ways) to\b",
    "great question": r"\b(?:great|good|interesting) question\b|\bhope (?:this|that) helps\b",
}
"""Name on screen -> pattern. The first five are those of source document C."""
SECONDS = 0.1
"""The time limit for one pattern on one sentence, in seconds."""


class PatternError(UserError):
    """A pattern that a person wrote cannot be used; the message says which and why."""


@lru_cache(maxsize=256)
def compile_pattern(pattern: str) -> regex.Pattern:
    """The compiled `pattern`; PatternError, with a one-sentence message, if it is too long or invalid."""
    if len(pattern) > 200:
        raise PatternError(f"A pattern may have 200 characters, this one has {len(pattern)}; shorten it.")
    try:
        return regex.compile(pattern, regex.IGNORECASE)
    except regex.error as error:
        raise PatternError(f"The pattern {pattern!r} cannot be read ({error}); mend or remove it.") from error


def find_hedges(sentence: str, source: str, extra: tuple[str, ...] = (), out: tuple[str, ...] = ()) -> list[str]:
    """The phrases of `sentence` that match a pattern in force and do not occur in `source`, the text of its passages.

    extra: the user's own patterns. out: names of the built-in patterns that are switched off.
    """
    book = f" {' '.join(words(source))} "
    patterns = dict.fromkeys([*(pattern for name, pattern in PATTERNS.items() if name not in out), *extra])
    phrases = [phrase for pattern in patterns for phrase in _phrases(pattern, sentence)]
    return [phrase for phrase in phrases if f" {' '.join(words(phrase))} " not in book]


def pattern_in(text: str) -> str:
    """The first built-in pattern that `text` matches, as it is written; "" for none."""
    return next((pattern for pattern in PATTERNS.values() if _phrases(pattern, text)), "")


def is_filler(text: str) -> bool:
    """True for a text that says nothing beside the phrases of built-in patterns: "Great question!"."""
    rest = text.replace("’", "'")
    phrases = [phrase for pattern in PATTERNS.values() for phrase in _phrases(pattern, rest)]
    for phrase in phrases:
        rest = rest.replace(phrase, " ")
    return bool(phrases) and not content(rest)


def _phrases(pattern: str, text: str) -> list[str]:
    """The matches of `pattern` in `text`; PatternError if the search takes longer than SECONDS."""
    try:
        return [
            m.group() for m in compile_pattern(pattern).finditer(text.replace("’", "'"), timeout=SECONDS) if m.group()
        ]
    except TimeoutError as error:
        raise PatternError(f"The pattern {pattern!r} took over {SECONDS:g} s on one sentence; simplify it.") from error
