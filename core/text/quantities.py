"""The quantities of a text as values: each number with its unit in any spelling, and when two quantities agree."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Literal

from core.text.formulas import without_formulas
from core.text.lexicon import last_word, listed
from core.text.numerals import CARDINALS, Numeral, numerals
from core.text.units import NUMBER, Reading, Unit, unit_at

_MINUS = re.compile(r"(?:^|(?<=[\s(\[{=<>≤≥,;:+×*/|]))[-−–]$|\b(?:minus|negative)\s$", re.IGNORECASE)
_SUBTRAHEND = re.compile(r"(?:[\d)\]]|\b[A-Z]\w+\.?)\s*$")
"""Text before a dash that may be a subtraction ("8 -3") or a separator of name and number ("Unit -3")."""
_BELOW_ZERO = re.compile(r"[\s°]*\w{0,10}(?:\s\w{1,10})?\s+below\s+(?:zero|0)\b", re.IGNORECASE)
_LEAD = 24
"""The number of characters before a number in which its sign may appear."""
_IN_FRONT = re.compile(r"(?:\b(?:Rs|RS|rs|INR|Re)\b\.?|[₹$€£])\s{0,2}$")
_MONEY = {"$": "dollar", "€": "euro", "£": "pound_sterling"}
_CURRENCIES = frozenset({"rupee", *_MONEY.values()})
_RANGE = re.compile(r"\s?(?:-|–|—|±|\+/-)\s?|\s(?:to|or)\s(?:about\s)?")
_MONTHS = {name[:3].lower(): float(n) for n, name in enumerate(listed("days and months")[7:], 1)}
_MONTH = rf"(?i:{'|'.join(f'{name[:3]}(?:{name[3:]})?' for name in listed('days and months')[7:])}|sept)\b"
_YEAR = re.compile(r"\d{3}")
_DATE = re.compile(
    rf"(?<![\w/.])(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<m1>{_MONTH})\.?,?\s(?P<y1>\d{{3,4}})\b"
    rf"|\b(?P<m2>{_MONTH})\.?\s(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<y2>\d{{3,4}})\b"
    r"|(?<![\w/.-])(?P<d3>0?[1-9]|[12]\d|3[01])([/.-])(?P<m3>0?[1-9]|1[0-2])\8(?P<y3>\d{4})(?![\w/-])"
    r"|(?<![\w/.-])(?P<y4>\d{4})-(?P<m4>0[1-9]|1[0-2])-(?P<d4>0[1-9]|[12]\d|3[01])(?![\w/-])"
)
MONTH_OF_YEAR = Unit(
    name="month of the year", parts=(("calendar", 1),), readings=(Reading(dimension="date", size=1.0),)
)
"""The unit of a month in a date: August has the value 8."""
_EXACT, _CONVERTED = 1e-9, 1e-6
"""The largest relative difference of two equal values: in one unit, and across two units."""
_FEWEST_FIGURES = 10.0
"""A rounded value needs two digits to agree: it must be at least this many times the step of its last digit."""


_NOT, _PLAIN = "(?:not|no)", "(?<!not )(?<!no )"
Limit = Literal["", "least", "most", "about", "exactly"]
_LIMITS: Mapping[Limit, re.Pattern[str]] = {
    limit: re.compile(rf"\b(?:{before}) $|{mark}", re.IGNORECASE)
    for limit, before, mark in (
        ("least", f"at least|{_NOT} (?:less|fewer) than|{_PLAIN}more than|over|above|minimum(?: of)?", "[>≥] ?$"),
        ("most", f"at most|up to|{_NOT} more than|{_PLAIN}(?:less|fewer) than|under|below|maximum(?: of)?", "[<≤] ?$"),
        ("about", "about|around|nearly|almost|roughly|approximately", "[≈~] ?$"),
        ("exactly", "exactly|precisely", "(?!)"),
    )
}  # fmt: skip
"""How the words before a number bound it."""
_LIMIT_BEHIND = re.compile(r"(?: \w+)? or (?:(?P<more>more|above)|less|fewer|below)\b", re.IGNORECASE)
_OPPOSED = ({"least", "most"}, {"exactly", "about"}, {"exactly", "least"}, {"exactly", "most"})
_AND = ("", " ", ", ", " and ", ", and ")
"""The words between the parts of a quantity of two units: "5 rupees and 50 paise"."""
_CLOCK = re.compile(
    rf"\b(?P<part>half|quarter) (?P<side>past|to) (?P<hour>\d{{1,2}}|{'|'.join(list(CARDINALS)[1:13])})\b"
    r"|(?<![\d.:])(?P<h>\d{1,2})(?:[.:](?P<m>[0-5]\d))?"
    r"(?=\s?(?:[ap]\.?m\b|o['’]clock|in the (?:morning|afternoon|evening)))"
    r"|(?<=\bat )(?P<h2>\d{1,2}):(?P<m2>[0-5]\d)\b",
    re.IGNORECASE,
)
CLOCK = Unit(name="o'clock", parts=(("clock", 1),), readings=(Reading(dimension="clock", size=1.0),))
"""The unit of a time of day, in hours: half past ten is 10.5."""


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A number of a text with its unit, at text[start:end]. numeral: (start, end) of the number alone.

    text: the numeral in lower case, with its sign. step: the value of one unit of its last digit (0.1 for "9.8"); 0 for
    an exact value. limit: how the words around it bound it. may_be: True for "one", which is often a pronoun: evidence
    may mean it, but a claim is not checked for it.
    """

    text: str
    value: float
    start: int
    end: int
    numeral: tuple[int, int]
    unit: Unit | None = None
    step: float = 0.0
    limit: Limit = ""
    may_be: bool = False

    @property
    def readings(self) -> tuple[Reading, ...]:
        return self.unit.readings if self.unit else (NUMBER,)


@lru_cache(maxsize=4096)  # every check on numbers and names reads the same few sentences and passages
def quantities(text: str) -> tuple[Quantity, ...]:
    """Every quantity of `text` from left to right."""
    if not text:
        return ()
    plain = without_formulas(text)
    # "15/08/1947", "1947-08-15" and "15 August 1947" have the same day, month and year.
    written = [q for m in _DATE.finditer(plain) for q in _date(m)] if _YEAR.search(plain) else []
    written += [_time_of_day(m) for m in _CLOCK.finditer(plain)]
    for one in written:
        plain = plain[: one.start] + "x" * (one.end - one.start) + plain[one.end :]
    each: list[Quantity] = []
    for numeral in numerals(plain):
        if not each or numeral.start >= each[-1].end:
            each.append(_quantity(plain, numeral))
    others = (_bounded(q, plain) for q in _compound(_in_ranges(each, plain), plain))
    return tuple(sorted((*written, *others), key=lambda q: q.start))


def numbers(text: str) -> dict[str, float]:
    """{numeral in lower case: value} for the certain numbers of `text`. "one" is left out: it is often a pronoun."""
    return {q.text: q.value for q in quantities(text) if not q.may_be}


def values(text: str) -> set[float]:
    """Every value that `text` may state."""
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
    if are_opposed(claim, evidence):
        return False
    pairs = product(claim.readings, evidence.readings)
    return any(c.dimension == e.dimension and _is_same_amount(claim, c, evidence, e) for c, e in pairs)


def are_opposed(claim: Quantity, evidence: Quantity) -> bool:
    """True for two opposite bounds, as "at least 8" and "up to 8", and for an exact value beside a bounded one."""
    return {claim.limit, evidence.limit} in _OPPOSED


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


def _quantity(text: str, numeral: Numeral) -> Quantity:
    """The quantity of one numeral with its unit and its sign."""
    start, end = numeral.start, numeral.end
    numeral_text, value, unit = text[start:end].lower(), numeral.value, None
    front = _IN_FRONT.search(text, max(0, start - 6), start)
    if not numeral.is_ordinal:
        part = not numeral.step and not value.is_integer()
        above = _MONEY.get(front.group().strip(), "rupee") if front else ""
        unit, end = unit_at(text, end, above=above, is_part=part)
    below = _BELOW_ZERO.match(text, numeral.end) if " below " in text else None
    minus = _minus(text, start)
    if minus or below:
        numeral_text, value = f"-{numeral_text}", -value
        end, start = max(end, below.end() if below else end), min(start, minus.start()) if minus else start
    return Quantity(
        text=numeral_text, value=value, unit=unit, step=numeral.step, start=front.start() if front else start, end=end,
        numeral=(numeral.start, numeral.end), may_be=numeral_text == "one",
    )  # fmt: skip


def _minus(text: str, start: int) -> re.Match[str] | None:
    """The minus sign of the number at `start`; None without one, and for a dash that subtracts or separates."""
    dash = _MINUS.search(text, max(0, start - _LEAD), start)
    return dash if dash and not _SUBTRAHEND.search(text, max(0, dash.start() - _LEAD), dash.start()) else None


def _in_ranges(range_ends: list[Quantity], text: str) -> list[Quantity]:
    """`range_ends` after both ends of each range get the unit that one of them states: "10–15 cm", "Rs 20 to 30"."""
    for n in range(len(range_ends) - 2, -1, -1):
        first, last = range_ends[n], range_ends[n + 1]
        between = text[first.end : last.numeral[0]]
        spans = between == " and " and last_word(text[max(0, first.start - 9) : first.start].rstrip()) == "between"
        if len(between) > 12 or not (spans or _RANGE.fullmatch(between)):
            continue
        if first.unit is None and last.unit:
            range_ends[n] = replace(first, unit=last.unit)
        elif last.unit is None and first.unit and first.unit.names & _CURRENCIES:
            range_ends[n + 1] = replace(last, unit=first.unit)
    return range_ends


def _compound(parts: list[Quantity], text: str) -> list[Quantity]:
    """`parts` with each quantity of two units as one value: "1 hour 30 minutes" is 1.5 hours."""
    joined = parts[:1]
    for small in parts[1:]:
        large = joined[-1]
        if large.unit and small.unit and large.value.is_integer() and not large.may_be and large.value > 0:
            one, other = large.readings[0], small.readings[0]
            fits = one.dimension == other.dimension and not one.zero and 0 < small.value * other.size < one.size
            if fits and text[large.end : small.start] in _AND:
                value, numeral = large.value + small.value * other.size / one.size, (large.numeral[0], small.numeral[1])
                joined[-1] = replace(large, text=f"{value:g}", value=value, end=small.end, numeral=numeral)
                continue
        joined.append(small)
    return joined


def _bounded(quantity: Quantity, text: str) -> Quantity:
    """`quantity` with its limit."""
    before = text[max(0, quantity.start - _LEAD) : quantity.start]
    limit: Limit = next((name for name, pattern in _LIMITS.items() if pattern.search(before)), "")
    if behind := _LIMIT_BEHIND.match(text, quantity.end):
        limit = "least" if behind["more"] else "most"
    if last_word(before.rstrip()) == "between":
        limit = "least"
    return replace(quantity, limit=limit) if limit else quantity


def _time_of_day(match: re.Match[str]) -> Quantity:
    hour = match["hour"] or match["h"] or match["h2"]
    value = float(hour) if hour.isdigit() else CARDINALS[hour.lower()]
    value += int(match["m"] or match["m2"] or 0) / 60
    if match["part"]:
        part = 0.5 if match["part"].lower() == "half" else 0.25
        value += part if match["side"].lower() == "past" else -part
    return Quantity(
        text=match.group().lower(), value=value, unit=CLOCK, start=match.start(), end=match.end(), numeral=match.span()
    )


def _date(match: re.Match[str]) -> Iterator[Quantity]:
    for name in (k for k, digits in match.groupdict().items() if digits):
        digits, (start, end) = match[name].lower(), match.span(name)
        is_month = name[0] == "m"
        value = float(digits) if digits.isdigit() else _MONTHS[digits[:3]]
        yield Quantity(
            text=digits, value=value, unit=MONTH_OF_YEAR if is_month else None, start=start, end=end, step=1.0,
            numeral=(start, end),
        )  # fmt: skip
