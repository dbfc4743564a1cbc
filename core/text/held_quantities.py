"""Checks which quantities and formulas of a sentence its evidence states, and whether of the same thing."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from core.text.formulas import formula_spans, formulas, holds_formula
from core.text.lexicon import listed
from core.text.quantities import MONTH_OF_YEAR, Quantity, agree, are_opposed, equal, quantities, without_numbers
from core.text.units import unit_names
from core.text.words import content, words

_CLAUSE = re.compile(r";\s|,?\s(?:and|but|while|whereas)\s")
_POINTS = re.compile(
    r"\W*(?:[\w’'-]+\s+){0,2}(?:it|its|this|that|these|those|they|their|he|his|she|her)\b", re.IGNORECASE
)
_OF_MEASURING = frozenset(content(" ".join(listed("measuring"))))
"""Stems of words for measuring, which do not identify the thing that is measured."""
_SINGULAR = dict(pair.split(":") for pair in listed("irregular plurals"))
"""{stem of an irregular plural: stem of its singular}, which the stemmer does not join."""
_YEARS = range(1000, 2101)
_BEFORE_CHRIST = re.compile(r"\bB\.?\s?C\b\.?|\bBCE\b")
_LISTED = re.compile(r",\s(?:and\s)?|\sand\s")
_COUNTED = re.compile(r"\s(?:[a-z]+\s)??([a-z]{3,})\b")
_BESIDE = re.compile(r"\s[a-z]+(?:\s[a-z]+)?(?:,|,?\sand)\s")
"""The words between two counts of one list: " boys and " in "5 boys and 7 girls"."""
_LAST_WORD = re.compile(r"([A-Za-z]+)\W*$")
LineQuantity = tuple[int, Quantity]
"""(index of a line of the evidence, a quantity of it)."""


def unstated_facts(sentence: str, source: str) -> list[str]:
    """The numbers of `sentence` that `source` does not state with a fitting unit, and the formulas that it lacks."""
    evidence = [quantity for _, quantity in _line_quantities(source)]
    claims = dict.fromkeys(
        q.text for q in _claims(sentence)
        if not any(_bears(g, q, None) for g in evidence) and not _is_sum(q, sentence, source)
    )  # fmt: skip
    return [*claims, *_missing_formulas(sentence, source)]


def is_another_case(question: str, text: str) -> bool:
    """True if `text` states its values for another quantity than `question` gives: an echo "after 3 s" where the
    question says "after 2 s". The other quantity has the same dimension, and stands behind the same word.
    """
    stated = _claims(text)
    return any(
        not any(agree(s, given) or agree(given, s) for s in stated)
        and any(_alike(s, given) and _word_before(text, s) == _word_before(question, given) for s in stated)
        for given in _claims(question)
        if given.unit and _word_before(question, given)
    )


def _word_before(text: str, quantity: Quantity) -> str:
    word = _LAST_WORD.search(text[: quantity.start])
    return word[1].lower() if word else ""


def missing_quantities(sentence: str, source: str) -> list[str]:
    """The quantities, units and formulas of `sentence` that `source` does not state of the same thing, and its ranges
    of years that run backward.

    source: one sentence a line; the last line is the question.
    """
    evidence, source_units = _line_quantities(source), known_units(source)
    missing: list[str] = []
    units: list[str] = []
    misread: list[str] = _backward_years(sentence)
    for claim in _claims(sentence):
        bearers = [(line, q) for line, q in evidence if _bears(q, claim, source_units)]
        as_is = any(equal(claim.value, q.value) for _, q in evidence)
        has_measure = claim.unit and claim.unit is not MONTH_OF_YEAR
        label = f"{claim.text} {claim.unit.name}" if has_measure else claim.text
        if bearers:
            is_misread = any(rule(claim, sentence, source, bearers) for rule in (_is_misplaced, _counts_others))
            misread += [label] if is_misread else []
        elif not _is_sum(claim, sentence, source):
            missing += [] if as_is and claim.unit else [claim.text]
            units += _unknown(claim, source_units)
            misread += [label] if as_is and claim.unit and not _unknown(claim, source_units) else []
    return list(dict.fromkeys((*missing, *units, *misread, *_missing_formulas(sentence, source))))


def spelled_like(evidence: str, claim: str) -> str:
    """`evidence`, where the quantities and formulas that `claim` states too have the spelling of `claim`.

    A language model does not know that "20 m s–1" and "20 m/s" are the same; this function compares their values.
    """
    by_spelling = {claim[q.start : q.end]: q for q in _claims(claim)}
    new = [
        (g.start, g.end, spelling)
        for g in _claims(evidence) if evidence[g.start : g.end] not in by_spelling
        for spelling, q in by_spelling.items()
        # They agree in both directions, so that neither is rounded. "Two" and "double" cannot replace each other.
        if bool(q.unit) == bool(g.unit) and MONTH_OF_YEAR not in (q.unit, g.unit) and agree(q, g) and agree(g, q)
        and any(map(str.isnumeric, spelling + evidence[g.start : g.end]))
    ]  # fmt: skip
    spelled = {q.value: spelling for spelling, q in by_spelling.items() if q.unit is None}
    for total in _sums(evidence):  # "12 boys and girls" for "5 boys and 7 girls", where the claim gives their sum alone
        parts = evidence[total.start : total.end]
        spelling = spelled.get(total.value, "")
        if (
            spelling
            and _counts_together(by_spelling[spelling], claim, parts)
            and not spelled.keys() & {q.value for q in quantities(parts)}
        ):
            new.append((total.start, total.end, " ".join((spelling, *without_numbers(parts).split()))))
    terms = {canonical: claim[start:end] for start, end, canonical in formula_spans(claim)}
    new += [(start, end, terms[name]) for start, end, name in formula_spans(evidence) if name in terms]
    for start, end, spelling in sorted({n[0]: n for n in reversed(new)}.values(), reverse=True):
        evidence = evidence[:start] + spelling + evidence[end:]
    return evidence


@lru_cache(maxsize=256)
def known_units(source: str) -> frozenset[str]:
    """The names of the units in `source`, with numbers or without."""
    names = unit_names(words(source))
    return frozenset(names.union(*(q.unit.names for _, q in _line_quantities(source) if q.unit)))


def _claims(sentence: str) -> list[Quantity]:
    return [q for q in quantities(sentence) if not q.may_be]


@lru_cache(maxsize=256)
def _line_quantities(source: str) -> tuple[LineQuantity, ...]:
    return tuple((n, q) for n, line in enumerate(source.splitlines()) for q in quantities(line))


def _is_sum(claim: Quantity, sentence: str, source: str) -> bool:
    """True if `claim` counts together what a line counts side by side: "12 children" for "A class has 5 boys and 7
    girls". The line, or the one before it, must be about what `sentence` or the last line, the question, is about.
    """
    lines = source.splitlines()
    about = set(content(" ".join([sentence, *lines[1:][-1:]])))
    return any(
        equal(claim.value, total.value)
        and _counts_together(claim, sentence, line)
        and about & set(content(" ".join(lines[max(0, n - 1) : n + 1])))
        for n, line in enumerate(lines[:-1] or lines) for total in _sums(line)
    )  # fmt: skip


def _counts_together(claim: Quantity, sentence: str, line: str) -> bool:
    """True if `claim` has no unit, and `line` does not count its thing: "15 men" is no sum of 6 men and 9 women."""
    return claim.unit is None and _counted(sentence, claim) not in {_counted(line, q) for q in quantities(line)}


def _sums(line: str) -> list[Quantity]:
    """The sum of each group of counts that `line` lists side by side: 12 for "5 boys and 7 girls"; line[start:end] is
    the whole group.
    """
    groups: list[list[Quantity]] = []
    for q in quantities(line):
        is_count = q.unit is None and not q.may_be and q.value.is_integer() and bool(_counted(line, q))
        between = _BESIDE.fullmatch(line, groups[-1][-1].end, q.start) if groups and is_count else None
        if between and not _OF_MEASURING & set(content(between[0])):  # "6 squares wide and 7 squares high"
            groups[-1].append(q)
        elif is_count:
            groups.append([q])
    ends = (_COUNTED.match(line, group[-1].end).end() for group in groups)
    return [
        replace(group[-1], value=sum(q.value for q in group), start=group[0].start, end=end)
        for group, end in zip(groups, ends, strict=True) if len(group) > 1
    ]  # fmt: skip


def _bears(evidence: Quantity, claim: Quantity, source_units: frozenset[str] | None) -> bool:
    """True if `evidence` agrees with `claim`, or if one of the two has no unit and their numbers are the same.
    source_units: the units that a number without one, as in a table, may have; None for any.
    """
    if (evidence.unit and claim.unit) or are_opposed(claim, evidence) or agree(claim, evidence):
        return agree(claim, evidence)
    unit = evidence.unit or claim.unit
    if unit is MONTH_OF_YEAR or (unit and claim.unit is None and evidence.unit and evidence.unit.name == "percent"):
        return False
    may_have_unit = claim.unit is None or source_units is None or claim.unit.names <= source_units
    return may_have_unit and equal(claim.value, evidence.value)


def _unknown(claim: Quantity, source_units: frozenset[str]) -> list[str]:
    is_unknown = claim.unit and claim.unit is not MONTH_OF_YEAR and not claim.unit.names <= source_units
    return [claim.unit.name] if is_unknown else []


def _missing_formulas(sentence: str, source: str) -> list[str]:
    return [f for f in sorted(formulas(sentence)) if not holds_formula(source, f)]


def _is_misplaced(claim: Quantity, sentence: str, source: str, bearers: Sequence[LineQuantity]) -> bool:
    """True if the evidence states a different amount for the thing of `claim`, and the amount of `claim` only for other
    things.

    False if the clause of `claim` states another quantity of the same dimension, or if no clause of the evidence has
    all its words, apart from words of measuring.
    """
    lines, (first, last) = source.splitlines(), _clause(sentence, claim)
    others = [q for q in _claims(sentence) if first <= q.start < last and q is not claim and _alike(q, claim)]
    about = _about(sentence, claim)
    if not about or others or any(line == len(lines) - 1 for line, _ in bearers):
        return False
    other = [(n, q) for n, q in _line_quantities(source) if not q.may_be and not any(q is b for _, b in bearers)]
    rivals = [(n, q) for n, q in other if n < len(lines) - 1 and _alike(q, claim) and about <= _about(lines[n], q)]
    return bool(rivals) and not any(about <= _wide(lines, b, rivals, about) for b in bearers)


def _counts_others(claim: Quantity, sentence: str, source: str, bearers: Sequence[LineQuantity]) -> bool:
    """True if the evidence has another number of what `claim` counts, and the number of `claim` only with a unit or of
    something else: "twenty mangoes" where it says "three mangoes cost 20 rupees".
    """
    lines, counted = source.splitlines(), _counted(sentence, claim)
    things = [_counted(lines[n], q) for n, q in _line_quantities(source)]
    if not counted or counted not in things:
        return False
    own = [_counted(lines[n], q) or ("a unit" if q.unit else "") for n, q in bearers]
    return all(own) and counted not in own


def _counted(line: str, quantity: Quantity) -> str:
    """The stem of the noun behind a number without a unit; "" if there is none."""
    behind = _COUNTED.match(line, quantity.end) if quantity.unit is None else None
    return "".join(topic_stems(behind[1])) if behind else ""


def _backward_years(sentence: str) -> list[str]:
    """The ranges of years of `sentence` that end before they begin, "from 1530 to 1526"; years before Christ do."""
    if _BEFORE_CHRIST.search(sentence):
        return []
    found = [q for q in _claims(sentence) if q.unit is None and q.value in _YEARS]
    return [
        f"{first.text} to {last.text}" for first, last in pairwise(found)
        if last.value < first.value and sentence[first.end : last.start] in (" to ", "–", "-", " till ", " until ")
    ]  # fmt: skip


def _alike(one: Quantity, other: Quantity) -> bool:
    """True for two quantities of one dimension; a year and a count differ."""
    if one.unit is None and other.unit is None:
        return (one.value in _YEARS) == (other.value in _YEARS)
    dimensions = ({r.dimension for r in q.readings} for q in (one, other))
    return bool(one.unit and other.unit and set.intersection(*dimensions))


def _wide(lines: Sequence[str], bearer: LineQuantity, rivals: Sequence[LineQuantity], about: set[str]) -> set[str]:
    """The stems of the things that the quantity `bearer` may belong to.

    They are those of its clause if a quantity of `rivals` is on its line, else those of its line, and of the line
    before if it refers back. After "In men the cords are 20 mm long", "In women these are 15 mm long" is about women,
    though it refers back. about: the stems of the claim's thing.
    """
    at, quantity = bearer
    if any(n == at for n, _ in rivals):
        return _about(lines[at], quantity)
    own = topic_stems(lines[at])
    names_another = own and not own & about and any(n == at - 1 for n, _ in rivals)
    before = lines[at - 1] if at and _POINTS.match(lines[at]) and not names_another else ""
    return own | topic_stems(before)


def _about(sentence: str, quantity: Quantity) -> set[str]:
    """The topic stems of the clause of `quantity`; those of the whole sentence if the clause has none. In "Gold and
    silver melt at 1064 °C and 962 °C respectively" the first quantity is about gold."""
    if "respectively" in sentence:
        own = _claims(sentence)
        things = _LISTED.split(sentence[: own[0].start])
        if quantity in own and len(things) == len(own):
            return topic_stems(things[own.index(quantity)])
    first, last = _clause(sentence, quantity)
    return topic_stems(sentence[first:last]) or topic_stems(sentence)


def _clause(sentence: str, quantity: Quantity) -> tuple[int, int]:
    """(start, end) of the clause of `sentence` that states `quantity`."""
    start = max((m.end() for m in _CLAUSE.finditer(sentence, 0, quantity.start)), default=0)
    after = _CLAUSE.search(sentence, quantity.end)
    return start, after.start() if after else len(sentence)


@lru_cache(maxsize=4096)
def topic_stems(text: str) -> set[str]:
    """The stems of `text` without numbers, units and words of measuring."""
    plain = list(text)
    for q in quantities(text):
        plain[q.start : q.end] = " " * (q.end - q.start)
    return {_SINGULAR.get(stem, stem) for stem in content("".join(plain))} - _OF_MEASURING
