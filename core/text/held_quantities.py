"""Which quantities and formulas of a sentence its evidence states, and of the same thing."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

from core.text.formulas import formulas, holds_formula, places_of_formulas
from core.text.quantities import MONTH_OF_YEAR, Quantity, agree, equal, quantities, unit_names
from core.text.words import content, overlap, words

_CLAUSE = re.compile(r";\s|,?\s(?:and|but|while|whereas)\s")
_POINTS = re.compile(
    r"\W*(?:[\w’'-]+\s+){0,2}(?:it|its|this|that|these|those|they|their|he|his|she|her)\b", re.IGNORECASE
)
_OF_MEASURING = frozenset(
    content(
        "long high tall wide deep thick heavy old far fast big large length height width depth thickness weight weigh "
        "weighs mass age distance speed size cost costs price measure measures measured about nearly approximately "
        "around almost only exactly total equal equals reach reaches value"
    )
)
"""Words of how much something is: they say nothing of which thing it is."""
_SINGULAR = {
    "men": "man", "women": "woman", "children": "child", "feet": "foot", "teeth": "tooth", "mice": "mous",
    "gees": "goos", "leav": "leaf",
}  # fmt: skip
"""Stems of plurals that the stemmer keeps apart from their singular."""
_YEARS = range(1000, 2101)


@dataclass(frozen=True, kw_only=True)
class Stated:
    """A quantity of the evidence with the line that states it."""

    quantity: Quantity
    line: int


def unstated(sentence: str, source: str) -> list[str]:
    """The numbers of `sentence` that `source` states with no unit that could be theirs, and the formulas it lacks."""
    given = [s.quantity for s in _stated(source)]
    claims = dict.fromkeys(q.text for q in _claims(sentence) if not any(_bears(g, q, None) for g in given))
    return [*claims, *_lost_formulas(sentence, source)]


def look_up(sentence: str, source: str) -> tuple[list[str], list[str]]:
    """(missing, computed) of `sentence`: what `source` does not state of the same thing, and what follows from it by
    one step of arithmetic or another unit.

    source: a line a sentence, the last of them the question.
    """
    stated, near = _stated(source), _nearest_numbers(sentence, source)
    known = known_units(source)
    missing: list[str] = []
    units: list[str] = []
    misread: list[str] = []
    computed: list[str] = []
    for claim in _claims(sentence):
        bearers = [s for s in stated if _bears(s.quantity, claim, known)]
        as_is = any(equal(claim.value, s.quantity.value) for s in stated)
        measured = claim.unit and claim.unit is not MONTH_OF_YEAR
        named = f"{claim.text} {claim.unit.name}" if measured else claim.text
        if bearers:
            computed += [] if as_is else [claim.text]
            misread += [named] if _misplaced(claim, sentence, source.splitlines(), bearers, stated) else []
        elif not any(equal(claim.value, n) for n in near) and _follows(claim.value, near):
            computed.append(claim.text)
            units += _unknown(claim, known)
        else:
            missing += [] if as_is and claim.unit else [claim.text]
            units += _unknown(claim, known)
            misread += [named] if as_is and claim.unit and not _unknown(claim, known) else []
    found = (*missing, *units, *misread, *_lost_formulas(sentence, source))
    return list(dict.fromkeys(found)), list(dict.fromkeys(computed))


def spelled_like(evidence: str, claim: str) -> str:
    """`evidence` with the quantities and formulas that `claim` states too in the spelling of `claim`.

    A language model that compares the two does not know that "20 m s–1" and "20 m/s" are one; what is one here was
    found to be so by its value.
    """
    wanted = {claim[q.start : q.end]: q for q in _claims(claim)}
    new = [
        (g.start, g.end, spelling)
        for g in _claims(evidence) if evidence[g.start : g.end] not in wanted
        for spelling, q in wanted.items() if _are_one(q, g) and _has_figures(spelling + evidence[g.start : g.end])
    ]  # fmt: skip
    terms = {canonical: claim[start:end] for start, end, canonical in places_of_formulas(claim)}
    new += [(start, end, terms[name]) for start, end, name in places_of_formulas(evidence) if name in terms]
    for start, end, spelling in sorted({n[0]: n for n in reversed(new)}.values(), reverse=True):
        evidence = evidence[:start] + spelling + evidence[end:]
    return evidence


def _has_figures(text: str) -> bool:
    """ "Two" and "double" are one amount, but neither can stand for the other in a sentence."""
    return any(character.isnumeric() for character in text)


def _are_one(claim: Quantity, given: Quantity) -> bool:
    """True for one amount to the last figure; a rounded one reads as another."""
    same_kind = bool(claim.unit) == bool(given.unit) and MONTH_OF_YEAR not in (claim.unit, given.unit)
    return same_kind and agree(claim, given) and agree(given, claim)


@lru_cache(maxsize=256)
def known_units(source: str) -> frozenset[str]:
    """The names of the units that `source` speaks of, with numbers or without."""
    spoken = unit_names(words(source))
    return frozenset(spoken.union(*(s.quantity.unit.names for s in _stated(source) if s.quantity.unit)))


def _claims(sentence: str) -> list[Quantity]:
    return [q for q in quantities(sentence) if not q.may_be]


@lru_cache(maxsize=256)
def _stated(source: str) -> tuple[Stated, ...]:
    lines = enumerate(source.splitlines())
    return tuple(Stated(quantity=q, line=n) for n, line in lines for q in quantities(line))


def _bears(given: Quantity, claim: Quantity, known: frozenset[str] | None) -> bool:
    """True where the evidence `given` states what `claim` does, or its number where one of them has no unit.

    known: the units that the evidence speaks of, None for any; a number without a unit, as in a table, may have one
    of these.
    """
    if (given.unit and claim.unit) or agree(claim, given):
        return agree(claim, given)
    unit = given.unit or claim.unit
    if unit is MONTH_OF_YEAR or (unit and claim.unit is None and given.is_percent):
        return False
    spoken = claim.unit is None or known is None or claim.unit.names <= known
    return spoken and equal(claim.value, given.value)


def _unknown(claim: Quantity, known: frozenset[str]) -> list[str]:
    is_unknown = claim.unit and claim.unit is not MONTH_OF_YEAR and not claim.unit.names <= known
    return [claim.unit.name] if is_unknown else []


def _lost_formulas(sentence: str, source: str) -> list[str]:
    return [f for f in sorted(formulas(sentence)) if not holds_formula(source, f)]


def _misplaced(
    claim: Quantity, sentence: str, lines: Sequence[str], bearers: Sequence[Stated], stated: Sequence[Stated]
) -> bool:
    """True where the evidence says another amount of the thing that `claim` is about, and this amount of others only.

    Judged only where the clause states nothing else that is measured so, and where some clause of the evidence has
    every word of it, beside those of measuring.
    """
    first, last = _clause(sentence, claim)
    others = [q for q in _claims(sentence) if first <= q.start < last and q is not claim and _alike(q, claim)]
    about = _about(sentence, claim)
    if not about or others or any(b.line == len(lines) - 1 for b in bearers):
        return False
    rivals = [s for s in stated if s.line < len(lines) - 1 and _rivals(s.quantity, claim, bearers)]
    rivals = [s for s in rivals if about <= _about(lines[s.line], s.quantity)]
    return bool(rivals) and not any(about <= _wide(lines, b, rivals, about) for b in bearers)


def _rivals(other: Quantity, claim: Quantity, bearers: Sequence[Stated]) -> bool:
    """True for another amount of the same dimension."""
    return not other.may_be and not any(other is b.quantity for b in bearers) and _alike(other, claim)


def _alike(one: Quantity, other: Quantity) -> bool:
    """True for two of one dimension; a year is of another kind than a count."""
    if one.unit is None and other.unit is None:
        return (one.value in _YEARS) == (other.value in _YEARS)
    dimensions = ({r.dimension for r in q.readings} for q in (one, other))
    return bool(one.unit and other.unit and set.intersection(*dimensions))


def _wide(lines: Sequence[str], bearer: Stated, rivals: Sequence[Stated], about: set[str]) -> set[str]:
    """The words that `bearer` may be about: of its clause where a rival shares its line, else of its line, and of the
    line before where it points back.

    Behind "In men the cords are 20 mm long", "In women these are 15 mm long" speaks of women, though it points back.
    """
    line = lines[bearer.line]
    if any(r.line == bearer.line for r in rivals):
        return _about(line, bearer.quantity)
    own = _telling(line)
    names_another = own and not own & about and any(r.line == bearer.line - 1 for r in rivals)
    before = lines[bearer.line - 1] if bearer.line and _POINTS.match(line) and not names_another else ""
    return own | _telling(before)


def _about(sentence: str, quantity: Quantity) -> set[str]:
    """The telling words of the clause that states `quantity`; those of the whole sentence where it has none."""
    first, last = _clause(sentence, quantity)
    return _telling(sentence[first:last]) or _telling(sentence)


def _clause(sentence: str, quantity: Quantity) -> tuple[int, int]:
    """Where the clause of `sentence` that states `quantity` begins and ends."""
    start = max((m.end() for m in _CLAUSE.finditer(sentence, 0, quantity.start)), default=0)
    after = _CLAUSE.search(sentence, quantity.end)
    return start, after.start() if after else len(sentence)


@lru_cache(maxsize=4096)
def _telling(text: str) -> set[str]:
    """The stems of `text` that say what it is about: no numbers, no units, no words of measuring."""
    plain = list(text)
    for q in quantities(text):
        plain[q.start : q.end] = " " * (q.end - q.start)
    said = "".join(plain)
    return {_SINGULAR.get(stem, stem) for stem in content(said)} - _OF_MEASURING


def _nearest_numbers(sentence: str, source: str) -> list[float]:
    """The numbers of the question (last line of `source`) and of the line of `source` most like `sentence`."""
    lines = source.splitlines()
    nearest = max(lines, key=lambda line: overlap(sentence, line), default="")
    asked = lines[-1] if lines else ""
    near = [nearest] if nearest == asked else [nearest, asked]
    found = (q.value for line in near for q in _claims(line) if q.unit is not MONTH_OF_YEAR)
    return list(dict.fromkeys(found))  # a number that stands there twice is no two numbers to add


def _follows(value: float, given: list[float]) -> bool:
    """True when one addition, subtraction, multiplication or division of two given numbers makes `value`."""
    for a, b in permutations(given, 2):
        made = (a + b, a - b, a * b, a / b if b else a)
        if any(math.isclose(m, value, rel_tol=1e-6) for m in made):
            return True
    return False
