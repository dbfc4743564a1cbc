"""Changes of sentences for training: alterations and paraphrases.

An alteration changes one fact, so that the sentence and its altered form cannot both be true. data/nli/rivals.txt lists
sets of words of which only one can be true in a sentence, such as units or opposites.

A paraphrase is reordered, shortened, joined, reworded with synonyms, or converted to another unit; the original entails
it. Without paraphrases, a model labels a sentence "not stated" only because it is not verbatim in the premise.
"""

import re
from collections.abc import Callable, Iterator, Sequence
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
_COMPARED = re.compile(
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
_WORDS = {str(n): word for n, word in enumerate(SPELLED[:11], 2)}
_COUNT = re.compile(rf"(?<![\w.,-])({'|'.join([*_WORDS, *_WORDS.values()])})(?= [a-z])")


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
    match, opposites = _COMPARED.match(sentence), rivals("opposites")
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
