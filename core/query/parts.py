"""A question that asks several things, as the questions that it is made of."""

import re

from core.case import Question
from core.text.small_talk import in_lexicon
from core.text.words import content, stem

MOST = 4
"""Most parts of one question; one that asks more is taken as it is."""

_WH = r"what|which|who|whom|whose|when|where|why|how|(?:in|at|from|to|on|by|with|of|for) (?:what|which|whom|whose)"
_ORDER = r"tell(?: me)?|name|define|explain|state|list|give|describe|mention|calculate|find"
_VERB = r"is|are|was|were|does|do|did|can|could|has|have"
_JOINT = re.compile(
    rf"\s*[,;]?\s+(?:and|but|as well as)(?:\s+(?:also|then|please))*\s+(?=(?:{_WH}|{_ORDER})\b)"
    r"|(?<=\?)\s+",
    re.IGNORECASE,
)
_ASKS = re.compile(
    rf"^(?:(?:also|please|then|so)\s+)*(?:{_WH}|{_ORDER}|{_VERB})\b|^(?:\S+\s+){{1,6}}(?:{_WH})\b", re.IGNORECASE
)
_ORDERED = re.compile(rf"(?:{_ORDER})\b", re.IGNORECASE)
_COUNTS = frozenset(stem(word) for word in "one two three four five six several".split())
_LEANS = re.compile(
    r"\b(?:it|its|they|them|their|theirs|he|him|his|she|her|hers|this|that|these|those"
    r"|which ones?|the other|the same)\b",
    re.IGNORECASE,
)
_TOPIC = re.compile(
    rf"^(?:.*?\b)?(?:(?:{_WH})\b.*?\b(?:{_VERB})|{_ORDER})\s+(?P<topic>.+?)"
    r"(?:\s+(?:when|while|because|if|that|who)\b.*|\s+(?:\w+ed|called|known|made|built|born|rise|come))?[?.!]*$",
    re.IGNORECASE,
)


def parts_of(question: Question, kind: str) -> tuple[str, ...]:
    """The questions that a turn of this `kind` is answered as; () for one whole. A given answer is judged whole."""
    return split(question.query) if kind == "question" and question.answer is None else ()


def split(query: str) -> tuple[str, ...]:
    """The questions that `query` asks, each to be answered alone; () when it asks one thing.

    A part that points back ("how high is it?") names in brackets what it points at. In doubt a question stays whole.
    """
    parts = [part.strip(" ,;.") for part in _JOINT.split(" ".join(query.split()))]
    if not 2 <= len(parts) <= MOST or not all(_asks_by_itself(p) for p in parts):
        return ()
    first, *others = parts
    named = [first, *(_named(part, first) for part in others)]
    return tuple(_ended(part) for part in named) if all(named) else ()


def _asks_by_itself(part: str) -> bool:
    """True for words that ask something of something: "when" in "when and where was she born" does not, nor does
    "explain with an example", which is how the question before it is to be answered."""
    topic = set(content(part)) - in_lexicon("request") - in_lexicon("pointing") - _COUNTS
    return bool(_ASKS.match(part)) and (bool(topic) or bool(_LEANS.search(part)))


def _named(part: str, first: str) -> str:
    """`part` with what it points at, when it points back to the first one; "" when that cannot be told."""
    if not _LEANS.search(part):
        return part
    found = _TOPIC.match(first)
    return f"{part.rstrip('?')} ({found['topic']})" if found else ""


def _ended(part: str) -> str:
    """With a capital and its mark, as a question of its own is shown."""
    text = part.rstrip("?!. ")
    return f"{text[0].upper()}{text[1:]}{'.' if _ORDERED.match(text) else '?'}"
