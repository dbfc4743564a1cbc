"""What a question may be asked as instead: its parts, and what it points at."""

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
    rf"^(?:.*?\b)?(?:(?:{_WH})\b.*?\b(?:{_VERB})|(?:{_ORDER})(?: about)?)\s+(?P<topic>.+?)"
    r"(?:\s+(?:when|while|because|if|that|who)\b.*|\s+(?:\w+[^\We]ed|called|known|made|built|born|rise|come))?[?.!]*$",
    re.IGNORECASE,
)
_UNTOLD = re.compile(r"\b(?:do|does|did)\b|\b(?:is|are|was|were) (?:in|at|on|of|for|with|from|to|by) ", re.IGNORECASE)
"""Where a verb ends what is asked about, or none of it is named behind one, the whole question says it."""
_NUMBERED = re.compile(r"^\d+(?:\.\d+)*\s+")
_BRACKETS = re.compile(r"\((?P<topic>[^()]+)\)[?!. ]*$")


def parts_of(question: Question, kind: str) -> tuple[str, ...]:
    """The questions that a turn of this `kind` is answered as; () for one whole. A given answer is judged whole."""
    return split(question.standalone) if kind == "question" and question.answer is None else ()


def split(query: str) -> tuple[str, ...]:
    """The questions that `query` asks, each to be answered alone; () when it asks one thing.

    A part that points back ("how high is it?") names in brackets what it points at. In doubt a question stays whole.
    """
    parts = [part.strip(" ,;.") for part in _JOINT.split(" ".join(query.split()))]
    if not 2 <= len(parts) <= MOST or not all(_asks_by_itself(p) for p in parts):
        return ()
    first, *others = parts
    named = [first, *(_named(part, first) for part in others)]
    return tuple(ended(part) for part in named) if all(named) else ()


def _asks_by_itself(part: str) -> bool:
    """True for words that ask something of something: "when" in "when and where was she born" does not, nor does
    "explain with an example", which is how the question before it is to be answered."""
    topic = set(content(part)) - in_lexicon("request") - in_lexicon("pointing") - _COUNTS
    return bool(_ASKS.match(part)) and (bool(topic) or bool(_LEANS.search(part)))


def _named(part: str, first: str) -> str:
    """`part` with what it points at, when it points back to the first one; "" when that cannot be told."""
    if not _LEANS.search(part):
        return part
    topic = _topic(first)
    return in_brackets(part, topic) if topic else ""


def topic_of(query: str) -> str:
    """What a question asks about, for another one that points back to it: all of it where that cannot be told."""
    topic = _topic(query)
    return whole(query) if _UNTOLD.search(query) and f"({topic})" not in query else topic or whole(query)


def whole(query: str) -> str:
    """A question as it stands in brackets."""
    bare = query.strip().rstrip("?!. ")
    return f"{bare[:1].lower()}{bare[1:]}" if _ASKS.match(bare) else bare


def _topic(query: str) -> str:
    """What a question says in brackets at its end, else what its verb is about; "" where neither is there."""
    found = _BRACKETS.search(query) or _TOPIC.match(query)
    return found["topic"] if found else ""


def in_brackets(query: str, topic: str) -> str:
    """A question with what it is about, or what it means, in brackets behind it."""
    return f"{query.rstrip('?!. ')} ({topic})"


def meant(meaning: str) -> str:
    """What the library could mean, without the number of its section."""
    return _NUMBERED.sub("", meaning)


def clarified(query: str, meaning: str) -> str:
    """A question with what it means in brackets behind it."""
    return f"{in_brackets(query, meant(meaning))}?"


def joint(query: str) -> int:
    """Where the first question of several ends in `query`; its length when it asks one thing."""
    return _JOINT.search(query).start() if split(query) else len(query)


def ended(part: str) -> str:
    """With a capital and its mark, as a question of its own is shown."""
    text = part.rstrip("?!. ")
    return f"{text[0].upper()}{text[1:]}{'.' if _ORDERED.match(text) else '?'}"
