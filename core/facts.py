"""What in a sentence can be looked up word for word: numbers, units, names, terms, quotations, superlatives."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

from core.text import STOPWORDS, content, overlap, stem, words

_NUMBER = re.compile(r"(?<![A-Za-z\d.])\d+(?:,\d{2,3})*(?:\.\d+)?")
_NAME = re.compile(r"(?<=[a-z,;:)\d] )[A-Z][A-Za-z]+")
_QUOTATION = re.compile(r"[“\"]([^“”\"]{5,200})[”\"]")
_SUPERLATIVE = re.compile(r"\b(?:(?:most|least) ([a-z]+)|([a-z]{3,})est)\b")
_NO_SUPERLATIVE = frozenset(
    "for inter harv dig hon earn sugg requ mod cont prot inv manif arr conqu temp att ever".split()
)

_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
_SPELLED = {w: float(n) for n, w in enumerate(_WORDS)} | {
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
    "hundred": 100, "thousand": 1e3, "lakh": 1e5, "million": 1e6, "crore": 1e7, "billion": 1e9,
    "half": 0.5, "twice": 2, "double": 2, "thrice": 3,
}  # fmt: skip
_UNITS = {
    alias: names.split()[0]
    for names in (
        "metre metres meter meters m", "centimetre centimetres centimeter centimeters cm", "millimetre millimetres mm",
        "kilometre kilometres kilometer kilometers km", "second seconds s", "minute minutes min", "hour hours h",
        "day days", "week weeks", "month months", "year years", "gram grams g", "kilogram kilograms kg",
        "tonne tonnes", "litre litres liter liters l", "millilitre millilitres ml", "hertz hz", "kilohertz khz",
        "newton newtons n", "joule joules j", "watt watts w", "kilowatt kilowatts kw", "volt volts v",
        "ampere amperes a", "ohm ohms", "pascal pascals pa", "kelvin k", "celsius °c", "percent %", "degree degrees °",
        "rupee rupees rs ₹", "decibel decibels db",
    )
    for alias in names.split()
}  # fmt: skip
_UNIT = re.compile(r"\s*-?\s*(°\s?C|°|%|[A-Za-z]+)")
_PARTS = {
    "half": 2, "halves": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "hundredth": 100, "thousandth": 1000,
}  # fmt: skip
_FRACTION = re.compile(
    rf"(?<![\w./])(\d+|a|{'|'.join(_WORDS[1:10])})(?:/(\d+)(?![\w/])|[- ]({'|'.join(_PARTS)})s?\b)", re.IGNORECASE
)
_LOST_DEGREES = re.compile(r"\b(\d+(?:\.\d+)?)\s?[0oº˚]\s?C\b")


@dataclass(frozen=True, kw_only=True)
class Unheld:
    """Of one sentence: `missing` stands in no evidence; `computed` are numbers that follow by one arithmetic step."""

    missing: tuple[str, ...]
    computed: tuple[str, ...]


def numbers(text: str) -> dict[str, float]:
    """The numbers of `text` as they stand there, with their values; "one" is left out, since it is often a pronoun."""
    parts = {m.group(): _fraction(m) for m in _FRACTION.finditer(text) if m.group(2) != "0"}
    text = _FRACTION.sub(" ", text)
    found = parts | {m.group(): float(m.group().replace(",", "")) for m in _NUMBER.finditer(text)}
    return found | {w: _SPELLED[w] for w in words(text) if w in _SPELLED and w != "one"}


def _fraction(found: re.Match[str]) -> float:
    """The value of "one-third", "a quarter" or "2/3"."""
    top = found.group(1).lower()
    count = 1.0 if top == "a" else float(top) if top.isdigit() else _SPELLED[top]
    return count / (float(found.group(2)) if found.group(2) else _PARTS[found.group(3).lower()])


def _with_degrees(source: str) -> str:
    """`source` with the degrees Celsius that a PDF spelled "70oC" or "700C" also written "70 °C"."""
    return _LOST_DEGREES.sub(r"\g<0> or \1 °C", source)


def units(text: str) -> dict[str, str]:
    """The units that follow a number in `text`: as they stand there, and their common name."""
    found = {}
    for number in _NUMBER.finditer(text):
        after = _UNIT.match(text, number.end())
        if after and (name := _UNITS.get(after.group(1).replace(" ", "").lower())):
            found[after.group(1)] = name
    return found


def names(text: str) -> list[str]:
    """Words with a capital letter inside a sentence."""
    return _NAME.findall(text)


def superlatives(text: str) -> set[str]:
    """What `text` calls the most, the least or the -est, without the ending."""
    found = _SUPERLATIVE.findall(text.lower())
    return {stem(a) if a else b.rstrip("i") for a, b in found if a or b not in _NO_SUPERLATIVE}


def invented(sentence: str, source: str) -> list[str]:
    """Numbers, names, quotations and superlatives of `sentence` that `source` does not hold (seed A's patterns)."""
    source = _with_degrees(source)
    held = set(numbers(source).values()) | {1.0}
    new = [n for n, value in numbers(sentence).items() if value not in held]
    new += [n for n in names(sentence) if not _stands(n, source)]
    folded = " ".join(words(source))
    new += [q for q in _QUOTATION.findall(sentence) if " ".join(words(q)) not in folded]
    return new + sorted(superlatives(sentence) - superlatives(source))


def unheld(sentence: str, source: str, is_term: Callable[[str], bool]) -> Unheld:
    """Numbers, units, names and terms of `sentence` that `source` (its evidence and the question) does not hold.

    is_term: says whether a word is a technical term rather than everyday English.
    """
    source = _with_degrees(source)
    held = set(numbers(source).values()) | {1.0}
    new = {n: v for n, v in numbers(sentence).items() if v not in held}
    near = _nearest_numbers(sentence, source)
    computed = [n for n, value in new.items() if _follows(value, near)]
    missing = [n for n in new if n not in computed]
    known = set(units(source).values()) | {_UNITS[w] for w in words(source) if len(w) > 2 and w in _UNITS}
    missing += [u for u, name in units(sentence).items() if name not in known]
    return Unheld(missing=(*missing, *_missing_words(sentence, source, is_term)), computed=tuple(computed))


def _missing_words(sentence: str, source: str, is_term: Callable[[str], bool]) -> list[str]:
    """Names and terms of `sentence` that neither stand in `source` nor share their beginning with a word of it."""
    asked = dict.fromkeys(names(sentence))
    plain = _FRACTION.sub(" ", sentence)
    asked |= dict.fromkeys(w for word in words(plain) for w in word.split("-") if _may_be_term(w) and is_term(w))
    lower = {n.lower() for n in asked if n != n.lower()}
    return [w for w in asked if not _stands(w, source) and (w not in lower)]


def _may_be_term(word: str) -> bool:
    return len(word) > 3 and word not in STOPWORDS and word[0].isalpha()


def _stands(word: str, source: str) -> bool:
    """True when `source` holds `word`, another form of it, or its letters broken up by stray spaces.

    A word inside another does not count: "anaerobic" holds no "aerobic".
    """
    wanted = stem(word.lower())
    held = set(content(source)) | {stem(part) for w in words(source) if "-" in w for part in w.split("-")}
    if wanted in held or _broken(word).search(source):
        return True
    root = wanted[: max(5, round(0.7 * len(wanted)))]
    return len(wanted) > 5 and any(h.startswith(root) for h in held)


@lru_cache(maxsize=4096)
def _broken(word: str) -> re.Pattern[str]:
    """Finds `word` at the start of a word, whatever signs and spaces stand between its letters."""
    letters = r"[\W_]*".join(re.sub(r"\W", "", word))
    return re.compile(rf"(?<![^\W\d_]){letters}", re.IGNORECASE)


def _nearest_numbers(sentence: str, source: str) -> list[float]:
    """The numbers of the question (last line of `source`) and of the line of `source` most like `sentence`."""
    lines = source.splitlines()
    nearest = max(lines, key=lambda line: overlap(sentence, line), default="")
    asked = lines[-1] if lines else ""
    return [*numbers(nearest).values(), *(numbers(asked).values() if asked != nearest else ())]


def _follows(value: float, given: list[float]) -> bool:
    """True when one addition, subtraction, multiplication or division of two given numbers makes `value`."""
    for a, b in permutations(given, 2):
        made = (a + b, a - b, a * b, a / b if b else a)
        if any(abs(m - value) <= 1e-6 * max(1.0, abs(value)) for m in made):
            return True
    return False
