"""A sentence denied: what follows then contradicts, what contradicts then follows, what is open stays open."""

from collections.abc import Sequence
from random import Random

from core.workshop.training.pairs import Pair
from core.workshop.training.paraphrases import lowered

OPENINGS = (
    "It is not true that ", "It is false that ", "It is a mistake to think that ", "It would be wrong to say that ",
    "It does not hold that ", "There is no truth in the statement that ", "People err when they believe that ",
    "Nothing could be less true than that ", "It is an error to suppose that ",
)  # fmt: skip
"""Words before a sentence that turn what it says into its opposite."""
_ENDINGS = (": that is false.", " - but this is not so.", ", someone says, and is wrong.")
_OPPOSITE = {"entailment": "contradiction", "contradiction": "entailment", "neutral": "neutral"}
_BEHIND = 0.2
"""Share of denials that stand behind the sentence."""


def denial(sentence: str, random: Random) -> str:
    """`sentence` denied as a whole, in one of many ways."""
    if random.random() < _BEHIND:
        return sentence.rstrip(".") + random.choice(_ENDINGS)
    return random.choice(OPENINGS) + lowered(sentence)


def denied(pairs: Sequence[Pair], share: float, random: Random) -> list[Pair]:
    """A share of `pairs` with their hypotheses denied and their labels turned."""
    chosen = random.sample(list(pairs), round(len(pairs) * share))
    return [Pair(p.premise, denial(p.hypothesis, random), _OPPOSITE[p.label], f"{p.source}/denied") for p in chosen]
