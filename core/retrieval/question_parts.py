"""Splits a question that asks several things into parts, and completes a part that refers to another one."""

import re

from core.case import Question
from core.text.coordinated_questions import spread
from core.text.question_kinds import core_of
from core.text.question_sides import compares, sides_of_comparison, sides_of_difference
from core.text.small_talk import in_lexicon
from core.text.words import content, stem

MOST = 4
"""Largest number of parts of one question; a question with more is not split."""

_BY = r"in|at|from|to|on|by|with|of|for"
_WH = rf"what|which|who|whom|whose|when|where|why|how|(?:{_BY}) (?:what|which|whom|whose|how (?:many|much))"
_ORDER = r"tell(?: me)?|name|define|explain|state|list|give|describe|mention|calculate|find|provide|identify"
_VERB = r"is|are|was|were|does|do|did|can|could|has|have"
_JOINT = re.compile(
    rf"\s*[,;]?\s+(?:and|but|as well as)(?:\s+(?:also|then|please))*\s+(?=(?:{_WH}|{_ORDER})\b)"
    r"|(?<=\?)\s+"
    rf"|(?<=[a-z]\.)\s+(?=(?:{_WH}|{_ORDER})\b)"
    rf"|\s*[,;]\s+(?=what (?:is|are|was|were) (?!it\b))",
    re.IGNORECASE,
)
"""The joint between one question and the next."""
_WHICH = re.compile(
    rf"^(?P<noun>(?:(?:{_BY}) )?(?P<wh>which|whose|how many|how much) \S+(?: \S+)?) (?:{_VERB})\b", re.IGNORECASE
)
_WHICH_VERB = re.compile(rf"^(?P<wh>which|whose|how many|how much) (?={_VERB})", re.IGNORECASE)
_FRAME = re.compile(rf"^(?:{_BY}|if|when|according)\b.*,\s*$|^(?:{_BY})\b.*\s$", re.IGNORECASE)
_BARE = re.compile(
    rf"^(?:(?:{_ORDER})|(?:what|which) (?:is|was|are)) (?:the|an?) (?:process|phenomenon|reaction|type|name|unit"
    r"|si unit|property|method|effect|device|instrument|formula|symbol|reason|place|year|person|example|law|principle"
    r"|term|product|gas)s?$",
    re.IGNORECASE,
)
"""A part that names nothing of its own: "name the process"."""
_ASKS_FOR_A_NAME = re.compile(
    rf"^(?:(?:{_BY}) )?(?:who|whom|which|name|what (?!(?:{_VERB}|happens?|if|about)\b)\w+)\b", re.IGNORECASE
)
_PERSON = re.compile(r"\b(?:he|him|his|she|her|hers)\b", re.IGNORECASE)
_ASKS = re.compile(
    rf"^(?:(?:also|please|then|so)\s+)*(?:{_WH}|{_ORDER}|{_VERB})\b|^(?:\S+\s+){{1,6}}(?:{_WH})\b", re.IGNORECASE
)
_REQUEST = re.compile(rf"(?:{_ORDER})\b", re.IGNORECASE)
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
_NO_TOPIC_VERB = re.compile(
    r"\b(?:do|does|did)\b|\b(?:is|are|was|were) (?:in|at|on|of|for|with|from|to|by) ", re.IGNORECASE
)
"""Verbs around which _TOPIC does not find the topic; `topic_of` then returns the whole question."""
_NUMBERED = re.compile(r"^\d+(?:\.\d+)*\s+")
_BRACKETS = re.compile(r"\((?P<topic>[^()]+)\)[?!. ]*$")


def parts_of(question: Question, kind: str) -> tuple[str, ...]:
    """The questions into which a turn of this `kind` is split; () if it is not split. A supplied answer is judged
    whole."""
    return split_question(question.standalone) if kind == "question" and question.answer is None else ()


def split_question(query: str) -> tuple[str, ...]:
    """The questions that `query` asks, each to be answered on its own; () if it asks one thing.

    A part that refers to another ("how high is it?") names in brackets what it refers to. Coordinated things are
    separate questions: "What are osmosis and diffusion?". In doubt a question is not split.
    """
    questions = in_sequence(query) or (query,)
    parts = [part for question in questions for part in spread(question) or (question,)]
    parts = parts if len(parts) <= MOST else list(questions)
    return tuple(as_question(part) for part in parts) if len(parts) > 1 else ()


def in_sequence(query: str) -> tuple[str, ...]:
    """The questions that `query` asks one after the other, as in "What is X and how is it made?"; () for one."""
    text = " ".join(query.split())
    edges = [0, *(edge for joint in _joints(text) for edge in joint.span()), len(text)]
    parts = [text[start:end].strip(" ,;.") for start, end in zip(edges[::2], edges[1::2], strict=True)]
    if not 2 <= len(parts) <= MOST:
        return ()
    parts = _with_noun(parts)
    if not all(_asks_by_itself(part) for part in parts) or _compares_parts(text, parts):
        return ()
    first, *others = parts
    core = core_of(f"{first}?")
    front = first[: first.rfind(core)] if core and core in first else ""
    front = front if _FRAME.match(front) else ""  # "In terms of oxygen, " applies to the other questions too
    complete_parts = [first]
    for part in others:  # "name the process" names nothing of its own
        is_incomplete = has_back_reference(part) or _BARE.match(part)
        complete_parts.append(_complete(part, first) if is_incomplete else front + part)
    return tuple(as_question(part) for part in complete_parts) if all(complete_parts) else ()


def _joints(text: str) -> list[re.Match[str]]:
    """The joints between questions in `text`; words before the first question are not separated."""
    return [joint for joint in _JOINT.finditer(text) if _ASKS.match(text[: joint.start()])]


def _compares_parts(text: str, parts: list[str]) -> bool:
    """True if `text` compares two things, and no part names both."""
    if not (sides_of_difference(text) or sides_of_comparison(text)):
        return False
    incomplete = [part for part in parts if not (sides_of_difference(part) or sides_of_comparison(part))]
    return len(incomplete) == len(parts) or any(compares(part) for part in incomplete)


def _with_noun(parts: list[str]) -> list[str]:
    """The parts with the noun that a later one omits: "which salt dissolves" and "which burns"."""
    first_noun = _WHICH.match(core_of(f"{parts[0]}?"))
    if not first_noun:
        return parts
    complete_parts = parts[:1]
    for part in parts[1:]:
        bare = _WHICH_VERB.match(part)
        is_same = bare and bare["wh"].lower() == first_noun["wh"].lower()
        complete_parts.append(f"{first_noun['noun']} {part[bare.end('wh') :].lstrip()}" if is_same else part)
    return complete_parts


def has_back_reference(part: str) -> bool:
    """True for words that refer to something that they do not name: "how high is it", "its spectrum"."""
    return bool(_LEANS.search(part))


def _asks_by_itself(part: str) -> bool:
    """True for words that ask something about something.

    "when" in "when and where was she born" does not, nor does "explain with an example", which belongs to the question
    before it.
    """
    topic = set(content(part)) - in_lexicon("request") - in_lexicon("pointing") - _COUNTS
    return bool(_ASKS.match(part)) and (bool(topic) or has_back_reference(part))


def _complete(part: str, first: str) -> str:
    """Return `part` followed in brackets by what it refers to in the first question; "" if that is unclear.

    If the first question asks for a person or compares things, the brackets hold the whole first question.
    """
    by_person = re.match(r"who\b", core_of(first), re.IGNORECASE) and _PERSON.search(part)
    topic = whole(first) if sides_of_comparison(first) else _topic(first) or (whole(first) if by_person else "")
    return in_brackets(part, topic) if topic else ""


def after(part: str, first: str, answer: str) -> str:
    """Return `part` with the answer of the first question in its brackets, if that question asks for a name.

    So "what is it used for" after "Which gas is given out" gets the name of the gas; any other part stays as it is.
    answer: a few words, "" if there is none.
    """
    brackets = _BRACKETS.search(part)
    if not answer or not brackets or not _ASKS_FOR_A_NAME.match(core_of(first)):
        return part
    return as_question(in_brackets(part[: brackets.start()].strip(), f"{answer}, {brackets['topic']}"))


def topic_of(query: str) -> str:
    """The topic of a question, for a later question that refers back to it; the whole question if that is unclear."""
    topic = _topic(query)
    return whole(query) if _NO_TOPIC_VERB.search(query) and f"({topic})" not in query else topic or whole(query)


def whole(query: str) -> str:
    """A question as written in brackets: without its end mark, with a small first letter if it begins by asking."""
    bare = query.strip().rstrip("?!. ")
    return f"{bare[:1].lower()}{bare[1:]}" if _ASKS.match(bare) else bare


def _topic(query: str) -> str:
    """The text in brackets at the end of a question, else the topic after its verb; "" if it has neither."""
    match = _BRACKETS.search(query) or _TOPIC.match(query)
    return match["topic"] if match else ""


def in_brackets(query: str, topic: str) -> str:
    """A question followed by its topic or meaning in brackets."""
    return f"{query.rstrip('?!. ')} ({topic})"


def without_section_number(meaning: str) -> str:
    """A meaning, such as the heading of a section, without its section number."""
    return _NUMBERED.sub("", meaning)


def with_meaning(query: str, meaning: str) -> str:
    """A question followed by its meaning in brackets."""
    return f"{in_brackets(query, without_section_number(meaning))}?"


def joint(query: str) -> int:
    """The index in `query` at which its first question ends; the length of `query` if it asks one thing."""
    joints = _joints(query) if in_sequence(query) else []
    return joints[0].start() if joints else len(query)


def as_question(part: str) -> str:
    """A part as a question of its own, with a capital letter, and "?" or, after a request, "." at its end."""
    text = part.rstrip("?!. ")
    return f"{text[0].upper()}{text[1:]}{'.' if _REQUEST.match(text) else '?'}"
