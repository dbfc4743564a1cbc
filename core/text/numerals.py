"""Numerals as a text writes them: figures with groups and powers of ten, fractions, and words. Each has one value."""

import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from core.text.units import unit_at

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
_ORDINALS = (
    "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth "
    "seventeenth eighteenth nineteenth twentieth"
).split()
_TENS = {w: 10 * n for n, w in enumerate("thirty forty fifty sixty seventy eighty ninety".split(), 3)}
_SCALES = {
    "hundred": 1e2, "thousand": 1e3, "lakh": 1e5, "lac": 1e5, "million": 1e6, "crore": 1e7, "billion": 1e9,
    "trillion": 1e12, "dozen": 12.0,
}  # fmt: skip
_TIMES = {"twice": 2.0, "double": 2.0, "thrice": 3.0}
_PLACES = {w: float(n) for n, w in enumerate(_ORDINALS, 3)}
CARDINALS = {w: float(n) for n, w in enumerate(_SMALL)} | _TENS
"""What number words that stand alone or in a sum are worth; hundreds and more multiply."""
_PARTS = {
    "half": 2, "halve": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "hundredth": 100, "thousandth": 1000,
}  # fmt: skip

_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻−–", "0123456789+---")
_VULGAR = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"
_THIN = "\u00a0\u2009\u202f\u2007"
"""Spaces that part the groups of a figure and never part two figures; a plain space may do either."""
_INTEGER = (
    rf"\d{{1,3}}(?:,\d{{2,3}}){{0,6}},\d{{3}}(?!\d)|\d{{1,3}}(?:[{_THIN}]\d{{3}})+(?!\d)"
    r"|(?<!\d )(?<!\d, )[1-9]\d{0,2}(?: \d{3})+(?![\d/]|,? [\d/]|,\d)|\d+"
)
"""Commas group a figure where three digits end it; elsewhere they part a list."""
_RAISING = r"[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}|\s?(?:\^|\*\*)\s?[({]?[-−–+]?\d{1,3}[)}]?"
_COUNTS = "|".join(_SMALL[1:])
_WORD = "|".join(sorted((*CARDINALS, *_SCALES), key=len, reverse=True))
_SCALE = "|".join(_SCALES)
_NUMERAL = re.compile(
    rf"(?<![\w./⁄])(?:(?P<whole>\d+|{_COUNTS})(?:\s(?=\d)|\sand\s))?(?P<top>\d+|an?|{'|'.join(_SMALL[1:10])})"
    rf"(?:[/⁄](?P<below>0*[1-9]\d*)(?![\w/⁄])|[- ](?P<part>{'|'.join(_PARTS)})s?\b)"
    rf"|(?:(?<![A-Za-z\d.])|(?<=\bRs)|(?<=\bRs\.)|(?<=INR))(?P<figures>(?:{_INTEGER})(?:\.\d+)?|\.\d+)"
    rf"(?:\s?[×xX*·⋅]\s?10(?P<tens>{_RAISING})|(?P<power>{_RAISING})|[eE](?P<e>[-−–+]?\d{{1,3}})(?![\w.])"
    rf"|(?P<comma>,\d{{1,2}})(?![\d,])|\s?(?P<mixed>[{_VULGAR}]))?"
    rf"|(?P<vulgar>[{_VULGAR}])"
    rf"|\b(?P<words>(?:{_WORD})(?:(?:(?:[ -]|\s+and\s+)(?:{_WORD}))+s?)?)\b"
    rf"|\b(?P<half>half)\b|\b(?P<times>{'|'.join(_TIMES)})\b|\b(?P<place>{'|'.join(_PLACES)})\b",
    re.IGNORECASE,
)
_START = re.compile(rf"(?:(?<![A-Za-z])\.)?\d+|[{_VULGAR}]|[A-Za-z]+")
_OPENING = frozenset({*CARDINALS, *_SCALES, *_TIMES, *_PLACES, "a", "an", "half"})
"""Words that may begin a numeral; no other need be looked at, which halves the time."""
_SCALED = re.compile(rf"(?:[\s-]|\s+an?\s+)(?P<one>{_SCALE})s?(?:\s(?P<two>{_SCALE})s?)?\b", re.IGNORECASE)
_LABEL = re.compile(
    r"\b(?:class|table|page|chapter|fig(?:ure)?s?\.?|rows?|sections?|steps?|no\.?|questions?|exercise|unit|part)\s$",
    re.IGNORECASE,
)
"""Words whose number names a thing: "Class 7 100 pupils" holds two figures."""
_GROUPS, _PLACE = re.compile(rf"[,\s{_THIN}]"), re.compile(r"(?:st|nd|rd|th)\b")
_SAID_OF = re.compile(r"(?:\b(?:is|was|are|were|about|nearly|than|of)|\b(?:rs|inr)\.?|[=≈₹$€£])\s*$", re.IGNORECASE)
_NEAR = 14
"""Characters before a figure that say what it is a figure of."""


@dataclass(frozen=True, kw_only=True)
class Numeral:
    """One numeral between two places of a text.

    step: what its last written figure counts, as 0.1 in "9.8"; 0 where words or a fraction state the value exactly.
    is_place: it says which of a row, as "third" and "19th" do, and not how many.
    """

    start: int
    end: int
    value: float
    step: float = 0.0
    is_place: bool = False


def numerals(text: str) -> Iterator[Numeral]:
    """Every numeral of `text`, from the left. None overlaps another."""
    end = 0
    for start in _START.finditer(text):
        place, first = start.start(), start.group()
        if place < end or (first.isalpha() and first.lower() not in _OPENING):
            continue
        if found := _NUMERAL.match(text, place):
            numeral = _scaled(text, _read(text, found))
            yield numeral
            end = numeral.end


def spelled(phrase: str) -> float:
    """The value of "forty-five", "a hundred", "two dozen" or "two thousand five hundred"."""
    whole = part = 0.0
    for word in re.findall(r"[a-z]+", phrase.lower()):
        if word in ("hundred", "dozen"):
            part = (part or 1.0) * _SCALES[word]
        elif word in _SCALES:
            whole, part = whole + (part or 1.0) * _SCALES[word], 0.0
        elif word in CARDINALS:
            part += CARDINALS[word]
    return whole + part


def _read(text: str, found: re.Match[str]) -> Numeral:
    start, end = found.span()
    word = found.group().lower()
    if found["top"]:
        return _fraction(found)
    if found["figures"]:
        return _figure(text, found)
    if found["place"]:
        return Numeral(start=start, end=end, value=_PLACES[word], is_place=True)
    if found["words"]:
        return Numeral(start=start, end=end, value=spelled(word))
    value = unicodedata.numeric(word) if found["vulgar"] else _TIMES.get(word, 0.5)
    return Numeral(start=start, end=end, value=value)


def _fraction(found: re.Match[str]) -> Numeral:
    """ "2 1/2", "three quarters" or "one and a half"; of "7 5/3" only the 7, since no mixed number ends so."""
    below = float(found["below"]) if found["below"] else float(_PARTS[found["part"].lower()])
    top, whole = _count(found["top"]), _count(found["whole"] or "zero")
    if found["whole"] and top >= below:
        return Numeral(start=found.start(), end=found.end("whole"), value=whole, step=1.0)
    return Numeral(start=found.start(), end=found.end(), value=whole + top / below)


def _count(written: str) -> float:
    word = written.lower()
    return 1.0 if word in ("a", "an") else float(word) if word.isdigit() else CARDINALS[word]


def _figure(text: str, found: re.Match[str]) -> Numeral:
    start, end, figures = found.start(), found.end(), found["figures"]
    if " " in figures and _LABEL.search(text, max(0, start - _NEAR), start):
        figures, end = figures.split(" ")[0], start + figures.index(" ")
        return Numeral(start=start, end=end, value=float(figures), step=1.0)
    plain = figures if figures.isdecimal() else _GROUPS.sub("", figures)
    value, step = float(plain), 10.0 ** -len(plain.partition(".")[2])
    if found["comma"]:
        if not _is_decimal_comma(text, found):
            return Numeral(start=start, end=found.end("figures"), value=value, step=step)
        plain = f"{plain}.{found['comma'][1:]}"
        return Numeral(start=start, end=end, value=float(plain), step=10.0 ** (1 - len(found["comma"])))
    if found["mixed"]:
        return Numeral(start=start, end=end, value=value + unicodedata.numeric(found["mixed"]))
    if found["power"]:
        return _raised(found, plain)
    raised = found["tens"] or found["e"]
    exponent = _exponent(raised) if raised else 0
    place = bool(_PLACE.match(text, end))
    return Numeral(
        start=start, end=end, value=float(f"{plain}e{exponent}"), step=step * float(f"1e{exponent}"), is_place=place
    )


def _raised(found: re.Match[str], base: str) -> Numeral:
    """ "10⁸" or "5²"; a raised figure behind a longer figure, as in "1947²", is the mark of a note."""
    start, end = found.span()
    if len(base) > 2 and found["power"][0] in "⁰¹²³⁴⁵⁶⁷⁸⁹":
        return Numeral(start=start, end=end, value=float(base), step=1.0)
    return Numeral(start=start, end=end, value=_power(float(base), found["power"]))


def _power(base: float, written: str) -> float:
    """`base` to a power as it is written; infinity where no number of a book is that large."""
    exponent = _exponent(written)
    try:
        return float(f"1e{exponent}") if base == 10 else base**exponent
    except (OverflowError, ZeroDivisionError):
        return math.inf


def _exponent(written: str) -> int:
    return int(re.sub(r"[^-+\d]", "", written.translate(_RAISED)))


def _is_decimal_comma(text: str, found: re.Match[str]) -> bool:
    """True where "1,5" is one figure: a unit stands behind it, or a word says that something is so much.

    Elsewhere it is a list, such as "rows 1,5", or a point "(1,5)".
    """
    if text[found.end() : found.end() + 1] in (")", "]") or "." in found["figures"] or "," in found["figures"]:
        return False
    said = _SAID_OF.search(text, max(0, found.start() - _NEAR), found.start())
    follows = re.match(r"\s*(?:and|or|to)\b", text[found.end() : found.end() + 5])
    return bool(unit_at(text, found.end())[0]) or bool(said and not follows)


def _scaled(text: str, numeral: Numeral) -> Numeral:
    """`numeral` with the "lakh", "million" or "dozen" that multiplies it."""
    scale = None if numeral.is_place else _SCALED.match(text, numeral.end)
    if not scale:
        return numeral
    size = _SCALES[scale["one"].lower()] * _SCALES.get((scale["two"] or "").lower(), 1.0)
    return Numeral(start=numeral.start, end=scale.end(), value=numeral.value * size, step=numeral.step * size)
