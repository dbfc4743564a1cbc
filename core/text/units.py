"""Units: their spellings, dimensions and factors."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from core.text.lexicon import table, word_set

Parts = tuple[tuple[str, int], ...]
"""Units by name with their powers: a metre per second is (("metre", 1), ("second", -1))."""

_TABLES = table("units")
"""The keys of data/units.json:

- with prefixes: name -> words, symbols, and the prefixes that books put before the symbols. Before the words any prefix
  may stand.
- without: name -> words and symbols. rates: symbol -> units. prefixes: word -> symbols.
- any case: symbols that books also write in another case, where they are still unambiguous.
- people: words that are ignored, so that "382 persons per sq km" and "382 per sq km" agree.
- definitions: for pint, of units that it does not know, and of angles and decibels, which it treats as dimensionless.
- in pint: name -> its name there."""


def _spellings() -> tuple[dict[str, Parts], dict[str, Parts]]:
    """Two maps from a spelling to its base units with their powers: by words in lower case, and by symbols."""
    words: dict[str, Parts] = {}
    symbols: dict[str, Parts] = {"cc": (("centimetre", 3),)}
    for name, columns in _TABLES["with prefixes"].items():
        spellings, signs, prefixes = (column.split() for column in columns)
        for prefix, letters in {"": "", **_TABLES["prefixes"]}.items():
            words |= {f"{prefix}{w}{s}": ((prefix + name, 1),) for w in spellings for s in ("", "s")}
            usable_prefixes = [p for p in prefixes if p in letters] if prefix else [""]
            symbols |= {p + sign: ((prefix + name, 1),) for p in usable_prefixes for sign in signs}
    for name, spellings in _TABLES["without"].items():
        for spelling in spellings.split():
            exact = spelling.isalpha() and (len(spelling) < 3 or not spelling.islower())
            (symbols if exact else words)[spelling] = ((name, 1),)
    for spelling, rate in _TABLES["rates"].items():
        above, below = rate.split("/")
        words[spelling] = (*(((above, 1),) if above else ()), (below, -1))
    words |= {sign.lower(): parts for sign, parts in symbols.items() if sign.lower() in _TABLES["any case"].split()}
    celsius = words["celsius"]
    return words | {"rs": words["rupee"], "oc": celsius, "ºc": celsius, "km/hr": words["kmph"]}, symbols


WORDS, SYMBOLS = _spellings()
"""Word in lower case -> parts of its unit, and symbol with its capitals -> parts of its unit."""

_ELEMENTS = ("atom", "ion", "electron", "proton", "bond", "nucle", "molecule", "+", "→")
"""After a capital letter these words make it an element and the number a count: "2 H atoms"."""
_OPTICS = frozenset("lens lenses power spectacle spectacles glasses eye eyes".split())
_PAIRS = frozenset({("N", "m"), ("kW", "h"), ("W", "h"), ("J", "s"), ("Pa", "s"), ("A", "h"), ("N", "s"), ("V", "A")})
"""Symbols that are one unit with only a space between them; others need a power, as "m s⁻¹" has."""
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻−–", "0123456789+---")
"""Superscripts and signs as plain characters."""
_PLURALS = (
    r"per\s?cent|mm\s?(?:of\s)?(?:Hg|mercury)|light[- ]years?|base[- ]pairs?|units?\sof\selectric(?:ity|al\senergy)"
    r"|deg(?:rees?)?\s(?:celsius|centigrade|fahrenheit|[CF]\b)|[°º˚]\s?[CF]\b|[o0]\s?C\b|astronomical\sunits?"
    r"|atomic\smass\sunits?|nautical\smiles?|(?:kilo|mega)?watt[- ]hours?|(?:kilo|mega|giga)?electron[- ]volts?|km/hr\b"
)
_TERM = re.compile(
    rf"(?P<before>(?:square|sq|cubic|cu)\b\.?\s?)?(?P<token>(?i:{_PLURALS})|[A-Za-zµμ\u03a9\u2126\u00c5\u212b]+|[%₹℃℉°$€£])"
    r"(?P<power>[⁺⁻]?[¹²³⁴]|\s?\^\s?[({]?[-−–]?\d[)}]?|\s?[-−–][1-4](?![\d.,]*\d|\s?(?P=token)\b)|[23](?![\d.,]*\d)"
    r"|\s(?:squared?|cubed?)\b(?!\s\w*met))?(?:(?<=[%₹°$€£])|(?![A-Za-zµ\d₀-₉]))"
)
_JOIN = re.compile(
    r"\s?(?P<over>[/÷])\s?\(?|\s+(?P<per>per)\s+|\s(?P<each>an?|each|every)\s(?=hour|second|minute)"
    r"|\s?(?P<times>[·⋅*]|\.(?=[A-Za-z]))\s?|(?P<space>[ \u00a0])(?=[A-Za-zµμ\u03a9\u2126°\u00c5])|-(?=[a-z]{2})"
)
_BEFORE = re.compile(r"[ \u00a0\u2009\u202f\n]{0,2}(?:-(?=[A-Za-z])|-\s(?=[a-z]{3}))?")
_PART_OF = re.compile(r"\s(?:of\s)?(?:an?|the)\s|\s(?:of\s)", re.IGNORECASE)
"""The words between a fraction and its unit: "half an hour"."""
_YEARS = re.compile(r"(?:\b\d{3}0|\b(?:the|early|late|mid|his|her|their)[\s-]\d0)$", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A meaning of a unit: its dimension in pint's words, and in base units its size and its zero (Celsius: 273.15)."""

    dimension: str
    size: float
    zero: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Unit:
    """A unit: its name, such as "kilometre/hour", its parts, and its possible meanings (more than one if ambiguous)."""

    name: str
    parts: Parts
    readings: tuple[Reading, ...]

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name for name, _ in self.parts)


@lru_cache(maxsize=1024)
def unit_of(parts: Parts) -> Unit:
    """The unit that is made of `parts`."""
    above = "·".join(_with_power(n, p) for n, p in parts if p > 0)
    below = "/".join(_with_power(n, -p) for n, p in parts if p < 0)
    alone = len(parts) == 1 and parts[0][1] == 1
    names = _AMBIGUOUS.get(parts[0][0], (parts[0][0],)) if alone else ()
    readings = tuple(_reading(((n, 1),)) for n in names) or (_reading(parts),)
    return Unit(name=f"{above}/{below}" if below else above, parts=parts, readings=readings)


def unit_at(text: str, number_end: int, *, above: str = "", is_part: bool = False) -> tuple[Unit | None, int]:
    """(unit, end) of the unit in `text` after a number that ends at `number_end`; (None, number_end) without a unit.

    above: the unit before the number, such as "Rs"; only its "per" part is then read after the number. is_part: True if
    the number is a fraction, so that "of a" may precede the unit.
    """
    if above:
        parts, end = _more(text, number_end, [(above, 1)], "")
    else:
        start = (is_part and _PART_OF.match(text, number_end)) or _BEFORE.match(text, number_end)
        parts, end = _first(text, start.end(), number_end)
    return (unit_of(parts), end) if parts else (None, number_end)


def unit_names(words: Iterable[str]) -> set[str]:
    """The names of the units among `words` that have at least three letters; shorter words may mean something else."""
    return {name for w in words if len(w) > 2 and w in WORDS for name, _ in WORDS[w]}


_AMBIGUOUS = {"degree": ("degree", "celsius"), "coulomb": ("coulomb", "celsius")}
"""Units whose sign is also written for another one: "25 C" may be a charge or a temperature."""


def _with_power(name: str, power: int) -> str:
    return name + ("" if power == 1 else "²³⁴"[power - 2] if power <= 4 else f"^{power}")


def _first(text: str, start: int, number_end: int) -> tuple[Parts, int]:
    """(parts, end) of the unit that begins at `start`, after a number that ends at `number_end`."""
    first = _TERM.match(text, start)
    token = first["token"] if first else text[start : start + 1]
    if token in ("per", "/"):
        return _more(text, number_end, [], "")
    if token.lower() in _TABLES["people"].split():
        return _more(text, first.end(), [], "")
    result = _parts_of(first, is_first=True)
    if not result or _is_no_unit(text, first, number_end):
        return (), number_end
    return _more(text, result[1], list(result[0]), token)


def _more(text: str, end: int, parts: list[tuple[str, int]], token: str) -> tuple[Parts, int]:
    """(parts, end): `parts` with the further parts of the unit at `end` of `text`."""
    sign, start = 1, end
    count, count_end = len(parts), end
    while join := _JOIN.match(text, end):
        term = _TERM.match(text, join.end())
        result = _parts_of(term, is_first=False)
        if not result or (join["space"] and not {token, term["token"]} <= SYMBOLS.keys()):
            break
        sign = -1 if join["over"] or join["per"] or join["each"] else sign
        parts += [(name, sign * power) for name, power in result[0]]
        end = result[1]
        if not join["space"] or term["power"] or (token, term["token"]) in _PAIRS or sign < 0:
            count, count_end = len(parts), end
        token = term["token"]
    closes = text[count_end : count_end + 1] == ")" and "(" in text[start:count_end]
    powers: dict[str, int] = {}
    for name, power in parts[:count]:  # "metre per second per second" has the second to the power -2
        powers[name] = powers.get(name, 0) + power
    in_order = sorted(((n, p) for n, p in powers.items() if p), key=lambda one: (one[1] < 0, one[0]))
    return tuple(in_order), count_end + closes


def _parts_of(term: re.Match[str] | None, *, is_first: bool) -> tuple[Parts, int] | None:
    """(parts, end) of one term, raised to its power; None for a word that is no unit."""
    if not term:
        return None
    token = term["token"]
    parts = SYMBOLS.get(token) or WORDS.get(
        (token if token.isalpha() else "".join(token.replace("-", " ").split())).lower()
    )
    if not parts:
        return None
    power, end = _power(term, is_first=is_first)
    return tuple((name, power * p) for name, p in parts), end


def _power(term: re.Match[str], *, is_first: bool) -> tuple[int, int]:
    """(power, end) of a term. A dash and a digit are a power only after a symbol."""
    before, suffix = (term["before"] or "").lower(), term["power"] or ""
    if not before and not suffix:
        return 1, term.end("token")
    if before:
        return (2 if before.startswith("s") else 3), term.end("token")
    if suffix.strip()[:2] in ("sq", "cu"):
        return (2 if "sq" in suffix else 3), term.end()
    dash = suffix.lstrip()[:1] in ("-", "−", "–") and "⁻" not in suffix
    plain = suffix[:1].isascii() and suffix[:1].isdigit()
    if ((dash or plain) and term["token"] not in SYMBOLS) or (dash and is_first and suffix[0] == " "):
        return 1, term.end("token")
    return int(re.sub(r"[^-+\d]", "", suffix.translate(RAISED))), term.end()


def _is_no_unit(text: str, term: re.Match[str], number_end: int) -> bool:
    """True if a letter after a number is no unit: the "s" of a decade, an article after a year, an element."""
    token, is_attached = term["token"], term.start() == number_end
    if len(token) > 2:
        return False
    before = text[max(0, number_end - 12) : number_end]
    if token == "s" and is_attached:
        return bool(_YEARS.search(before))
    if token == "A" and re.search(r"(?<![\d,.])(?:1\d|20)\d\d$", before):
        return True
    if token == "D":
        return is_attached or not any(word in _OPTICS or word.startswith("diopt") for word in word_set(text))
    if token == "pm":
        return not re.search(r"(?:[6-9]\d|\d{3})$", before)
    return len(token) == 1 and token.isupper() and text[term.end() : term.end() + 12].lstrip().startswith(_ELEMENTS)


_FROM_ZERO = ("celsius", "fahrenheit")


@lru_cache(maxsize=1)
def _registry() -> Any:
    """pint's units with ours on top. It takes most of a second to load, so only the first unit that is read pays."""
    import pint

    registry = pint.UnitRegistry()
    for definition in _TABLES["definitions"]:
        registry.define(definition)
    return registry


def _reading(parts: Parts) -> Reading:
    registry = _registry()
    if len(parts) == 1 and parts[0] in ((n, 1) for n in _FROM_ZERO):
        zero, one = (registry.Quantity(n, parts[0][0]).to("kelvin").magnitude for n in (0.0, 1.0))
        return Reading(dimension="[temperature]^1", size=one - zero, zero=zero)
    terms = (f"({_TABLES['in pint'].get(n, 'kelvin' if n == 'celsius' else n)}) ** {p}" for n, p in parts)
    one = registry.Quantity(1.0, "dimensionless") * registry.parse_expression(" * ".join(terms))
    base = one.to_base_units()
    dimension = " ".join(f"{n}^{p:g}" for n, p in sorted(base.dimensionality.items()))
    return Reading(dimension=dimension, size=float(base.magnitude))


NUMBER = Reading(dimension="", size=1.0)
"""What a number without a unit means."""
