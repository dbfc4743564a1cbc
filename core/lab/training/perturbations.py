"""Alters one fact of a sentence, so that the sentence and its altered form cannot both be true.

data/nli/rivals.txt lists sets of words of which only one can be true in a sentence, such as units or opposites.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random

from core.lab.training.nli_datasets import TrainingError
from core.text.words import STOPWORDS

RIVALS = Path(__file__).parents[3] / "data" / "nli" / "rivals.txt"

Replacements = dict[str, tuple[str, ...]]
"""Replacements of a word or phrase, all in lower case."""
Alteration = Callable[[str, Sequence[str], Random], str | None]
"""A function from (sentence, other sentences of the same text, random) to the altered sentence; None if it does not
apply."""
_NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{2,3})+|(?<![\w.,-])\d+(?:\.\d+)?(?![\w-])")
SPELLED = "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty".split()
_AFTER_NUMBER = "|".join(rf"(?<={before} )" for before in (r"\d", "degrees", *SPELLED))
_BEFORE_NOUN = r"(?! (?:of|the|these|those|this|that|other|its|their|his|her|our)\b)"
"""A quantifier before one of these words is left alone, since more than itself would have to be replaced."""
_AUXILIARY = re.compile(r"\b(is|are|was|were|can|could|will|would|should|must|has been|have been|had been)\b(?! not\b)")
_NEGATED = re.compile(r"\b(is|are|was|were|can|could|will|would|should|must|does|do|did)(?: not|not)\b ")
NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+(?:[ -][A-Z][a-z]+)*(?!\w)")
_CAUSE = re.compile(r",? (because|since|due to|so that|in order to|as a result of|owing to) ")
_FROM_TO = re.compile(r"\bfrom ((?:the |a )?[\w-]+) to ((?:the |a )?[\w-]+)")
_THAN = re.compile(
    r"^((?:The |A |An )?[\w-]+(?: [\w-]+)?) (is|are|was|were) ([\w ]{2,30}? than) ((?:the |a |an )?[\w -]+)\.$"
)


@cache
def rivals(section: str) -> Replacements:
    """The replacements in one section of data/nli/rivals.txt. Raises TrainingError if there is no such section."""
    lines = _lines().get(section)
    if lines is None:
        raise TrainingError(f"{RIVALS.name} has no section [{section}]; it has {', '.join(_lines())}.")
    rival_sets: dict[str, set[str]] = {}
    for line in lines:
        for word, other in _others(line):
            rival_sets.setdefault(word, set()).add(other if section == "rivals" else other.replace("-", " "))
    return {word: tuple(sorted(others)) for word, others in rival_sets.items()}


def _others(line: str) -> list[tuple[str, str]]:
    """The word pairs of one line of data/nli/rivals.txt: each word with every other word of the line; for a line "a >
    b", only (a, b)."""
    if " > " in line:
        word, other = line.split(" > ")
        return [(word, other)]
    words = line.split()
    return [(word, other) for word in words for other in words if word != other]


@cache
def _lines() -> dict[str, list[str]]:
    sections: dict[str, list[str]] = {}
    for line in RIVALS.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            sections[line.strip("[]")] = []
        elif line and not line.startswith("#"):
            sections[list(sections)[-1]].append(line)
    return sections


def number(sentence: str, _others: Sequence[str], random: Random) -> str | None:
    """The sentence with another number, in figures or in words."""
    places = [*_NUMBER.finditer(sentence), *re.finditer(rf"\b({'|'.join(SPELLED)})\b", sentence, re.IGNORECASE)]
    if not places:
        return None
    match = random.choice(places)
    old = match.group()
    if old[0].isdigit():
        return _substitute(sentence, match, _other_number(old, random))
    new = random.choice([word for word in SPELLED if word != old.lower()])
    return _substitute(sentence, match, new)


def _other_number(old: str, random: Random) -> str:
    value = float(old.replace(",", ""))
    decimals = len(old.partition(".")[2])
    if 1000 <= value <= 2100 and not decimals and "," not in old:  # a year stays a year
        return str(int(value) + random.choice((-1, 1)) * random.choice((1, 3, 10, 27, 50, 100)))
    factors = [f for f in (0.1, 0.5, 0.6, 0.8, 1.2, 1.5, 2, 3, 10) if round(value * f, decimals) != value]
    new = round(value * random.choice(factors), decimals) if value else float(random.randint(1, 9))
    new = value + 1 if new == 0 else new
    return f"{new:,.{decimals}f}" if "," in old else f"{new:.{decimals}f}"


def unit(sentence: str, _others: Sequence[str], random: Random) -> str | None:
    """The sentence with another unit behind the same number."""
    return _replace(sentence, rivals("units"), random, before=_AFTER_NUMBER)


def term(sentence: str, _others: Sequence[str], random: Random) -> str | None:
    """The sentence with one term replaced by a term of the same sort, such as zinc for iron; None if it has no such
    term."""
    return _replace(sentence, rivals("rivals"), random)


def name(sentence: str, others: Sequence[str], random: Random) -> str | None:
    """The sentence with another name, taken from the other sentences."""
    places = list(NAME.finditer(sentence))
    if not places:
        return None
    match = random.choice(places)
    size = match.group().count(" ")
    names = {n for other in others for n in NAME.findall(other) if n not in sentence and n.count(" ") == size}
    names = {n for n in names if not set(n.split()) & set(match.group().split())}
    return _substitute(sentence, match, random.choice(sorted(names))) if names else None


def negation(sentence: str, _others: Sequence[str], _random: Random) -> str | None:
    """The sentence with a "not" added or removed."""
    if match := _NEGATED.search(sentence):
        return sentence[: match.end(1)] + " " + sentence[match.end() :]
    if match := _AUXILIARY.search(sentence):
        if match.group(1) == "can":
            return sentence[: match.start()] + "cannot" + sentence[match.end() :]
        first = match.start() + len(match.group(1).split()[0])
        return sentence[:first] + " not" + sentence[first:]
    verbs = rivals("verbs")
    match = re.search(rf"(?<=[a-z] )({'|'.join(verbs)})(?= [a-z])", sentence)
    return _substitute(sentence, match, "does not " + verbs[match.group()][0]) if match else None


def quantifier(sentence: str, _others: Sequence[str], random: Random) -> str | None:
    """The sentence with another quantifier, such as few for most, or never for always."""
    return _replace(sentence, rivals("quantifiers"), random, after=_BEFORE_NOUN)


def order(sentence: str, _others: Sequence[str], random: Random) -> str | None:
    """The sentence with its direction reversed: the two ends of "from ... to" or "than" change places, or a word is
    replaced by its opposite. None if nothing can be reversed."""
    if match := _FROM_TO.search(sentence):
        return sentence[: match.start()] + f"from {match[2]} to {match[1]}" + sentence[match.end() :]
    if match := _THAN.match(sentence):
        return f"{raise_first(match[4])} {match[2]} {match[3]} {lower_first(match[1])}."
    return _replace(sentence, rivals("opposites"), random)


def cause(sentence: str, others: Sequence[str], random: Random) -> str | None:
    """The sentence with another reason, taken from one of `others` that gives its reason with the same word, such as
    "because". None if it gives no reason or there is no other."""
    match = _CAUSE.search(sentence)
    if not match or not sentence.endswith("."):
        return None
    reasons = [
        other[other_match.end() :]
        for other in others
        if (other_match := _CAUSE.search(other)) and other_match[1] == match[1]
    ]
    reasons = [reason for reason in reasons if reason not in sentence and reason.endswith(".") and len(reason) > 12]
    return sentence[: match.end()] + random.choice(reasons) if reasons else None


ALTERATIONS: dict[str, Alteration] = {
    "number": number, "unit": unit, "term": term, "name": name, "negation": negation, "quantifier": quantifier,
    "order": order, "cause": cause,
}  # fmt: skip


def alter_sentence(sentence: str, others: Sequence[str], random: Random) -> tuple[str, str] | None:
    """(kind of alteration, altered sentence) for a random kind among those that can be applied to the sentence; None if
    none can."""
    kinds = random.sample(list(ALTERATIONS), len(ALTERATIONS))
    for kind in sorted(kinds, key=lambda k: k in ("negation", "term")):  # these nearly always apply: tried last
        new = ALTERATIONS[kind](sentence, others, random)
        if new and new != sentence:
            return kind, new
    return None


def _replace(
    sentence: str, replacements: dict[str, tuple[str, ...]], random: Random, before: str = "", after: str = ""
) -> str | None:
    """The sentence with one word or phrase replaced by one of its `replacements`, in the same case; None if it contains
    none of them.

    before, after: patterns that must match before and after the replaced words.
    """
    phrases = "|".join(sorted(map(re.escape, replacements), key=len, reverse=True))
    places = list(re.finditer(rf"(?:{before})\b(?:{phrases})\b(?!-){after}", sentence, re.IGNORECASE))
    if not places:
        return None
    match = random.choice(places)
    return _substitute(sentence, match, random.choice(replacements[match.group().lower()]))


def _substitute(sentence: str, match: re.Match[str], new: str) -> str:
    if match.group()[0].isupper():
        new = raise_first(new)
    return sentence[: match.start()] + new + sentence[match.end() :]


def lower_first(sentence: str) -> str:
    """The sentence with a lower-case first letter, unless the first word could be a name."""
    name = sentence.split()[0].lower() not in STOPWORDS or sentence.startswith("I ")
    return sentence if name else sentence[0].lower() + sentence[1:]


def raise_first(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]
