"""The same said in other words, so that a model does not take "not word for word" for "not said"."""

import re
from random import Random

from core.text.words import STOPWORDS
from core.workshop.training.distractors import rivals

_MOST = 3
"""Words of a sentence that give way to synonyms."""
_REWORDED, _FRAMED = 0.5, 0.12
"""Shares of hypotheses, whatever their label, that are reworded and that follow an opening which says nothing."""
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


def varied(sentence: str, random: Random) -> str:
    """The sentence, sometimes reworded, sometimes with an opening before it; what it says stays."""
    new = reworded(sentence, random) if random.random() < _REWORDED else sentence
    return random.choice(_OPENINGS) + lowered(new) if random.random() < _FRAMED else new


def reworded(sentence: str, random: Random) -> str:
    """The sentence turned round where it can be, and up to three of its words replaced by synonyms."""
    turned = [new for turn in (moved, converse, renamed) if (new := turn(sentence))]
    sentence = random.choice([sentence, *turned])
    synonyms = rivals("synonyms")
    places = list(re.finditer(rf"\b(?:{'|'.join(synonyms)})\b(?!-)", sentence))
    for place in sorted(random.sample(places, min(len(places), _MOST)), key=re.Match.start, reverse=True):
        sentence = sentence[: place.start()] + random.choice(synonyms[place.group()]) + sentence[place.end() :]
    return sentence


def moved(sentence: str) -> str | None:
    """Time, place or reason at the other end of the sentence."""
    if place := _LEAD.match(sentence):
        return f"{_raised(place[3])} {place[1].lower()}{place[2]}."
    if place := _BECAUSE.match(sentence):
        return f"Because {place[3]}, {lowered(place[1])}."
    return None


def converse(sentence: str) -> str | None:
    """B is smaller than A, for A is larger than B."""
    place, opposites = _THAN.match(sentence), rivals("opposites")
    if not place or place[3] not in opposites:
        return None
    return f"{_raised(place[4])} {place[2]} {opposites[place[3]][0]} than {lowered(place[1])}."


def renamed(sentence: str) -> str | None:
    """Y is the name for X, for X is called Y."""
    place = _CALLED.match(sentence)
    return f"{_raised(place[2])} is the name for {lowered(place[1])}." if place else None


def lowered(sentence: str) -> str:
    """A small first letter, unless the first word could be a name."""
    name = sentence.split()[0].lower() not in STOPWORDS or sentence.startswith("I ")
    return sentence if name else sentence[0].lower() + sentence[1:]


def _raised(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]
