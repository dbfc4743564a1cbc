"""What in a sentence can be looked up word for word: numbers, units, names, terms, quotations, superlatives."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

from core.text.quantities import Quantity, numbers, quantities, unit_names, units, values, without_numbers
from core.text.words import STOPWORDS, content, overlap, stem, words

_NAME = re.compile(r"(?<=[a-z,;:)\d] )[A-Z][A-Za-z]+")
_QUOTATION = re.compile(r"[“\"]([^“”\"]{5,200})[”\"]")
_SUPERLATIVE = re.compile(r"\b(?:(?:most|least) ([a-z]+)|([a-z]{3,})est)\b")
_NO_SUPERLATIVE = frozenset(
    "for inter harv dig hon earn sugg requ mod cont prot inv manif arr conqu temp att ever".split()
)

_LOST_DEGREES = re.compile(r"((?:(?<![\w)])[-−–])?\b\d+(?:\.\d+)?)\s?[0oº˚]\s?C\b")


@dataclass(frozen=True, kw_only=True)
class Unheld:
    """Of one sentence: `missing` stands in no evidence; `computed` are numbers that follow by one arithmetic step."""

    missing: tuple[str, ...]
    computed: tuple[str, ...]


def _with_degrees(source: str) -> str:
    """`source` with the degrees Celsius that a PDF spelled "70oC" or "700C" also written "70 °C"."""
    return _LOST_DEGREES.sub(r"\g<0> or \1 °C", source)


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
    held = _held_numbers(source)
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
    held, near = _held_numbers(source), _nearest_numbers(sentence, source)
    new = {n: v for n, v in numbers(sentence).items() if v not in held}
    stated, given = quantities(sentence), quantities(source)
    converted = {q.text for q in stated if q.units and any(_same(q, g) for g in given)}
    computed = [n for n, value in new.items() if n in converted or _follows(value, near)]
    missing = [n for n in new if n not in computed]
    known = unit_names(words(source)).union(*units(source).values())
    measured = [q for q in stated if q.units and q.text not in converted]
    missing += dict.fromkeys("/".join(q.units) for q in measured if not known.issuperset(q.units))
    missing += [f"{q.text} {'/'.join(q.units)}" for q in measured if _misread(q, given)]
    missing += [w for w in _missing_words(sentence, source, is_term) if not unit_names([w.lower()]) & known]
    return Unheld(missing=tuple(missing), computed=tuple(computed))


def _same(one: Quantity, other: Quantity) -> bool:
    """True where both measure as much of the same, in whatever units."""
    (what, much), (other_what, other_much) = one.measure, other.measure
    return what == other_what and math.isclose(much, other_much, rel_tol=1e-6)


def _misread(quantity: Quantity, given: Sequence[Quantity]) -> bool:
    """True where the number of `quantity` stands in `given` with other units of what it measures, and never with its
    own or with none: 90 g where the book says 90 kg."""
    alike = [g for g in given if g.value == quantity.value]
    own = any(g.units in ((), quantity.units) for g in alike)
    return not own and any(g.measure[0] == quantity.measure[0] for g in alike)


def _held_numbers(source: str) -> set[float]:
    """The values that `source` states; there the word "one" counts as a number too."""
    return values(source) | ({1.0} if "one" in words(source) else set())


def _missing_words(sentence: str, source: str, is_term: Callable[[str], bool]) -> list[str]:
    """Names and terms of `sentence` that neither stand in `source` nor share their beginning with a word of it."""
    asked = dict.fromkeys(names(sentence))
    plain = without_numbers(sentence)
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
    root = wanted[: max(6, round(0.8 * len(wanted)))]
    return len(wanted) > 5 and any(h.startswith(root) for h in held)


@lru_cache(maxsize=4096)
def _broken(word: str) -> re.Pattern[str]:
    """Finds `word` as a whole, whatever signs and spaces stand between its letters."""
    letters = r"[\W_]*".join(re.sub(r"\W", "", word))
    return re.compile(rf"(?<![^\W\d_]){letters}(?![^\W\d_])", re.IGNORECASE)


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
