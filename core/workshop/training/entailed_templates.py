"""Sentences said in another way, so that they follow from what was said: shorter, joined, with another unit."""

import re
from collections.abc import Iterator
from random import Random

from core.workshop.training.paraphrases import lowered

_TAIL = re.compile(
    r"(?:,? (?:because|so that|due to|in order to) |, (?:which|who|where|whose|while|although|so|therefore) "
    r"|[,;] (?:and|but) (?=(?:the|it|they|he|she|a|an|this|these|its|their|his|her|there)\b))"
)
_LEAD = re.compile(r"^(?:In|On|At|During|After|Before|By|From|For|Around|About) [^,.;]{3,40}, (?=\w)")
_ASIDE = re.compile(r" \((?=[^()]*[a-z]{3})[^()]*\)")
_FEWEST = 4
"""Words that a part must have to stand alone."""
_SMALLER = {
    "km": ("m", 1000), "kilometres": ("metres", 1000), "m": ("cm", 100), "metres": ("centimetres", 100),
    "centimetres": ("millimetres", 10), "cm": ("mm", 10), "kg": ("g", 1000), "kilograms": ("grams", 1000),
    "tonnes": ("kilograms", 1000), "litres": ("millilitres", 1000), "hours": ("minutes", 60),
    "minutes": ("seconds", 60), "days": ("hours", 24), "weeks": ("days", 7), "years": ("months", 12),
    "decades": ("years", 10), "centuries": ("years", 100), "crore": ("lakh", 100), "million": ("thousand", 1000),
    "volts": ("millivolts", 1000), "kilojoules": ("joules", 1000), "rupees": ("paise", 100),
}  # fmt: skip
_MEASURED = re.compile(rf"(?<![\w.,])(\d+(?:\.\d+)?) ({'|'.join(_SMALLER)})\b(?! per| a )")
_WORDS = {str(n): w for n, w in enumerate("two three four five six seven eight nine ten eleven twelve".split(), 2)}
_COUNT = re.compile(rf"(?<![\w.,-])({'|'.join([*_WORDS, *_WORDS.values()])})(?= [a-z])")


def shorter(sentence: str) -> list[str]:
    """The sentence without one of its clauses, once for each that can go."""
    return [s for s in _parts(sentence) if s != sentence and len(s.split()) >= _FEWEST]


def _parts(sentence: str) -> Iterator[str]:
    for tail in _TAIL.finditer(sentence):
        yield sentence[: tail.start()] + "."
    if lead := _LEAD.match(sentence):
        yield sentence[lead.end()].upper() + sentence[lead.end() + 1 :]
    yield _ASIDE.sub("", sentence)


def joined(first: str, second: str, random: Random) -> str:
    """Two sentences as one; a first word that could be a name keeps its capital."""
    word = random.choice((", and ", "; ", ", while "))
    return first.rstrip(".") + word + lowered(second)


def converted(sentence: str, random: Random) -> tuple[str, str] | None:
    """(the same quantity in a smaller unit, a wrong one in that unit), or None when there is none to convert."""
    places = list(_MEASURED.finditer(sentence))
    if not places:
        return None
    place = random.choice(places)
    unit, factor = _SMALLER[place[2]]
    value = float(place[1]) * factor
    wrong = value * random.choice((0.1, 10, 0.5, 2))
    right, false = (f"{sentence[: place.start()]}{v:.12g} {unit}{sentence[place.end() :]}" for v in (value, wrong))
    return right, false


def recounted(sentence: str) -> str | None:
    """A small number in words instead of figures, or in figures instead of words."""
    place = _COUNT.search(sentence)
    if not place:
        return None
    figures = {word: figure for figure, word in _WORDS.items()}
    return sentence[: place.start()] + (_WORDS | figures)[place[1]] + sentence[place.end() :]
