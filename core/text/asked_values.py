"""The value that a question asks for, and texts that give another one: a length for a width, a year for a month, the
people of today for those of 1663, a man for a queen, two of four rivers. Models take the one for the other.
"""

import re
from collections.abc import Sequence

from core.text.lexicon import listed, table
from core.text.quantities import quantities
from core.text.questions import plan_of
from core.text.words import content, stem, words

_MEASURES = tuple(frozenset(line.split()) for line in table("english")["lengths"])
"""Measures that share the units of length; each with its words."""
_ASKED_MEASURE = re.compile(r"\bhow (\w+)\b|\bwhat (?:is|was) the (\w+) of\b", re.IGNORECASE)
_ASKED_DATE = re.compile(r"\b(?:which|what) (?:day|date|month)\b", re.IGNORECASE)
_DATES = frozenset(listed("days and months"))
_YEAR = r"(?:1\d|20)\d{2}"
_ASKED_YEAR = re.compile(rf"\b(?:in|during) (?:the year )?({_YEAR})\b", re.IGNORECASE)

_ASKED_PERSON = re.compile(
    r"\b(?:which|what) (woman|man|girl|boy|king|queen|prince|princess|emperor|empress|sultan|pope|president)\b", re.I
)
"""Words for a person that say more than "who": not everybody is a queen."""
_PIECES = re.compile(r"[,;]|\band\b|\bor\b")
"""The separators between the items of an answer."""


def gives_other_value(question: str, text: str, around: str, book: str) -> bool:
    """True if `text`, as an answer to `question`, gives a value of another measure, or of another time, or if the
    question takes a person for what the book calls nobody. around: the passage of the text, where a year of the
    question may stand. book: all passages.
    """
    measure = _ASKED_MEASURE.search(question)
    asked = next((own for own in _MEASURES if measure and (measure[1] or measure[2]).lower() in own), None)
    if asked:
        named, read = set(words(text)), [q.unit for q in quantities(text) if q.unit]
        is_length = any(reading.dimension == "[length]^1" for unit in read for reading in unit.readings)
        if is_length and not named & asked and any(named & other for other in _MEASURES):
            return True
    if _ASKED_DATE.search(question) and re.search(rf"\b{_YEAR}\b", text) and not _DATES & set(re.findall(r"\w+", text)):
        return True  # a day or a month is asked for, and the text gives a year without one
    year, person = _ASKED_YEAR.search(question), _ASKED_PERSON.search(question)
    if year and year[1] not in around and plan_of(question).kind == "number":
        return True
    return bool(person) and stem(person[1].lower()) not in content(book)


def lacks_items(question: str, answer: Sequence[str], book: Sequence[str]) -> bool:
    """True if `question` asks for a list whose items the question or the book counts, a sentence of the book about the
    same thing is that list, and `answer` gives only some of its items. answer, book: their sentences.
    """
    plan, asked, given = plan_of(question), set(content(question)), set(content(" ".join(answer)))
    if plan.kind != "list" and plan.count < 2:
        return False
    size = max(len(answer), sum(bool(piece.strip()) for text in answer for piece in _PIECES.split(text)))
    found = []
    for sentence in book:
        if not asked & set(content(sentence)):
            continue
        counted = [(q.value, content(sentence[q.end :])[:2]) for q in quantities(sentence) if q.unit is None]
        counts = {plan.count} if plan.count else {value for value, things in counted if asked & set(things)}
        for items in enumerations(sentence):
            own = [item for item in items if not item <= asked]
            if len(own) in counts:
                found.append([bool(item - asked & given) for item in own])
    return any(map(any, found)) and not any(map(all, found)) and all(size < len(items) for items in found)


def enumerations(sentence: str) -> list[list[set[str]]]:
    """The stems of each item of every list "A, B and C" in `sentence`. Of the first item only the last word counts:
    the list begins behind the others. Of the last one nothing behind a comma counts.
    """
    lists = []
    for clause in re.split("[;:.]", sentence):
        before, joint, last = clause.rpartition(" and ")
        if joint:
            items = [content(item) for item in (*before.rstrip(",").split(", "), last.split(",")[0])]
            lists.append([set(items[0][-1:]), *map(set, items[1:])])
    return lists
