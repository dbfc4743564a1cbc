"""The form of an answer to each kind of question: a reason has a word such as "because", an example is named as one.
These are rules over words; the models judge the meaning."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from core.text.lists import list_openers
from core.text.quantities import numbers
from core.text.question_plan import plan_of
from core.text.sentences import sentences
from core.text.words import content

_REASON = re.compile(
    r"\b(?:because|since|due to|owing to|as a result|results? (?:in|from)|therefore|hence|thus|so that|in order to"
    r"|that is why|this is why|reasons?|causes?|caused|leads? to|led to|helps?|prevents?|protects?|allows?|enables?"
    r"|makes? it|for this|so as to|to (?:avoid|prevent|protect|help|keep|make|get|save|reduce|increase))\b|, so\b",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(
    r"\b(?:examples?|for instance|such as|e\.g|like|includ(?:e|es|ing)|namely|some of)\b|\bis called\b", re.IGNORECASE
)
_USE = re.compile(r"\b(?:us(?:e|es|ed|ing|eful)|helps?|for (?:\w+ing|the)|serves?|employed|applied)\b", re.IGNORECASE)
_MANNER = re.compile(
    r"\b(?:by|through|using|with the help|when|first|then|next|after|finally|process|method|steps?|can be|so that"
    r"|into|from)\b",
    re.IGNORECASE,
)
_CONTRAST = re.compile(
    r"\b(?:whereas|while|but|unlike|than|on the other hand|in contrast|different|differs?|difference|however|both"
    r"|compared|instead|same)\b",
    re.IGNORECASE,
)
_MEANING = re.compile(
    r"\b(?:is|are|was|were|means?|called|known|refers?|defined|termed|denotes?|named|consists?)\b|[:=–—]", re.IGNORECASE
)
_TIME = re.compile(
    r"\d|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|century|centuries"
    r"|years?|months?|days?|weeks?|hours?|morning|night|evening|summer|winter|spring|autumn|monsoon|during|after|before"
    r"|when|until|since)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[\w,;:(] )[“\"']?[A-Z][\w’'.-]+|^[A-Z][\w’'.-]+ (?:[A-Z]|was|is|had|said|wrote|found)")
_PERSON = re.compile(r"\b(?:king|queen|scientists?|people|men|women|group|company|government|officer)\b")


def _is_list(text: str) -> bool:
    parts = sentences(text)
    return any(opener is not None for opener in list_openers(parts)) or len(re.findall(r",|;|\band\b|\bor\b", text)) > 1


_FORMS: Mapping[str, Callable[[str], bool]] = {
    "reason": lambda text: bool(_REASON.search(text)),
    "number": lambda text: bool(numbers(text)),
    "computation": lambda text: bool(numbers(text)),
    "time": lambda text: bool(_TIME.search(text)),
    "person": lambda text: bool(_NAME.search(text) or _PERSON.search(text)),
    "place": lambda text: bool(_NAME.search(text)) or bool(re.search(r"\b(?:in|at|on|near|from|between) ", text)),
    "example": lambda text: bool(_EXAMPLE.search(text)),
    "use": lambda text: bool(_USE.search(text)),
    "list": _is_list,
    "manner": lambda text: bool(_MANNER.search(text)),
    "definition": lambda text: bool(_MEANING.search(text)),
}
"""{kind of question: test whether a text has the form of its answer}; other kinds have no form of their own."""


@lru_cache(maxsize=4096)
def form_of(query: str, text: str) -> bool | None:
    """True if `text` has the form of an answer to `query`, False if it lacks that form; None if answers to that kind of
    question have no form of their own."""
    plan = plan_of(query)
    if plan.kind in ("difference", "comparison"):
        stems = set(content(text))
        mentions_all = all(set(content(thing)) & stems for thing in plan.things)
        return bool(_CONTRAST.search(text)) and mentions_all
    return _FORMS[plan.kind](text) if plan.kind in _FORMS else None
