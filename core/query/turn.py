"""What kind of turn a person takes: a question to the books, small talk, or something about what was just said."""

import re
from typing import Literal

from core.case import Question
from core.text.quantities import numbers
from core.text.small_talk import greets, in_lexicon, without_greeting
from core.text.words import content

Kind = Literal["question", "small_talk", "about_last_turn", "tool_result"]

_SAID = re.compile(
    r"\byou (?:just |have )?(?:said|say|mean|meant|wrote|used|told|called|mentioned)\b"
    r"|\byour (?:last |own |previous |first )*(?:answer|sentence|message|words?|reply|question)\b"
)
_MEANT = re.compile(r"\bmean by\b|\bdid you mean\b|\byou (?:mean|meant)\b")
_SAYING = frozenset("say said mean meant use just word answer sentence tell told call last simpler".split())
_RESULT = re.compile(r"\b(?:tools?|results?|outputs?|calculators?|search|look-?up|api)\b")
_ASKS = re.compile(r"\b(?:what|which|who|whom|whose|where|when|why|how)\b")
_HOW_ARE_YOU = re.compile(r"\b(?:how (?:are|do) you(?: doing| do)?|how is it going|what's up)\b")
_ARE_YOU = re.compile(r"\bare you (?:ready|there|ok|okay|well|fine|free|real|human)\b[a-z ]*")
_WANTS = re.compile(
    r"\b(?:learn|revise|confused|stuck)\b|(?<!\bno )(?<!\bany )\bdoubts?\b"
    r"|\b(?:want|need|like|trying) to (?:know|understand|study)\b"
)
"""A wish to be told something."""
_WHOSE = re.compile(r"\b(?:my|your|the|a) \w+")
_PERSON = re.compile(r"\b(?:i|i'm|my|me|you|your|we)\b")


def kind_of_turn(question: Question) -> Kind:
    """The kind of a turn, by rules over its words, the history and the tool results; "question" when in doubt.

    A turn taken for talk skips the search, so whatever is no plain talk must be a question.
    """
    text = " ".join(question.query.lower().replace("’", "'").split())
    if _asks_for_result(text, tool_texts(question)):
        return "tool_result"
    if _is_about(text, last_answer(question)):
        return "about_last_turn"
    return "small_talk" if _is_small_talk(text) else "question"


def tool_texts(question: Question) -> tuple[str, ...]:
    """What tools gave for this turn: the results handed over, and those in the history since the last answer."""
    told: list[str] = []
    for turn in question.history:
        told = [*told, turn.text] if turn.role == "tool" else [] if turn.role == "assistant" else told
    return tuple(dict.fromkeys((*question.tool_results, *told)))


def last_answer(question: Question) -> str:
    """The assistant's own last turn; "" without one."""
    return next((t.text for t in reversed(question.history) if t.role == "assistant"), "")


def _asks_for_result(text: str, told: tuple[str, ...]) -> bool:
    """True when there are tool results and the turn asks for them, by name or by what they hold."""
    if not told:
        return False
    result = "\n".join(told)
    shared = set(content(text)) & set(content(result)) or set(numbers(text)) & set(numbers(result))
    return bool(_RESULT.search(text) or shared)


def _is_about(text: str, answer: str) -> bool:
    """True when the turn is about what the assistant said: it says so, and what it names stands there."""
    if not answer or not _SAID.search(text):
        return False
    named = [w for w in content(text) if w not in _SAYING and w not in in_lexicon("pointing")]
    return not named or bool(set(named) & set(content(answer)))


def _is_small_talk(text: str) -> bool:
    """True for a greeting or thanks, alone or with a word about oneself, that asks for nothing."""
    bare = text.rstrip("?!. ")
    if not greets(text) and not _HOW_ARE_YOU.fullmatch(bare) and not _ARE_YOU.fullmatch(bare):
        return False
    rest = _HOW_ARE_YOU.sub("", without_greeting(text))
    if _ASKS.search(rest) or _WANTS.search(rest) or in_lexicon("request") & set(content(_WHOSE.sub("", rest))):
        return False
    rest = _ARE_YOU.sub("", rest)
    return not content(rest) or ("?" not in rest.lstrip("?") and bool(_PERSON.search(rest)))
