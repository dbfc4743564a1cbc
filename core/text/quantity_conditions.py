"""The quantities, years and labels ("Class 10") of a question as conditions, and whether an answer meets them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.text.quantities import MONTH_OF_YEAR, Quantity, agree, equal, quantities, values
from core.text.unmet import Unmet
from core.text.words import STOPWORDS, stem, words

_YEARS = range(1000, 2101)
_NAMED_THINGS = (
    "article|class|grade|chapter|figure|fig|table|section|activity|example|exercise|equation|eq|group|period|schedule"
    "|amendment|part|step|stage|question|act|rule|law|theorem|line|round|year|term|day|month|week|generation|plan"
)
_ORDER = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_LABEL = re.compile(
    rf"\b(?P<thing>{_NAMED_THINGS})\b\.?\s(?P<number>\d{{1,4}}(?:\.\d{{1,2}})?|[IVX]{{1,5}})\b"
    rf"|\b(?P<order>{'|'.join(_ORDER)}|\d{{1,3}}(?:st|nd|rd|th))\s(?P<ordered>{_NAMED_THINGS})\b",
    re.IGNORECASE,
)
"""Things that a number identifies: "Class X", "Article 21", "the third law"."""
_ROMAN = {n: i for i, n in enumerate("I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII".split(), 1)}
_LIST_COUNT = re.compile(
    r"\W*(?:give|name|list|state|write|mention|explain|describe|suggest|what|which|discuss|identify|any)\b[^.?!]{0,24}$",
    re.IGNORECASE,
)
"""The words before the number of items that a question asks for: "Give any two uses", "What are the three states"."""
_MOST_ITEMS = 12
_WORD_BEFORE = re.compile(r"([A-Za-z]+)(?:\s(?:the|a|an|about|nearly|only|every|first|last))*\W*$", re.IGNORECASE)
_LEAD = re.compile(
    r"(?:\b(?!how\b|many\b|what\b)[A-Za-z]{1,20}\W{1,3})?\b(?:at|after|in|of|for|by|from|to|is|with|over)\W{1,3}$"
)
_WORD_BEHIND = re.compile(r"\W{0,2}([A-Za-z]+)")


def unmet_quantities(question: str, answer: str, context: str) -> Iterator[Unmet]:
    """The quantities of `question` that `answer` does not state, each with a rival quantity of the answer if any."""
    question, answer, context = (t.replace("⁰", "°") for t in (question, answer, context))  # PDFs write 45⁰ for 45°
    labels = _labels(question)
    claims = [q for q in quantities(question) if _is_condition(question, q)]
    yield from _unmet_labels(labels, answer, context)
    claims = [q for q in claims if not any(label.start <= q.start < label.end for label in labels)]
    claims = list({(q.value, q.unit): q for q in claims}.values())
    answer_quantities, around = quantities(answer), (*quantities(answer), *quantities(context))
    for claim in claims:
        if any(_same(claim, g) for g in around) or _is_met_with(claim, claims, around):
            continue
        matches = [c for c in claims if any(_same(c, g) for g in answer_quantities)]
        rivals = [g for g in answer_quantities if _is_rival(claim, g, question, answer)]
        rival = rivals[0] if rivals and not any(_one_kind(claim, c) for c in matches) else None
        rival_text = answer[rival.start : rival.end].strip() if rival else ""
        yield Unmet(kind="quantity", condition=question[claim.start : claim.end].strip(), rival=rival_text)


def _is_condition(text: str, quantity: Quantity) -> bool:
    """True if an answer must state `quantity`: it is no count in letters ("the two lungs"), no value 1 with a unit, and
    no count of items."""
    # An answer need not state the number of items that a question asks for.
    small = quantity.unit is None and quantity.value in range(_MOST_ITEMS + 1)
    behind = _WORD_BEHIND.match(text, quantity.numeral[1])
    plural = bool(behind) and behind[1].endswith("s")
    is_item_count = small and plural and bool(_LIST_COUNT.search(text[max(0, quantity.start - 40) : quantity.start]))
    if quantity.may_be or (quantity.unit and quantity.value == 1) or is_item_count:
        return False
    return bool(quantity.unit) or text[quantity.numeral[0] : quantity.numeral[1]].strip()[:1].isdigit()


def _is_met_with(claim: Quantity, claims: Sequence[Quantity], around: Sequence[Quantity]) -> bool:
    """True if `claim` is one of several numbers without a unit ("from 10 to 20") and the answer repeats at least
    half."""
    bare = [c for c in claims if c.unit is None]
    repeats = {c.value for c in bare if any(_same(c, g) for g in around)}
    return claim.unit is None and len(bare) > 1 and 2 * len(repeats) >= len(bare)


@dataclass(frozen=True, kw_only=True)
class _Label:
    """A thing that a number identifies, such as "Class 10"; text: its spelling at [start:end] of the whole text."""

    thing: str
    number: float
    text: str
    start: int
    end: int


def _labels(text: str) -> list[_Label]:
    return [
        _Label(thing=(m["thing"] or m["ordered"]).lower(), number=number, text=m.group(), start=m.start(), end=m.end())
        for m in _LABEL.finditer(text)
        if (number := _number(m["number"] or m["order"]))
    ]


def _number(numeral: str) -> float:
    """The value of a figure, of a Roman numeral in capitals, or of an ordinal; 0 for none of them."""
    if numeral[0].isdigit():
        return float(re.match(r"[\d.]+", numeral).group())
    return float(_ROMAN.get(numeral, 0) or (_ORDER.index(numeral.lower()) + 1 if numeral.lower() in _ORDER else 0))


def _unmet_labels(labels: Sequence[_Label], answer: str, context: str) -> Iterator[Unmet]:
    """The labels of the question that neither answer nor context holds, each with the answer's label of the same thing,
    if any."""
    answer_labels, pairs = _labels(answer), {(label.thing, label.number) for label in labels}
    around = {(label.thing, label.number) for label in (*answer_labels, *_labels(context))}
    numbers = values(answer) | values(context)
    for label in labels:
        others = [g.text for g in answer_labels if g.thing == label.thing and (g.thing, g.number) not in pairs]
        if (label.thing, label.number) in around or (not others and label.number in numbers):
            continue
        yield Unmet(kind="quantity", condition=label.text, rival=others[0] if others else "")


def _same(claim: Quantity, other: Quantity) -> bool:
    if claim.unit and other.unit:
        return agree(claim, other)
    return equal(claim.value, other.value)


def _is_rival(claim: Quantity, other: Quantity, question: str, answer: str) -> bool:
    """True if the answer states `other` instead of `claim`: a quantity of the same kind and position that the question
    does not state.

    The same position is: after the same word ("after 2 s", "after 3 s"); before the same noun ("10 terms", "20 terms");
    or anywhere, if the question asks for no quantity of that kind.
    """
    if other.may_be or not _one_kind(claim, other):
        return False
    same_kind = [q for q in quantities(question) if _one_kind(q, other)]
    if any(_same(q, other) for q in same_kind):
        return False
    before, its = _before(question, claim), _before(answer, other)
    if claim.unit is None and claim.value in _YEARS:
        return before == its and before in ("in", "of", "during")
    if claim.unit is None:
        noun = _behind(question, claim)
        return bool(noun) and noun == _behind(answer, other) and before == its
    if claim.unit is MONTH_OF_YEAR:
        return False
    question_words = set(words(_without_conditions(question)))
    own = [_ASKED_DIMENSIONS.get(r.dimension) for r in other.readings]
    asks_for = any(w is None or question_words & set(w.split()) for w in own)
    if len(same_kind) == 1 and not asks_for:
        return True  # with several times, as in "2 minutes 30 seconds", the answer's time may be their sum
    several = sum(_one_kind(claim, q) for q in quantities(answer)) > 1
    return several and bool(before) and before == its


def _one_kind(one: Quantity, other: Quantity) -> bool:
    """True for two quantities of one dimension; a year and a count differ."""
    if one.unit is None or other.unit is None:
        return one.unit is other.unit and (one.value in _YEARS) == (other.value in _YEARS)
    return bool({r.dimension for r in one.readings} & {r.dimension for r in other.readings})


_ASKED_DIMENSIONS = {
    "[length]^1": "far distance long length tall high height deep depth wide width distant radius diameter wavelength",
    "[time]^1": "long time when duration soon period often seconds minutes hours days years old age take",
    "[mass]^1": "mass heavy weight weigh kilograms grams much",
    "[plane_angle]^1": "angle degrees latitude longitude",
    "[temperature]^1": "temperature hot cold warm point",
}  # fmt: skip
"""Words of a question that ask for a quantity of a dimension."""


@lru_cache(maxsize=256)
def _without_conditions(question: str) -> str:
    """`question` without its quantities and the words before them: "at a depth of 20 m" asks for no depth."""
    for claim in reversed(quantities(question)):
        question = _LEAD.sub("", question[: claim.start]) + question[claim.end :]
    return question


def _before(text: str, quantity: Quantity) -> str:
    match = _WORD_BEFORE.search(text[max(0, quantity.start - 40) : quantity.start])
    return match[1].lower() if match else ""


def _behind(text: str, quantity: Quantity) -> str:
    match = _WORD_BEHIND.match(text, quantity.end)
    return stem(match[1].lower()) if match and match[1].lower() not in STOPWORDS else ""
