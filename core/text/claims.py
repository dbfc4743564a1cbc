"""The claims of a sentence: its clauses, each rewritten as a sentence, so that each can be checked against evidence."""

import re
from functools import lru_cache

_BETWEEN = re.compile(r" ?; |, (?:and|but|while|whereas|so|yet) | (?:while|whereas) ")
"""The conjunction between two clauses that each state something."""
_AND = re.compile(r" (?:and|but) ")
_FEWEST = 4
"""The fewest words of a clause that becomes a sentence."""
_PREDICATE = re.compile(
    r"^(?P<subject>(?:the|a|an|its|their|his|her|our)\s(?:[\w’'-]+\s){1,3}?)"
    r"(?P<verb>(?:is|are|was|were|has|have|had|can|could|will|must)\s(?:[\w-]+\s){0,3}?)"
    r"(?P<link>in|at|on|by|from|to|of|about|around|during|for)\s",
    re.IGNORECASE,
)
_WITHOUT_VERB = re.compile(
    r"^(?P<subject>(?:the|a|an|its|their|his|her|our)\s(?:[\w’'-]+\s){1,3}?)"
    r"(?P<link>in|at|on|by|from|to|of|about|around|during|for)\s",
    re.IGNORECASE,
)
_VERB = re.compile(r"\b(?:is|are|was|were|be|been|has|have|had|can|could|will|would|must|may|do|does|did)\b")


@lru_cache(maxsize=4096)
def claims_of(sentence: str) -> tuple[str, ...]:
    """The clauses of `sentence` as sentences, in order; only `sentence` itself if it does not split into whole clauses.

    A clause that omits the verb of the clause before it gets that verb: "A was built in 1880 and B in 1931" gives "B
    was built in 1931".
    """
    parts = [part.strip(" ,") for part in _BETWEEN.split(" ".join(sentence.split()))]
    parts = [clause for part in parts if part for clause in _with_verb_again(part)]
    whole = len(parts) > 1 and all(len(part.split()) >= _FEWEST for part in parts)
    return tuple(_as_sentence(part) for part in parts) if whole else (sentence,)


def _with_verb_again(clause: str) -> list[str]:
    """[clause], or its two halves around an "and" if the second half omits the verb of the first."""
    for joint in _AND.finditer(clause):
        first, second = clause[: joint.start()], clause[joint.end() :]
        predicate, without_verb = _PREDICATE.match(first), _WITHOUT_VERB.match(second)
        if (
            predicate
            and without_verb
            and predicate["link"].lower() == without_verb["link"].lower()
            and not _VERB.search(second)
        ):
            return [first, f"{without_verb['subject']}{predicate['verb']}{second[without_verb.end('subject') :]}"]
    return [clause]


def _as_sentence(clause: str) -> str:
    return clause[0].upper() + clause[1:] + ("" if clause[-1] in ".!?" else ".")
