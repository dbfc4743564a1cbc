"""The numerals of a text and their values: digits with groups and powers of ten, fractions, and number words."""

import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from core.text.lexicon import table
from core.text.units import RAISED, unit_at

_NUMBERS = table("numbers")
_SMALL: list[str] = _NUMBERS["to twenty"]
_SCALES: dict[str, float] = _NUMBERS["scales"]
_TIMES: dict[str, float] = _NUMBERS["times"]
_PARTS: dict[str, int] = _NUMBERS["parts"]
_ORDINAL_VALUES = {w: float(n) for n, w in enumerate(_NUMBERS["ordinals from third"], 3)}
CARDINALS = {w: float(n) for n, w in enumerate(_SMALL)} | _NUMBERS["tens"]
"""{number word: value} of the words that stand alone or in a sum; hundreds and larger words multiply."""

_VULGAR = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"
_THIN = "\u00a0\u2009\u202f\u2007"
"""Spaces that separate the digit groups of one number, never two numbers; a plain space may do either."""
_INTEGER = (
    rf"\d{{1,3}}(?:,\d{{2,3}}){{0,6}},\d{{3}}(?!\d)|\d{{1,3}}(?:[{_THIN}]\d{{3}})+(?!\d)"
    r"|(?<!\d )(?<!\d, )[1-9]\d{0,2}(?: \d{3})+(?![\d/]|,? [\d/]|,\d)|\d+"
)
"""Commas group the digits of a number if its last group has three digits; otherwise they separate a list."""
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
    rf"|\b(?P<half>half)\b|\b(?P<times>{'|'.join(_TIMES)})\b|\b(?P<place>{'|'.join(_ORDINAL_VALUES)})\b",
    re.IGNORECASE,
)
_START = re.compile(rf"(?:(?<![A-Za-z])\.)?\d+|[{_VULGAR}]|[A-Za-z]+")
_OPENING = frozenset({*CARDINALS, *_SCALES, *_TIMES, *_ORDINAL_VALUES, "a", "an", "half"})
"""Words that may begin a numeral; skipping all others halves the time."""
_SCALE_WORDS = re.compile(rf"(?:[\s-]|\s+an?\s+)(?P<one>{_SCALE})s?(?:\s(?P<two>{_SCALE})s?)?\b", re.IGNORECASE)
_LABEL = re.compile(
    r"\b(?:class|table|page|chapter|fig(?:ure)?s?\.?|rows?|sections?|steps?|no\.?|questions?|exercise|unit|part)\s$",
    re.IGNORECASE,
)
"""Words whose number names a thing: "Class 7 100 pupils" holds two numbers."""
_GROUPS, _ORDINAL_SUFFIX = str.maketrans("", "", f", {_THIN}"), re.compile(r"(?:st|nd|rd|th)\b")
_AMOUNT_INTRODUCTION = re.compile(
    r"(?:\b(?:is|was|are|were|about|nearly|than|of)|\b(?:rs|inr)\.?|[=≈₹$€£])\s*$", re.IGNORECASE
)
_NEAR = 14
"""The number of characters before a number in which a label or a verb may appear."""


@dataclass(frozen=True, kw_only=True)
class Numeral:
    """One numeral at text[start:end].

    step: the value of one unit of its last digit, 0.1 for "9.8"; 0 for words and fractions, which are exact.
    is_ordinal: True for "third" and "19th".
    """

    start: int
    end: int
    value: float
    step: float = 0.0
    is_ordinal: bool = False


def numerals(text: str) -> Iterator[Numeral]:
    """Every numeral of `text` from left to right, without overlaps."""
    end = 0
    for start in _START.finditer(text):
        position, first = start.start(), start.group()
        if position < end or (first.isalpha() and first.lower() not in _OPENING):
            continue
        if match := _NUMERAL.match(text, position):
            numeral = _apply_scale(text, _read_numeral(text, match))
            yield numeral
            end = numeral.end


def value_of_words(phrase: str) -> float:
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


def _read_numeral(text: str, match: re.Match[str]) -> Numeral:
    start, end = match.span()
    word = match.group().lower()
    if match["top"]:
        # "2 1/2", "three quarters" or "one and a half"; only the 7 of "7 5/3", which is no mixed number.
        below = float(match["below"]) if match["below"] else float(_PARTS[match["part"].lower()])
        top, whole = _count(match["top"]), _count(match["whole"] or "zero")
        if match["whole"] and top >= below:
            return Numeral(start=match.start(), end=match.end("whole"), value=whole, step=1.0)
        if match["part"] and top == below:  # "two halves" are a count
            return Numeral(start=match.start(), end=match.end("top"), value=top)
        return Numeral(start=match.start(), end=match.end(), value=whole + top / below)
    if match["figures"]:
        return _figure(text, match)
    if match["place"]:
        return Numeral(start=start, end=end, value=_ORDINAL_VALUES[word], is_ordinal=True)
    if match["words"]:
        return Numeral(start=start, end=end, value=value_of_words(word))
    value = unicodedata.numeric(word) if match["vulgar"] else _TIMES.get(word, 0.5)
    return Numeral(start=start, end=end, value=value)


def _count(word: str) -> float:
    word = word.lower()
    return 1.0 if word in ("a", "an") else float(word) if word.isdigit() else CARDINALS[word]


def _figure(text: str, match: re.Match[str]) -> Numeral:
    start, end, figures = match.start(), match.end(), match["figures"]
    if " " in figures and _LABEL.search(text, max(0, start - _NEAR), start):
        figures, end = figures.split(" ")[0], start + figures.index(" ")
        return Numeral(start=start, end=end, value=float(figures), step=1.0)
    plain = figures if figures.isdecimal() else figures.translate(_GROUPS)
    value, step = float(plain), 10.0 ** -len(plain.partition(".")[2])
    if match["comma"]:
        if not _is_decimal_comma(text, match):
            return Numeral(start=start, end=match.end("figures"), value=value, step=step)
        plain = f"{plain}.{match['comma'][1:]}"
        return Numeral(start=start, end=end, value=float(plain), step=10.0 ** (1 - len(match["comma"])))
    if match["mixed"]:
        return Numeral(start=start, end=end, value=value + unicodedata.numeric(match["mixed"]))
    if match["power"]:
        return _power_numeral(match, plain)
    power = match["tens"] or match["e"]
    exponent = _exponent(power) if power else 0
    is_ordinal = bool(_ORDINAL_SUFFIX.match(text, end))
    value, step = float(f"{plain}e{exponent}"), step * float(f"1e{exponent}")
    return Numeral(start=start, end=end, value=value, step=step, is_ordinal=is_ordinal)


def _power_numeral(match: re.Match[str], base: str) -> Numeral:
    """The numeral of a power, such as "10⁸" or "5²". A superscript after three digits or more, as in "1947²", is a
    footnote mark; the numeral is then the number before it.
    """
    start, end = match.span()
    if len(base) > 2 and match["power"][0] in "⁰¹²³⁴⁵⁶⁷⁸⁹":
        return Numeral(start=start, end=end, value=float(base), step=1.0)
    exponent = _exponent(match["power"])
    try:
        value = float(f"1e{exponent}") if float(base) == 10 else float(base) ** exponent
    except (OverflowError, ZeroDivisionError):
        value = math.inf
    return Numeral(start=start, end=end, value=value)


def _exponent(text: str) -> int:
    return int(re.sub(r"[^-+\d]", "", text.translate(RAISED)))


def _is_decimal_comma(text: str, match: re.Match[str]) -> bool:
    """True if "1,5" is a number: before a unit or behind "is" or "about". "Rows 1,5" is a list, and "(1,5)" a point."""
    if text[match.end() : match.end() + 1] in (")", "]") or "." in match["figures"] or "," in match["figures"]:
        return False
    verb = _AMOUNT_INTRODUCTION.search(text, max(0, match.start() - _NEAR), match.start())
    follows = re.match(r"\s*(?:and|or|to)\b", text[match.end() : match.end() + 5])
    return bool(unit_at(text, match.end())[0]) or bool(verb and not follows)


def _apply_scale(text: str, numeral: Numeral) -> Numeral:
    """`numeral` with the "lakh", "million" or "dozen" that multiplies it."""
    scale = None if numeral.is_ordinal else _SCALE_WORDS.match(text, numeral.end)
    if not scale:
        return numeral
    size = _SCALES[scale["one"].lower()] * _SCALES.get((scale["two"] or "").lower(), 1.0)
    return Numeral(start=numeral.start, end=scale.end(), value=numeral.value * size, step=numeral.step * size)
