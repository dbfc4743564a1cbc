"""The quantities of a text as values: each number with its unit in any spelling, and when two quantities agree."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

from core.text.formulas import without_formulas
from core.text.numerals import CARDINALS, Numeral, numerals, value_of_words
from core.text.units import NUMBER, Reading, Unit, unit_at, unit_names, unit_of

__all__ = [
    "CARDINALS",
    "Quantity",
    "agree",
    "equal",
    "numbers",
    "quantities",
    "unit_names",
    "value_of_words",
    "values",
    "without_numbers",
]  # fmt: skip

_MINUS = re.compile(r"(?:^|(?<=[\s(\[{=<>≤≥,;:+×*/|]))[-−–]$|\b(?:minus|negative)\s$", re.IGNORECASE)
_DASHES, _SPOKEN = frozenset("-−–"), frozenset({"inus", "tive"})
_SUBTRAHEND = re.compile(r"(?:[\d)\]]|\b[A-Z]\w+\.?)\s*$")
"""Text before a dash that may be a subtraction ("8 -3") or a separator of name and number ("Unit -3")."""
_BELOW_ZERO = re.compile(r"[\s°]*\w{0,10}(?:\s\w{1,10})?\s+below\s+(?:zero|0)\b", re.IGNORECASE)
_BEFORE_CHRIST = re.compile(r"(?:\s(?:century|centuries))?\s?(?:B\.?C\.?E\b\.?|B\.?C\b\.?)")
_LEAD = 24
"""The number of characters before a number in which its sign may appear."""
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
"""The unit of a month in a date: August has the value 8."""
_EXACT, _CONVERTED = 1e-9, 1e-6
"""The largest relative difference of two equal values: in one unit, and across two units."""
_FEWEST_FIGURES = 10.0
"""A rounded value needs two digits to agree: it must be at least this many times the step of its last digit."""


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A number of a text with its unit, at text[start:end]. numeral: (start, end) of the number alone.

    text: the numeral in lower case, with its sign. step: the value of one unit of its last digit (0.1 for "9.8"); 0 for
    an exact value. may_be: True for an uncertain reading ("one", "8 -3", "700C" for 70 °C): evidence may mean it, but a
    claim is not checked for it.
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
    """Every quantity of `text` from left to right, with its uncertain readings."""
    if not text:
        return ()
    plain = without_formulas(text)
    # "15/08/1947" and "15 August 1947" have the same day, month and year.
    dates = tuple(q for m in _DATE.finditer(plain) for q in _date(m)) if _YEAR.search(plain) else ()
    for date in dates:
        plain = plain[: date.start] + "x" * (date.end - date.start) + plain[date.end :]
    others = _in_ranges(list(_quantities(plain)), plain)
    return tuple(sorted((*dates, *others), key=lambda q: q.start)) if dates else tuple(others)


def numbers(text: str) -> dict[str, float]:
    """{numeral in lower case: value} for the certain numbers of `text`. "one" is left out: it is often a pronoun."""
    return {q.text: q.value for q in quantities(text) if not q.may_be}


def values(text: str) -> set[float]:
    """Every value that `text` may state; both signs if a dash may be a minus sign or not."""
    return {q.value for q in quantities(text)}


def without_numbers(text: str) -> str:
    """`text` with blanks in place of each number and each formula."""
    plain = without_formulas(text)
    for q in reversed(quantities(text)):
        plain = plain[: q.numeral[0]] + " " * (q.numeral[1] - q.numeral[0]) + plain[q.numeral[1] :]
    return re.sub(r"(?<![^\W\d_])x{2,}(?![^\W\d_])", " ", plain)


def equal(one: float, other: float) -> bool:
    """True if two finite values are equal up to floating-point error; False if one of them is infinite."""
    return math.isfinite(one) and math.isclose(one, other, rel_tol=_EXACT)


def agree(claim: Quantity, evidence: Quantity) -> bool:
    """True if `evidence` states the same amount as `claim`, in the same or in another unit.

    In one unit the values must be equal: 9.8 is not 9.81, because a changed digit is the most common false claim.
    Across two units, and from a fraction to digits, the claim may be the evidence rounded to the claim's last digit if
    it has two digits or more: 33 % agrees with a third, but 0.3 km does not agree with 333 m.
    """
    if _are_prices(claim, evidence):
        return equal(claim.value, evidence.value)
    pairs = product(claim.readings, evidence.readings)
    return any(c.dimension == e.dimension and _is_same_amount(claim, c, evidence, e) for c, e in pairs)


def _is_same_amount(claim: Quantity, reading: Reading, evidence: Quantity, evidence_reading: Reading) -> bool:
    if equal(reading.size, evidence_reading.size) and reading.zero == evidence_reading.zero:
        rounds = not (evidence.step or evidence.value.is_integer() or evidence.unit or claim.unit)
        return equal(claim.value, evidence.value) or (rounds and _rounds(evidence.value, claim))
    if not reading.dimension and any(q.unit is None and q.value.is_integer() for q in (claim, evidence)):
        return False  # 2 of something is not 200 %
    expected = (evidence.value * evidence_reading.size + evidence_reading.zero - reading.zero) / reading.size
    return math.isclose(expected, claim.value, rel_tol=_CONVERTED) or _rounds(expected, claim)


def _rounds(expected: float, claim: Quantity) -> bool:
    """True if `expected` rounds to the value of `claim` at the last digit of the claim."""
    writes_enough = 0 < claim.step * _FEWEST_FIGURES <= abs(claim.value) * (1 + _EXACT)
    return writes_enough and abs(expected - claim.value) <= claim.step / 2 * (1 + _CONVERTED)


def _are_prices(one: Quantity, other: Quantity) -> bool:
    """True for two amounts of one currency if exactly one of them is per something: "Rs 20 a kg" and "Rs 20"."""
    if not (one.unit and other.unit) or one.unit.parts[0] != other.unit.parts[0]:
        return False
    lengths = {len(one.unit.parts), len(other.unit.parts)}
    return bool(one.unit.names & _CURRENCIES) and 1 in lengths and len(lengths) == 2


def _quantities(text: str) -> Iterator[Quantity]:
    read = 0
    for numeral in numerals(text):
        if numeral.start < read:
            continue
        quantity = _quantity(text, numeral)
        yield quantity
        yield from _other_readings(text, quantity)
        read = quantity.end


def _quantity(text: str, numeral: Numeral) -> Quantity:
    """The quantity of one numeral with its unit and its sign; a year before Christ is negative."""
    start, end = numeral.start, numeral.end
    numeral_text, value, unit = text[start:end].lower(), numeral.value, None
    front = (
        _IN_FRONT.search(text, max(0, start - 6), start) if text[start - 2 : start].rstrip()[-1:] in _FRONTS else None
    )
    if not numeral.is_ordinal:
        part = not numeral.step and not value.is_integer()
        above = _MONEY.get(front.group().strip(), "rupee") if front else ""
        unit, end = unit_at(text, end, above=above, is_part=part)
    below = _BELOW_ZERO.match(text, numeral.end) if " below " in text else None
    early = _BEFORE_CHRIST.match(text, numeral.end) if "B" in text else None
    dash = _dash(text, start)  # it may also subtract
    minus = dash if dash and not _SUBTRAHEND.search(text, max(0, dash.start() - _LEAD), dash.start()) else None
    if minus or below or early:
        numeral_text, value = (f"{numeral_text}{early.group().lower()}" if early else f"-{numeral_text}"), -value
        end = max(end, *(m.end() for m in (below, early) if m)) if below or early else end
        unit = None if early else unit
        start = min(start, minus.start()) if minus else start
    return Quantity(
        text=numeral_text, value=value, unit=unit, step=numeral.step, start=front.start() if front else start, end=end,
        numeral=(numeral.start, numeral.end), may_be=numeral_text == "one",
    )  # fmt: skip


def _dash(text: str, start: int) -> re.Match[str] | None:
    """The dash or word before the number at `start` that may be its minus sign; None if there is none."""
    if text[start - 1 : start] not in _DASHES and text[max(0, start - 6) : start].rstrip().lower()[-4:] not in _SPOKEN:
        return None
    return _MINUS.search(text, max(0, start - _LEAD), start)


def _other_readings(text: str, quantity: Quantity) -> Iterator[Quantity]:
    """The uncertain readings of a quantity: a negative number, and degrees Celsius without their sign ("700C")."""
    first, last = quantity.numeral
    if quantity.value > 0 and _dash(text, first):
        yield replace(quantity, text=f"-{quantity.text}", value=-quantity.value, may_be=True)
    if text[last : last + 1] == "C" and (figures := re.fullmatch(r"(\d{1,3}(?:\.\d+)?)0", text[first:last])):
        degrees = math.copysign(float(figures[1]), quantity.value)
        yield replace(quantity, value=degrees, unit=unit_of((("celsius", 1),)), step=1.0, may_be=True)


def _in_ranges(range_ends: list[Quantity], text: str) -> list[Quantity]:
    """`range_ends` after both ends of each range get the unit that one of them states: "10–15 cm", "Rs 20 to 30"."""
    for n in range(len(range_ends) - 2, -1, -1):
        first, last = range_ends[n], range_ends[n + 1]
        between = text[first.end : last.numeral[0]]
        spans = between == " and " and _BETWEEN.search(text, max(0, first.start - 9), first.start)
        if len(between) > 12 or not (spans or _RANGE.fullmatch(between)):
            continue
        if first.unit is None and last.unit:
            range_ends[n] = replace(first, unit=last.unit)
        elif last.unit is None and first.unit and first.unit.names & _CURRENCIES:
            range_ends[n + 1] = replace(last, unit=first.unit)
        elif last.value < 0 < first.value and _BEFORE_CHRIST.search(text, last.numeral[1], last.end):
            range_ends[n] = replace(first, value=-first.value)
    return range_ends


def _date(match: re.Match[str]) -> Iterator[Quantity]:
    for name in (k for k, digits in match.groupdict().items() if digits):
        digits, (start, end) = match[name].lower(), match.span(name)
        is_month = name[0] == "m"
        value = float(digits) if digits.isdigit() else _MONTHS[digits[:3]]
        yield Quantity(
            text=digits, value=value, unit=MONTH_OF_YEAR if is_month else None, start=start, end=end, step=1.0,
            numeral=(start, end),
        )  # fmt: skip
