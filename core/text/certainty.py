"""How sure a sentence is: a lesson that says "usually", "perhaps" or "only if" holds no sentence with "always"."""

import re

from core.text.lexicon import word_set
from core.text.words import content, overlap, stem

_SURE = re.compile(
    r"\b(?:always|never|invariably|every(?! other)|certainly|definitely|surely|undoubtedly|exactly|precisely"
    r"|(?:no|without|beyond)(?: any| a| all)? (?:doubt|exception)|at all times)\b"
)
UNSURE = re.compile(
    r"\b(?:usually|often|frequently|commonly|normally|typically|sometimes|generally|mostly|mainly|largely|rarely|seldom"
    r"|hardly|scarcely|occasionally|nearly|almost|about|roughly|approximately)\b",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"\b(?:perhaps|probably|possibly|presumably|(?:most|very|quite) likely|not (?:sure|known|certain)"
    r"|(?:may|might|could) have|maybe"
    r"|(?:some|many|most|few|others|people|(?!always\b|perhaps\b)\w{3,}s)(?: of them)?"
    r" (?:think|believe|guess|suspect|suppose)"
    r"|(?:is|was|are|were) (?:thought|believed|said|supposed) to)\b"
)
_OF_THEM = r"(?: of)?(?: the| these| those| its| their)? (?P<what>[a-z]+)"
_EACH = re.compile(rf"(?<!not )\b(?:all|every|each){_OF_THEM}")
_SOME = re.compile(rf"\b(?:(?:only )?(?:some|a few|few)|most|many|several|not (?:all|every|each)){_OF_THEM}")
_CONDITION = re.compile(
    r"\b(?:(?:but )?only (?:if|when)|if|unless|provided(?: that)?|as long as|when)\b\s*(?P<what>[^,;.]+)"
)
_CONDITION_WORDS = frozenset("if when whenever unless provided once after without with by".split())
_SAME_STATEMENT = 0.7
"""The least share of the words of each of two statements that the other holds if both state the same."""


def surer_than(sentence: str, line: str, question: str = "") -> list[str]:
    """The words with which `sentence` is surer than `line`, the sentence of the evidence that is most like it: "always"
    where the line has "often", "all birds" where it has "most birds", the "perhaps" of the line where the sentence has
    no doubt, and a condition of the line that the sentence leaves out or weakens, unless the question names it. [] if
    it is as unsure.
    """
    claim, book = sentence.lower(), line.lower()
    if _DOUBT.search(claim) or not content(line):
        return []
    doubt = _DOUBT.findall(book)
    is_unsure = bool(doubt) or bool(set(UNSURE.findall(book)) - set(UNSURE.findall(claim)))
    added = [word for word in _SURE.findall(claim) if word not in book] if is_unsure else []
    return added or doubt[:1] or _other_number(claim, book) or _weaker_condition(claim, book, question.lower())


def _other_number(claim: str, book: str) -> list[str]:
    """[words of `claim`] that count all things of which `book` counts some, or only some of which it counts all: "only
    some terms" for "each term"; else [].
    """
    some, each = ({stem(m["what"]) for m in pattern.finditer(book)} for pattern in (_SOME, _EACH))
    more = [m[0] for m in _EACH.finditer(claim) if stem(m["what"]) in some - each]
    less = (m for m in _SOME.finditer(claim) if m[0].startswith(("only", "not", "few")))
    return more + [m[0] for m in less if stem(m["what"]) in each - some]


def _weaker_condition(claim: str, book: str, question: str) -> list[str]:
    """[the condition of `book`] if `claim` states the same without it, with one part of its two, or with "or" for its
    "and"; else []. A condition that `question` names needs no second mention.
    """
    condition = _CONDITION.search(book)
    if not condition or set(content(condition["what"])) & set(content(question)):
        return []
    named = set(content(claim))
    is_bound = _CONDITION_WORDS & word_set(claim) or "as long as" in claim
    if not is_bound and not condition[0].startswith("when "):  # which may tell only the time
        statement = f"{book[: condition.start()]} {book[condition.end() :]}"
        alike = min(overlap(claim, statement), overlap(statement, claim))
        is_named = bool(set(content(condition["what"])) & named)
        return [condition[0].strip()] if alike >= _SAME_STATEMENT and not is_named else []
    parts = [content(part) for part in condition["what"].split(" and ")]
    if len(parts) != 2 or not all(parts):
        return []
    held = [word in named for word in (parts[0][-1], parts[1][0])]
    return [condition[0].strip()] if sum(held) == 1 or (all(held) and {"or", "either"} & word_set(claim)) else []
