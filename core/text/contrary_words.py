"""Words of a claim that its evidence replaces by a rival: "more" for "less", "Monday" for "Wednesday"."""

from collections.abc import Iterable
from functools import lru_cache

from core.text.rival_words import KINDS, OPPOSITES, QUALITIES, differ_by_prefix, groups_of, rival_of
from core.text.words import stem, words

_TURNS = groups_of("""
all every each entire whole always | some few only partly sometimes seldom rarely | none no never
most majority many mostly | few minority fewer
more greater higher larger bigger longer faster heavier stronger warmer hotter denser farther | less smaller lower
 shorter slower lighter weaker cooler colder rarer nearer
increase increases increased increasing rise rises rose rising grow grows grew gain gains up upward upwards climb climbs
 | decrease decreases decreased decreasing fall falls fell falling shrink shrinks shrank lose loses down downward
 downwards drop drops
before earlier | after later
front ahead | behind
inside within inwards into | outside outwards out
towards toward | away
along | against opposite
first initial | last final
hot warm | cold cool
same equal | different unequal
begin begins start starts | end ends stop stops
early | late
above over | below under beneath
allowed permitted may can | forbidden prohibited
present | absent
push pushes | pull pulls
raise raises raised | lower lowers lowered
""".replace("\n ", " "))  # fmt: skip
"""Words whose change reverses a claim: amounts, degrees, directions, order."""
_GROUPS = (OPPOSITES, KINDS, QUALITIES, _TURNS)
_SHORTEST = 6
"""The fewest letters of two words that are compared by their prefixes."""


@lru_cache(maxsize=4096)
def contrary_words(claim: str, evidence: str) -> tuple[str, ...]:
    """The words of `claim`, in order, that `evidence` lacks in any form while it has a rival that `claim` lacks."""
    claim_words, evidence_words = words(claim), words(evidence)
    claim_stems, evidence_stems = {stem(w) for w in claim_words}, {stem(w) for w in evidence_words}
    own = [w for w in dict.fromkeys(claim_words) if stem(w) not in evidence_stems]
    others = [w for w in dict.fromkeys(evidence_words) if stem(w) not in claim_stems]
    return tuple(w for w in own if _rival(w, others))


def _rival(word: str, others: Iterable[str]) -> bool:
    others = list(others)
    prefixed = (w for w in others if len(w) >= _SHORTEST and len(word) >= _SHORTEST and differ_by_prefix(word, w))
    return any(rival_of(word, others, groups) for groups in _GROUPS) or next(prefixed, "") != ""
