"""Quantities, years and labels ("Class 10") of a question as conditions, and whether an answer is about them."""

import re
from collections.abc import Iterator

from core.text.quantities import MONTH_OF_YEAR, Quantity, agree, equal, quantities
from core.text.unmet import Unmet
from core.text.words import STOPWORDS, stem, words

_YEARS = range(1000, 2101)
_ASKS_AMOUNT = re.compile(
    r"\bhow (?:much|many|far|long|tall|high|deep|wide|heavy|old|fast|big|large|often|soon|hot)\b|\bat what\b"
    r"|\bwhat (?:is|was|are|will|would|should)\b|\b(?:find|calculate|compute|determine)\b|\bwhen\b|\bwhich year\b",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"\b(article|class|grade|chapter|figure|fig|table|section|activity|example|exercise|equation|eq|group|period|schedule"
    r"|amendment|part|step|day|stage|question|act|rule|law|theorem|line)\b\.?\s(\d{1,4}(?:\.\d{1,2})?)\b",
    re.IGNORECASE,
)
_LIST_COUNT = re.compile(
    r"\W*(?:give|name|list|state|write|mention|explain|describe|suggest|what|which|discuss|identify|any)\b[^.?!]{0,24}$",
    re.IGNORECASE,
)
"""What stands before the number of items that a question wants: "Give any two uses", "What are the three states"."""
_MOST_ITEMS = 12
_WORD_BEFORE = re.compile(r"([A-Za-z]+)(?:\s(?:the|a|an|about|nearly|only|every|first|last))*\W*$", re.IGNORECASE)
_WORD_BEHIND = re.compile(r"\W{0,2}([A-Za-z]+)")


def unmet_quantities(question: str, answer: str, context: str) -> Iterator[Unmet]:
    """The quantities of `question` that `answer` does not state, with what it states in their place."""
    claims = [q for q in quantities(question) if not q.may_be and not _is_item_count(question, q)]
    labels = _labels(question)
    yield from _unmet_labels(labels, answer, context)
    claims = [q for q in claims if not any(s <= q.start < e for _, _, s, e in labels)]
    given, around = quantities(answer), (*quantities(answer), *quantities(context))
    for claim in claims:
        if any(_same(claim, g) for g in around):
            continue
        rival = next((g for g in given if _is_rival(claim, g, question, answer, claims)), None)
        said = answer[rival.start : rival.end].strip() if rival else ""
        yield Unmet(kind="quantity", asked=question[claim.start : claim.end].strip(), said=said)


def _is_item_count(text: str, quantity: Quantity) -> bool:
    """True for the number of items that are wanted, which an answer need not state."""
    small = quantity.unit is None and quantity.value in range(_MOST_ITEMS + 1)
    behind = _WORD_BEHIND.match(text, quantity.numeral[1])
    plural = bool(behind) and behind[1].endswith("s")
    return small and plural and bool(_LIST_COUNT.search(text[max(0, quantity.start - 40) : quantity.start]))


def _labels(text: str) -> list[tuple[str, str, int, int]]:
    return [(m[1].lower(), m[2], *m.span()) for m in _LABEL.finditer(text)]


def _unmet_labels(asked: list[tuple[str, str, int, int]], answer: str, context: str) -> Iterator[Unmet]:
    """The labels of the question where the answer has the same label with another number only."""
    given = _labels(answer)
    around = {(name, number) for name, number, *_ in (*given, *_labels(context))}
    for name, number, *_ in asked:
        others = [n for other, n, *_ in given if other == name]
        if (name, number) not in around and others:
            yield Unmet(kind="quantity", asked=f"{name} {number}", said=f"{name} {others[0]}")


def _same(claim: Quantity, given: Quantity) -> bool:
    if claim.unit and given.unit:
        return agree(claim, given)
    return equal(claim.value, given.value)


def _is_rival(claim: Quantity, given: Quantity, question: str, answer: str, claims: list[Quantity]) -> bool:
    """True where the answer states `given` in the place of `claim`: of the same kind, in the same place of a sentence,
    and none of the other quantities of the question.

    In the place is: behind the same word ("after 2 s", "after 3 s"); before the same noun ("10 terms", "20 terms"); or
    anywhere, where the question asks for nothing of that kind.
    """
    if given.may_be or not _one_kind(claim, given) or any(_same(c, given) for c in claims):
        return False
    before, its = _before(question, claim), _before(answer, given)
    if claim.unit is None and claim.value in _YEARS:
        return before == its and before in ("in", "of", "during")
    if claim.unit is None:
        noun = _behind(question, claim)
        return bool(noun) and noun == _behind(answer, given) and before == its
    if claim.unit is MONTH_OF_YEAR:
        return False
    return (bool(before) and before == its) or not _asks_for(question, given)


def _one_kind(one: Quantity, other: Quantity) -> bool:
    """True for two of one dimension. A year is of another kind than a count."""
    if one.unit is None or other.unit is None:
        return one.unit is other.unit and (one.value in _YEARS) == (other.value in _YEARS)
    return bool({r.dimension for r in one.readings} & {r.dimension for r in other.readings})


_ASKED_DIMENSIONS = {
    "[length]^1": "far distance long length tall high height deep depth wide width distant radius diameter wavelength",
    "[time]^1": "long time when duration soon period often seconds minutes hours days years old age take",
    "[mass]^1": "mass heavy weight weigh kilograms grams much",
    "[money]^1": "much many rupees cost price money rs amount income consumption investment pay",
    "[arc]^1": "angle degrees latitude longitude",
    "[temperature]^1": "temperature hot cold warm point",
}  # fmt: skip
"""Words of a question that ask for a quantity of a dimension."""


def _asks_for(question: str, given: Quantity) -> bool:
    """True where the question may ask for a quantity of the dimension of `given`; so for every one that has no words
    of its own here."""
    asked = set(words(question))
    own = [_ASKED_DIMENSIONS.get(r.dimension) for r in given.readings]
    return any(w is None or asked & set(w.split()) for w in own)


def _before(text: str, quantity: Quantity) -> str:
    found = _WORD_BEFORE.search(text[max(0, quantity.start - 40) : quantity.start])
    return found[1].lower() if found else ""


def _behind(text: str, quantity: Quantity) -> str:
    found = _WORD_BEHIND.match(text, quantity.end)
    return stem(found[1].lower()) if found and found[1].lower() not in STOPWORDS else ""
