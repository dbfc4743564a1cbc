"""The claims of a sentence: its clauses, each as a sentence of its own, so that each can be held against evidence."""

import re
from functools import lru_cache

_BETWEEN = re.compile(r" ?; |, (?:and|but|while|whereas|so|yet) | (?:while|whereas) ")
"""What stands between two clauses of which each states something."""
_AND = re.compile(r" (?:and|but) ")
_FEWEST = 4
"""Words that a clause must have to stand alone."""
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
    """The clauses of `sentence` as sentences, in order; `sentence` alone where it does not fall into whole clauses.

    A clause that leaves out the verb of the one before gets it back: "A was built in 1880 and B in 1931" makes "B was
    built in 1931".
    """
    parts = [part.strip(" ,") for part in _BETWEEN.split(" ".join(sentence.split()))]
    parts = [clause for part in parts if part for clause in _with_verb_again(part)]
    whole = len(parts) > 1 and all(len(part.split()) >= _FEWEST for part in parts)
    return tuple(_as_sentence(part) for part in parts) if whole else (sentence,)


def _with_verb_again(clause: str) -> list[str]:
    """`clause`, or its two halves around an "and" where the second leaves out the verb of the first."""
    for joint in _AND.finditer(clause):
        first, second = clause[: joint.start()], clause[joint.end() :]
        stated, left_out = _PREDICATE.match(first), _WITHOUT_VERB.match(second)
        if stated and left_out and stated["link"].lower() == left_out["link"].lower() and not _VERB.search(second):
            return [first, f"{left_out['subject']}{stated['verb']}{second[left_out.end('subject') :]}"]
    return [clause]


def _as_sentence(clause: str) -> str:
    return clause[0].upper() + clause[1:] + ("" if clause[-1] in ".!?" else ".")
