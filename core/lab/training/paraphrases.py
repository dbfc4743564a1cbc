"""Paraphrases of sentences for training, so that a model does not label a sentence "not stated" only because it is not
verbatim in the premise.

A paraphrase is reordered, shortened, joined, reworded with synonyms, or converted to another unit; the original entails
it.
"""

import re
from collections.abc import Iterator
from random import Random

from core.lab.training.perturbations import lower_first, raise_first, rivals

_MOST = 3
"""Maximum words of a sentence that are replaced by synonyms."""
_REWORDED, _FRAMED = 0.5, 0.12
"""Shares of hypotheses, whatever their label, that are reworded, and that get an opening phrase that adds no
content."""
_OPENINGS = (
    "So ",
    "In short, ",
    "Thus ",
    "It is true that ",
    "We know that ",
    "The answer is that ",
    "Here ",
    "In fact, ",
)
_LEAD = re.compile(r"^(In|On|At|During|After|Before|By|From|For|Around|About)( [^,.;]{3,40}), ([A-Za-z][^,;:]*)\.$")
_BECAUSE = re.compile(r"^(\w[^,;:.]*?),? (because) ([^,;:.]*)\.$")
_THAN = re.compile(
    r"^((?:The |A |An )?[\w-]+(?: [\w-]+)?) (is|are|was|were) ([\w]+) than ((?:the |a |an )?[\w-]+(?: [\w-]+)?)\.$"
)
_CALLED = re.compile(r"^((?:The|A|An) [^,;:.]*?) is called ((?:an? |the )?[\w-]+(?: [\w-]+)?)\.$")
_TAIL = re.compile(
    r"(?:,? (?:because|so that|due to|in order to) |, (?:which|who|where|whose|while|although|so|therefore) "
    r"|[,;] (?:and|but) (?=(?:the|it|they|he|she|a|an|this|these|its|their|his|her|there)\b))"
)
_OPENING = re.compile(r"^(?:In|On|At|During|After|Before|By|From|For|Around|About) [^,.;]{3,40}, (?=\w)")
_ASIDE = re.compile(r" \((?=[^()]*[a-z]{3})[^()]*\)")
_FEWEST = 4
"""Minimum words of a part that can stand alone."""
_SMALLER = {
    "km": ("m", 1000), "kilometres": ("metres", 1000), "m": ("cm", 100), "metres": ("centimetres", 100),
    "centimetres": ("millimetres", 10), "cm": ("mm", 10), "kg": ("g", 1000), "kilograms": ("grams", 1000),
    "tonnes": ("kilograms", 1000), "litres": ("millilitres", 1000), "hours": ("minutes", 60),
    "minutes": ("seconds", 60), "days": ("hours", 24), "weeks": ("days", 7), "years": ("months", 12),
    "decades": ("years", 10), "centuries": ("years", 100), "crore": ("lakh", 100), "million": ("thousand", 1000),
    "volts": ("millivolts", 1000), "kilojoules": ("joules", 1000), "rupees": ("paise", 100),
}  # fmt: skip
_QUANTITY = re.compile(rf"(?<![\w.,])(\d+(?:\.\d+)?) ({'|'.join(_SMALLER)})\b(?! per| a )")
_WORDS = {str(n): w for n, w in enumerate("two three four five six seven eight nine ten eleven twelve".split(), 2)}
_COUNT = re.compile(rf"(?<![\w.,-])({'|'.join([*_WORDS, *_WORDS.values()])})(?= [a-z])")


def vary(sentence: str, random: Random) -> str:
    """The sentence, sometimes reworded, sometimes with an opening phrase; its meaning stays the same."""
    new = reword(sentence, random) if random.random() < _REWORDED else sentence
    return random.choice(_OPENINGS) + lower_first(new) if random.random() < _FRAMED else new


def reword(sentence: str, random: Random) -> str:
    """The sentence, reordered if possible, with up to three words replaced by synonyms."""
    reordered = [new for reorder in (move_clause, reverse_comparison, reverse_naming) if (new := reorder(sentence))]
    sentence = random.choice([sentence, *reordered])
    synonyms = rivals("synonyms")
    places = list(re.finditer(rf"\b(?:{'|'.join(synonyms)})\b(?!-)", sentence))
    for match in sorted(random.sample(places, min(len(places), _MOST)), key=re.Match.start, reverse=True):
        sentence = sentence[: match.start()] + random.choice(synonyms[match.group()]) + sentence[match.end() :]
    return sentence


def move_clause(sentence: str) -> str | None:
    """The sentence with its time, place or reason moved to the other end; None if it has none."""
    if match := _LEAD.match(sentence):
        return f"{raise_first(match[3])} {match[1].lower()}{match[2]}."
    if match := _BECAUSE.match(sentence):
        return f"Because {match[3]}, {lower_first(match[1])}."
    return None


def reverse_comparison(sentence: str) -> str | None:
    """The sentence "B is smaller than A" for "A is larger than B"; None if it is no such comparison."""
    match, opposites = _THAN.match(sentence), rivals("opposites")
    if not match or match[3] not in opposites:
        return None
    return f"{raise_first(match[4])} {match[2]} {opposites[match[3]][0]} than {lower_first(match[1])}."


def reverse_naming(sentence: str) -> str | None:
    """The sentence "Y is the name for X" for "X is called Y"; None if it names nothing."""
    match = _CALLED.match(sentence)
    return f"{raise_first(match[2])} is the name for {lower_first(match[1])}." if match else None


def shorten(sentence: str) -> list[str]:
    """Versions of the sentence, each without one of its optional clauses."""
    return [s for s in _parts(sentence) if s != sentence and len(s.split()) >= _FEWEST]


def _parts(sentence: str) -> Iterator[str]:
    for tail in _TAIL.finditer(sentence):
        yield sentence[: tail.start()] + "."
    if lead := _OPENING.match(sentence):
        yield sentence[lead.end()].upper() + sentence[lead.end() + 1 :]
    yield _ASIDE.sub("", sentence)


def join_sentences(first: str, second: str, random: Random) -> str:
    """Two sentences as one; a first word that could be a name keeps its capital."""
    word = random.choice((", and ", "; ", ", while "))
    return first.rstrip(".") + word + lower_first(second)


def convert_quantity(sentence: str, random: Random) -> tuple[str, str] | None:
    """(the quantity in `sentence` in a smaller unit, a wrong quantity in that unit); None if the sentence has no
    quantity that can be converted."""
    places = list(_QUANTITY.finditer(sentence))
    if not places:
        return None
    match = random.choice(places)
    unit, factor = _SMALLER[match[2]]
    value = float(match[1]) * factor
    wrong = value * random.choice((0.1, 10, 0.5, 2))
    right, false = (f"{sentence[: match.start()]}{v:.12g} {unit}{sentence[match.end() :]}" for v in (value, wrong))
    return right, false


def respell_number(sentence: str) -> str | None:
    """The sentence with a small number written in words instead of figures, or in figures instead of words; None if it
    has no small number."""
    match = _COUNT.search(sentence)
    if not match:
        return None
    figures = {word: figure for figure, word in _WORDS.items()}
    return sentence[: match.start()] + (_WORDS | figures)[match[1]] + sentence[match.end() :]
