"""Numbers and units as a text states them, in figures or in words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
_ORDINALS = (
    "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth "
    "seventeenth eighteenth nineteenth twentieth"
).split()
_TENS = {w: 10 * n for n, w in enumerate("thirty forty fifty sixty seventy eighty ninety".split(), 3)}
_SCALES = {"hundred": 1e2, "thousand": 1e3, "lakh": 1e5, "million": 1e6, "crore": 1e7, "billion": 1e9}
_LONE = {w: float(n) for n, w in enumerate(_ORDINALS, 3)} | {"half": 0.5, "twice": 2.0, "double": 2.0, "thrice": 3.0}
CARDINALS = {w: float(n) for n, w in enumerate(_SMALL)} | _TENS
"""What number words that stand alone or in a sum are worth; hundreds and more multiply."""
_PARTS = {
    "half": 2, "halves": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "hundredth": 100, "thousandth": 1000,
}  # fmt: skip

_FIGURES = r"(?:(?:\d{1,3}(?:,\d{2,3})*,\d{3}(?!\d)|\d+)(?:\.\d+)?|\.\d+)"
"""Commas group a figure where three digits end it; elsewhere they part a list."""
_SCALE = "|".join(_SCALES)
_WORD = "|".join(sorted((*CARDINALS, *_SCALES), key=len, reverse=True))
_STATED = re.compile(
    rf"(?<![\w./])(?P<top>\d+|a|{'|'.join(_SMALL[1:10])})"
    rf"(?:/(?P<below>0*[1-9]\d*)(?![\w/])|[- ](?P<part>{'|'.join(_PARTS)})s?\b)"
    rf"|(?<![A-Za-z\d.])(?P<figures>{_FIGURES})(?:\s+(?P<scale>{_SCALE})\b)?"
    rf"|\b(?P<words>(?:{_WORD})(?:(?:[ -]|\s+and\s+)(?:{_WORD}))*)\b"
    rf"|\b(?P<lone>{'|'.join(_LONE)})\b",
    re.IGNORECASE,
)
_MINUS = re.compile(r"(?:^|(?<=[\s(\[{=<>≤≥,;:+×*/|]))[-−–]$|\b(?:minus|negative)\s$", re.IGNORECASE)
_TAKEN_FROM = re.compile(r"(?:[\d)\]]|\b[A-Z]\w+\.?)\s*$")
"""Before a dash that may also take away ("8 -3"), or only part a name from its number ("Unit -3")."""
_BELOW_ZERO = re.compile(r"[\s°]*\w{0,10}(?:\s\w{1,10})?\s+below\s+(?:zero|0)\b", re.IGNORECASE)
_LEAD = 24
"""Characters before a number that say whether it is negative."""
_NAMES = """
metre metres meter meters m; centimetre centimetres centimeter centimeters cm; millimetre millimetres mm;
kilometre kilometres kilometer kilometers km; micrometre micrometres µm μm; nanometre nanometres nm; second seconds s;
minute minutes min; hour hours h; day days; week weeks; month months; year years; milligram milligrams mg;
gram grams g; kilogram kilograms kg; tonne tonnes; litre litres liter liters l; millilitre millilitres ml; hertz hz;
kilohertz khz; megahertz mhz; newton newtons n; joule joules j; kilojoule kilojoules kj; calorie calories cal;
kilocalorie kilocalories kcal; watt watts w; kilowatt kilowatts kw; megawatt megawatts; volt volts v; millivolt mv;
kilovolt kv; ampere amperes a; milliampere milliamperes ma; ohm ohms Ω; pascal pascals pa; kilopascal kpa; kelvin k;
celsius °c centigrade degreecelsius degreescelsius degreecentigrade degreescentigrade; percent %; degree degrees °;
rupee rupees rs ₹; decibel decibels db; mole moles mol
"""
_UNITS = {alias.lower(): names.split()[0] for names in _NAMES.split(";") for alias in names.split()}
_SIZES = {
    "metre": {
        "nanometre": 1e-9, "micrometre": 1e-6, "millimetre": 1e-3, "centimetre": 1e-2, "metre": 1, "kilometre": 1e3,
    },
    "second": {
        "second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800, "month": 2_592_000, "year": 31_536_000,
    },
    "gram": {"milligram": 1e-3, "gram": 1, "kilogram": 1e3, "tonne": 1e6},
    "litre": {"millilitre": 1e-3, "litre": 1},
    "hertz": {"hertz": 1, "kilohertz": 1e3, "megahertz": 1e6},
    "joule": {"joule": 1, "kilojoule": 1e3, "calorie": 4.184, "kilocalorie": 4184},
    "watt": {"watt": 1, "kilowatt": 1e3, "megawatt": 1e6},
    "volt": {"millivolt": 1e-3, "volt": 1, "kilovolt": 1e3},
    "ampere": {"milliampere": 1e-3, "ampere": 1},
    "pascal": {"pascal": 1, "kilopascal": 1e3},
}  # fmt: skip
"""What measures the same, and how large each unit is of the one that names the row."""
_SIZE = {unit: (base, size) for base, sizes in _SIZES.items() for unit, size in sizes.items()}
_UNIT = re.compile(
    r"\s*-?\s*(°\s?C|°|%|degrees?\s[Cc](?:elsius|entigrade)|[A-Za-zµμΩ\u2126]+)(?:\s?(?:/|per\s)\s?([A-Za-z]+))?"
)


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A number as a text states it, in lower case, its value, and the units behind it by name, the upper one first.

    unsure: a dash stands before it that may be its sign, but was not read as one.
    """

    text: str
    value: float
    units: tuple[str, ...] = ()
    unsure: bool = False

    @property
    def measure(self) -> tuple[tuple[str, ...], float]:
        """What it measures, by base units, and how much: "2 km/h" is (metre, second) and 2000/3600."""
        bases, (above, *below) = zip(*(_SIZE.get(unit, (unit, 1.0)) for unit in self.units or ("",)), strict=True)
        return bases, self.value * above / (below[0] if below else 1.0)


@lru_cache(maxsize=1024)  # every check on numbers and names reads the same few sentences and passages
def quantities(text: str) -> tuple[Quantity, ...]:
    """Every number of `text`, with its units. "one" alone is left out, since it is often a pronoun."""
    return tuple(_quantities(text))


def _quantities(text: str) -> Iterator[Quantity]:
    read = 0
    for found in _STATED.finditer(text):
        if found.group().lower() == "one" or found.start() < read:
            continue
        stated, value = found.group().lower(), _value(found)
        minus, below = _minus(text, found.start()), _BELOW_ZERO.match(text, found.end())
        if minus == "sure" or below:
            stated, value = f"-{stated}", -value
            read = below.end() if below else read
        yield Quantity(text=stated, value=value, units=_units(text, found.end()), unsure=minus == "unsure")


def numbers(text: str) -> dict[str, float]:
    """The numbers of `text` as it states them, in lower case, with their values."""
    return {q.text: q.value for q in quantities(text)}


def values(text: str) -> set[float]:
    """Every value that `text` may state: both, where a dash may be a sign or not."""
    return {value for q in quantities(text) for value in ((q.value, -q.value) if q.unsure else (q.value,))}


def without_numbers(text: str) -> str:
    """`text` with a gap where each number stood."""
    return _STATED.sub(" ", text)


def units(text: str) -> dict[str, tuple[str, ...]]:
    """The units behind the numbers of `text`: how they read, and the names of their parts."""
    return {"/".join(q.units): q.units for q in quantities(text) if q.units}


def unit_names(words: list[str]) -> set[str]:
    """The units among words that could be nothing else; single letters could."""
    return {_UNITS[w] for w in words if len(w) > 2 and w in _UNITS}


def _value(found: re.Match[str]) -> float:
    if top := found["top"]:
        count = 1.0 if top.lower() == "a" else float(top) if top.isdigit() else CARDINALS[top.lower()]
        return count / (float(found["below"]) if found["below"] else _PARTS[found["part"].lower()])
    if found["figures"]:
        scale = _SCALES[found["scale"].lower()] if found["scale"] else 1.0
        return float(found["figures"].replace(",", "")) * scale
    return _LONE[found["lone"].lower()] if found["lone"] else spelled(found["words"])


def _minus(text: str, start: int) -> str:
    """Whether the number at `start` has a minus sign: "sure", "unsure" where a dash may be another one, or ""."""
    dash = _MINUS.search(text, max(0, start - _LEAD), start)
    if not dash:
        return ""
    return "unsure" if _TAKEN_FROM.search(text, max(0, dash.start() - _LEAD), dash.start()) else "sure"


def spelled(phrase: str) -> float:
    """The value of "forty-five", "a hundred" or "two thousand five hundred"."""
    whole = part = 0.0
    for word in re.findall(r"[a-z]+", phrase.lower()):
        if word == "hundred":
            part = (part or 1.0) * 100
        elif word in _SCALES:
            whole, part = whole + (part or 1.0) * _SCALES[word], 0.0
        elif word in CARDINALS:
            part += CARDINALS[word]
    return whole + part


def _units(text: str, end: int) -> tuple[str, ...]:
    after = _UNIT.match(text, end)
    if not after or (name := _UNITS.get(after[1].replace(" ", "").lower())) is None:
        return ()
    below = _UNITS.get((after[2] or "").lower())
    return (name, below) if below else (name,)
