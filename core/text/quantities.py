"""Quantities as values: every number of a text with its unit, however both are spelled, and when two are the same."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

from core.text.formulas import without_formulas
from core.text.numerals import CARDINALS, Numeral, numerals, spelled
from core.text.units import NUMBER, Reading, Unit, unit_at, unit_names, unit_of

__all__ = [
    "CARDINALS", "Quantity", "agree", "equal", "numbers", "quantities", "spelled", "unit_names", "values",
    "without_numbers",
]  # fmt: skip

_MINUS = re.compile(r"(?:^|(?<=[\s(\[{=<>≤≥,;:+×*/|]))[-−–]$|\b(?:minus|negative)\s$", re.IGNORECASE)
_DASHES, _SPOKEN = frozenset("-−–"), frozenset({"inus", "tive"})
_TAKEN_FROM = re.compile(r"(?:[\d)\]]|\b[A-Z]\w+\.?)\s*$")
"""Before a dash that may also take away ("8 -3"), or only part a name from its number ("Unit -3")."""
_BELOW_ZERO = re.compile(r"[\s°]*\w{0,10}(?:\s\w{1,10})?\s+below\s+(?:zero|0)\b", re.IGNORECASE)
_BEFORE_CHRIST = re.compile(r"(?:\s(?:century|centuries))?\s?(?:B\.?C\.?E\b\.?|B\.?C\b\.?)")
_LEAD = 24
"""Characters before a number that say whether it is negative."""
_IN_FRONT = re.compile(r"(?:\b(?:Rs|RS|rs|INR|Re)\b\.?|[₹$€£])\s{0,2}$")
_FRONTS = frozenset("sSRCe.₹$€£")
_MONEY = {"$": "dollar", "€": "euro", "£": "pound_sterling"}
_CURRENCIES = frozenset({"rupee", *_MONEY.values()})
_RANGE = re.compile(r"\s?(?:-|–|—|±|\+/-)\s?|\s(?:to|or)\s(?:about\s)?")
_BETWEEN = re.compile(r"\bbetween\s$", re.IGNORECASE)
_MONTHS = {m: float(n) for n, m in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
_MONTH = (
    r"(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b"
)
_YEAR = re.compile(r"\d{3}")
_DATE = re.compile(
    rf"(?<![\w/.])(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<m1>{_MONTH})\.?,?\s(?P<y1>\d{{3,4}})\b"
    rf"|\b(?P<m2>{_MONTH})\.?\s(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<y2>\d{{3,4}})\b"
    r"|(?<![\w/.-])(?P<d3>0?[1-9]|[12]\d|3[01])([/.-])(?P<m3>0?[1-9]|1[0-2])\8(?P<y3>\d{4})(?![\w/-])"
)
MONTH_OF_YEAR = Unit(
    name="month of the year", parts=(("calendar", 1),), readings=(Reading(dimension="date", size=1.0),)
)
"""August is the eighth of these: no number of anything."""
_EXACT, _CONVERTED = 1e-9, 1e-6
"""How far two values may differ by arithmetic alone, in one unit and across two."""
_FEWEST_FIGURES = 10.0
"""A rounded value counts as the same only from two figures on: it must be as many times its last figure's step."""


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A number as a text states it, with its unit, from `start` to `end` of the text; the numeral stands at `numeral`.

    text: the numeral in lower case, with its sign. step: what its last figure counts; 0 for an exact one.
    may_be: only one way to read what stands there ("one", "8 -3", "700C" for 70 °C). Evidence may mean it, but no
    claim is held to it.
    """

    text: str
    value: float
    start: int
    end: int
    numeral: tuple[int, int]
    unit: Unit | None = None
    step: float = 0.0
    may_be: bool = False

    @property
    def readings(self) -> tuple[Reading, ...]:
        return self.unit.readings if self.unit else (NUMBER,)

    @property
    def is_percent(self) -> bool:
        return bool(self.unit) and self.unit.name == "percent"


@lru_cache(maxsize=4096)  # every check on numbers and names reads the same few sentences and passages
def quantities(text: str) -> tuple[Quantity, ...]:
    """Every quantity of `text`, from the left, with every way to read it."""
    if not text:
        return ()
    plain = without_formulas(text)
    dates = _dates(plain)
    for date in dates:
        plain = plain[: date.start] + "x" * (date.end - date.start) + plain[date.end :]
    found = _in_ranges(list(_quantities(plain)), plain)
    return tuple(sorted((*dates, *found), key=lambda q: q.start)) if dates else tuple(found)


def numbers(text: str) -> dict[str, float]:
    """The numbers of `text` as it states them, in lower case, with their values. "one" is left out: often a pronoun."""
    return {q.text: q.value for q in quantities(text) if not q.may_be}


def values(text: str) -> set[float]:
    """Every value that `text` may state: both, where a dash may be a sign or not."""
    return {q.value for q in quantities(text)}


def without_numbers(text: str) -> str:
    """`text` with a gap where each number and each formula stood."""
    plain = without_formulas(text)
    for q in reversed(quantities(text)):
        plain = plain[: q.numeral[0]] + " " * (q.numeral[1] - q.numeral[0]) + plain[q.numeral[1] :]
    return re.sub(r"(?<![^\W\d_])x{2,}(?![^\W\d_])", " ", plain)


def equal(one: float, other: float) -> bool:
    """True for one value, whatever arithmetic did to its last places; two values too large for us are never one."""
    return math.isfinite(one) and math.isclose(one, other, rel_tol=_EXACT)


def agree(claim: Quantity, evidence: Quantity) -> bool:
    """True where `evidence` states as much as `claim` in its own or in another unit.

    In one unit the values must be equal: 9.8 is not 9.81, since another figure is the commonest falsehood. Across two
    units, and from a fraction to figures, the claim may also be what the evidence rounds to at the last figure that
    the claim writes, when it writes two or more: 33 % for a third, but 0.3 km for no 333 m.
    """
    if _are_prices(claim, evidence):
        return equal(claim.value, evidence.value)
    pairs = product(claim.readings, evidence.readings)
    return any(c.dimension == e.dimension and _as_much(claim, c, evidence, e) for c, e in pairs)


def _as_much(claim: Quantity, its: Reading, evidence: Quantity, other: Reading) -> bool:
    if equal(its.size, other.size) and its.zero == other.zero:
        rounds = not (evidence.step or evidence.value.is_integer() or evidence.unit or claim.unit)
        return equal(claim.value, evidence.value) or (rounds and _rounds(evidence.value, claim))
    if not its.dimension and any(q.unit is None and q.value.is_integer() for q in (claim, evidence)):
        return False  # 2 of something is not 200 %
    expected = (evidence.value * other.size + other.zero - its.zero) / its.size
    return math.isclose(expected, claim.value, rel_tol=_CONVERTED) or _rounds(expected, claim)


def _rounds(expected: float, claim: Quantity) -> bool:
    """True where `expected` is the value of `claim` at the last figure that the claim writes."""
    writes_enough = 0 < claim.step * _FEWEST_FIGURES <= abs(claim.value) * (1 + _EXACT)
    return writes_enough and abs(expected - claim.value) <= claim.step / 2 * (1 + _CONVERTED)


def _are_prices(one: Quantity, other: Quantity) -> bool:
    """True for money in one currency that only one of them counts per something: "Rs 20 a kg" is a price of Rs 20."""
    if not (one.unit and other.unit) or one.unit.parts[0] != other.unit.parts[0]:
        return False
    lengths = {len(one.unit.parts), len(other.unit.parts)}
    return bool(one.unit.names & _CURRENCIES) and 1 in lengths and len(lengths) == 2


def _quantities(text: str) -> Iterator[Quantity]:
    read = 0
    for numeral in numerals(text):
        if numeral.start < read:
            continue
        found = _quantity(text, numeral)
        yield found
        yield from _other_readings(text, found)
        read = found.end


def _quantity(text: str, numeral: Numeral) -> Quantity:
    """The quantity of one numeral: with its unit, its sign, and what makes it a year before Christ."""
    start, end = numeral.start, numeral.end
    stated, value, unit = text[start:end].lower(), numeral.value, None
    front = (
        _IN_FRONT.search(text, max(0, start - 6), start) if text[start - 2 : start].rstrip()[-1:] in _FRONTS else None
    )
    if not numeral.is_place:
        part = not numeral.step and not value.is_integer()
        above = _MONEY.get(front.group().strip(), "rupee") if front else ""
        unit, end = unit_at(text, end, above=above, is_part=part)
    below = _BELOW_ZERO.match(text, numeral.end) if " below " in text else None
    early = _BEFORE_CHRIST.match(text, numeral.end) if "B" in text else None
    minus = _minus(text, start)
    if minus or below or early:
        stated, value = (f"{stated}{early.group().lower()}" if early else f"-{stated}"), -value
        end = max(end, *(m.end() for m in (below, early) if m)) if below or early else end
        unit = None if early else unit
        start = min(start, minus.start()) if minus else start
    return Quantity(
        text=stated, value=value, unit=unit, step=numeral.step, start=front.start() if front else start, end=end,
        numeral=(numeral.start, numeral.end), may_be=stated == "one",
    )  # fmt: skip


def _dash(text: str, start: int) -> re.Match[str] | None:
    """What stands before the number at `start` and may be its minus sign."""
    if text[start - 1 : start] not in _DASHES and text[max(0, start - 6) : start].rstrip().lower()[-4:] not in _SPOKEN:
        return None
    return _MINUS.search(text, max(0, start - _LEAD), start)


def _minus(text: str, start: int) -> re.Match[str] | None:
    """The minus sign of the number at `start`; none where a dash may be another one."""
    dash = _dash(text, start)
    return dash if dash and not _TAKEN_FROM.search(text, max(0, dash.start() - _LEAD), dash.start()) else None


def _other_readings(text: str, found: Quantity) -> Iterator[Quantity]:
    """What else may stand there: a negative number, and degrees Celsius whose sign a PDF lost ("700C")."""
    first, last = found.numeral
    if found.value > 0 and _dash(text, first):
        yield replace(found, text=f"-{found.text}", value=-found.value, may_be=True)
    if text[last : last + 1] == "C" and (figures := re.fullmatch(r"(\d{1,3}(?:\.\d+)?)0", text[first:last])):
        degrees = math.copysign(float(figures[1]), found.value)
        yield replace(found, value=degrees, unit=unit_of((("celsius", 1),)), step=1.0, may_be=True)


def _in_ranges(found: list[Quantity], text: str) -> list[Quantity]:
    """`found`, where both ends of a range have the unit that only one of them states: "10–15 cm", "Rs 20 to 30"."""
    for n in range(len(found) - 2, -1, -1):
        first, last = found[n], found[n + 1]
        between = text[first.end : last.numeral[0]]
        spans = between == " and " and _BETWEEN.search(text, max(0, first.start - 9), first.start)
        if len(between) > 12 or not (spans or _RANGE.fullmatch(between)):
            continue
        if first.unit is None and last.unit:
            found[n] = replace(first, unit=last.unit)
        elif last.unit is None and first.unit and first.unit.names & _CURRENCIES:
            found[n + 1] = replace(last, unit=first.unit)
        elif last.value < 0 < first.value and _BEFORE_CHRIST.search(text, last.numeral[1], last.end):
            found[n] = replace(first, value=-first.value)
    return found


def _dates(text: str) -> tuple[Quantity, ...]:
    """The days, months and years of the dates of `text`, so that "15/08/1947" and "15 August 1947" are one."""
    return tuple(q for m in _DATE.finditer(text) for q in _date(m)) if _YEAR.search(text) else ()


def _date(found: re.Match[str]) -> Iterator[Quantity]:
    for name in (k for k, stated in found.groupdict().items() if stated):
        stated, (start, end) = found[name].lower(), found.span(name)
        is_month = name[0] == "m"
        value = float(stated) if stated.isdigit() else _MONTHS[stated[:3]]
        yield Quantity(
            text=stated, value=value, unit=MONTH_OF_YEAR if is_month else None, start=start, end=end, step=1.0,
            numeral=(start, end),
        )  # fmt: skip
