"""Splits a question that asks several things into parts, and completes a part that refers to another one."""

import re

from core.case import Question
from core.text.questions import ORDER, PREPOSITION, VERB, WH, core_of, sides_of
from core.text.small_talk import in_lexicon
from core.text.words import consonants, content

MOST = 4
"""Largest number of parts of one question; a question with more is not split."""
_ASK = rf"(?:(?:{PREPOSITION}) )?(?:{WH})|{ORDER}|provide"
_JOINT = re.compile(
    rf"\s*[,;]?\s+(?:and|but|as well as)(?:\s+(?:also|then|please))*\s+(?=(?:{_ASK})\b)|(?<=\?)\s+"
    rf"|(?<=[a-z]\.)\s+(?=(?:{_ASK})\b)|\s*[,;]\s+(?=what (?:is|are|was|were) (?!it\b))",
    re.IGNORECASE,
)
"""The joint between one question and the next."""
_ASKS = re.compile(rf"(?:(?:also|please|then|so) )*(?:{_ASK}|{VERB})\b|(?:\S+ ){{1,6}}(?:{WH})\b", re.IGNORECASE)
_CLAUSE_JOINT = re.compile(r"[,;.]?\s+(?:and|but|while|whereas)\s+|[,;.]\s+", re.IGNORECASE)
_REQUEST = re.compile(rf"(?:{ORDER}|provide)\b", re.IGNORECASE)
_LEANS = re.compile(
    r"\b(?:its?|they|them|theirs?|he|him|his|she|hers?|this|that|these|those|which ones?|the other|the same)\b",
    re.IGNORECASE,
)
_BARE = re.compile(rf"(?:{ORDER}|(?:what|which) (?:is|was|are)) the \w+$", re.IGNORECASE)
"""A part that names only what it asks for: "name the process"."""
_ASKS_FOR_A_NAME = re.compile(
    rf"(?:(?:{PREPOSITION}) )?(?:who|whom|which|name|what (?!(?:{VERB}|happens?|if|about)\b)\w+)\b", re.IGNORECASE
)
_HAS_SUBJECT = re.compile(rf"^who\b|\b(?:{VERB})\b", re.IGNORECASE)
"""A question with a subject behind an auxiliary verb, or about a person: what a later part refers to."""
_BRACKETS = re.compile(r"\((?P<topic>[^()]+)\)[?!. ]*$")
_NUMBERED = re.compile(r"^[\d.]+\s+")
_FRAME = re.compile(rf"(?:in|if|on|from|according) (?!(?:{WH})\b).*?(?=\b(?:{WH})\b)", re.IGNORECASE)
_NOUN = re.compile(rf"(?:.* )?(?P<wh>which|whose|how many|how much) (?P<noun>\S+(?: \S+)?) (?:{VERB})\b", re.IGNORECASE)
_NO_NOUN = re.compile(
    rf"(?P<wh>which|whose|how many|how much)(?: ones?)? (?=(?:{VERB}|(?P<how>{PREPOSITION}))\b)", re.IGNORECASE
)
_TOPIC = re.compile(
    rf"(?:.*?\b)?(?:(?:{WH})\b.*?\b(?:is|are|was|were|has|have)|(?:{ORDER})(?: me| us)?(?: about)?) "
    rf"(?!(?:{PREPOSITION}) )(?P<topic>.+?)"
    r"(?: (?:when|while|because|if|that|who)\b.*| (?:\w{2,}[^\We]ed|called|made|built|born))?$",
    re.IGNORECASE,
)
"""What a question with a form of "be" or an order is about: the words behind it."""


def parts_of(question: Question, kind: str) -> tuple[str, ...]:
    """The questions into which a turn of this `kind` is split; () if it is not split. A supplied answer is judged
    whole."""
    return split_question(question.standalone) if kind == "question" and question.answer is None else ()


def split_question(query: str) -> tuple[str, ...]:
    """The questions that `query` asks one after the other, each to be answered on its own, as in "What is X and how is
    it made?"; () if it asks one thing.

    A part that refers to another ("how high is it?") names in brackets what it refers to. In doubt a question is not
    split.
    """
    text = " ".join(query.split())
    edges = [0, *(edge for joint in _joints(text) for edge in joint.span()), len(text)]
    parts = [text[start:end].strip(" ,;.") for start, end in zip(edges[::2], edges[1::2], strict=True)]
    parts = _with_noun(parts)
    # "when" in "when and where was she born" asks nothing about something, nor does "explain with an example", which
    # belongs to the question before it.
    asks_nothing = in_lexicon("request") | in_lexicon("pointing") | in_lexicon("count")
    are_questions = all(_ASKS.match(p) and (set(content(p)) - asks_nothing or back_reference(p)) for p in parts)
    if not 2 <= len(parts) <= MOST or not are_questions:
        return ()
    first, *others = parts
    # The first part may compare two things, and a later one go on with the comparison without naming them.
    if sides_of(first) and not all(sides_of(part) or back_reference(part) for part in others):
        return ()
    frame = _FRAME.match(first)  # "In terms of oxygen, " applies to the other questions too
    is_unclear = topic_of(first) == whole(first) and not (sides_of(first) or _HAS_SUBJECT.search(first))
    whole_parts = [first]
    for part in others:
        incomplete = back_reference(part) or _BARE.match(part)
        if incomplete and is_unclear:
            return ()
        whole_parts.append(in_brackets(part, topic_of(first)) if incomplete else (frame[0] if frame else "") + part)
    return tuple(as_question(part) for part in whole_parts)


def _with_noun(parts: list[str]) -> list[str]:
    """The parts with the noun that a later one omits: "which salt dissolves" and "which burns"; and with its verb, if
    the first part goes on with the same preposition: "which soil is good for rice" and "which one for wheat".
    """
    first, noun = parts[0], _NOUN.match(parts[0])
    whole_parts = parts[:1]
    for part in parts[1:]:
        omits = _NO_NOUN.match(part) if noun else None
        if omits and omits["wh"].lower() == noun["wh"].lower():
            own = f"{omits['wh']} {noun['noun']}"
            verb, _, _ = first[noun.end("noun") :].rpartition(f" {omits['how']} ") if omits["how"] else ("", "", "")
            part = f"{own}{verb} {part[omits.end() :]}" if verb or not omits["how"] else part
        whole_parts.append(part)
    return whole_parts


def _joints(text: str) -> list[re.Match[str]]:
    """The joints between questions in `text`; words before the first question are not separated."""
    return [joint for joint in _JOINT.finditer(text) if _ASKS.match(text[: joint.start()])]


def back_reference(part: str) -> re.Match[str] | None:
    """The first word that refers to something it does not name ("how high is it", "its spectrum"); None without one."""
    return _LEANS.search(part)


def after(part: str, first: str, answer: str) -> str:
    """Return `part` with the answer of the first question in its brackets, if that question asks for a name.

    So "what is it used for" after "Which gas is given out" gets the name of the gas; any other part stays as it is.
    answer: a few words, "" if there is none.
    """
    brackets = _BRACKETS.search(part)
    if not answer or not brackets or not _ASKS_FOR_A_NAME.match(core_of(first)):
        return part
    return as_question(in_brackets(part[: brackets.start()].strip(), answer))


def clauses_about(query: str, text: str) -> str:
    """The clauses of `text` that have most words of `query`, in any of their forms: "Leaves give out oxygen" of "Leaves
    give out oxygen and take in carbon dioxide" for "Which gas is given out by leaves?".
    """
    clauses = _CLAUSE_JOINT.split(text)
    asked = set(map(consonants, content(query)))
    shared = [len(asked & set(map(consonants, content(clause)))) for clause in clauses]
    return "; ".join(clause for clause, count in zip(clauses, shared, strict=True) if count == max(shared))


def topic_of(query: str) -> str:
    """What a later question that refers back to `query` is about: the words in its brackets, else those behind its
    verb; the whole question if that is unclear.
    """
    match = _BRACKETS.search(query) or (None if sides_of(query) else _TOPIC.match(query.rstrip("?!. ")))
    return match["topic"] if match else whole(query)


def whole(query: str) -> str:
    """A question as written in brackets: without its end mark, with a small first letter if it begins by asking."""
    text = query.strip().rstrip("?!. ")
    return f"{text[:1].lower()}{text[1:]}" if _ASKS.match(text) else text


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
    joints = _joints(query) if split_question(query) else []
    return joints[0].start() if joints else len(query)


def as_question(part: str) -> str:
    """A part as a question of its own, with a capital letter, and "?" or, after a request, "." at its end."""
    text = part.rstrip("?!. ")
    return f"{text[0].upper()}{text[1:]}{'.' if _REQUEST.match(text) else '?'}"
