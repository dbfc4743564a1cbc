"""Texts that answer another question than the one that is asked, or none. Models take them for answers.

They give another value (a length for a width, a year for a month, the people of today for those of 1663, a man for a
queen, two of four rivers), name what the question excludes, only repeat the question, or deny what it takes for
granted.
"""

import re
from collections.abc import Sequence

from core.text.answer_sentences import has_back_reference
from core.text.claims import ITEM_NUMBER
from core.text.lexicon import listed, table
from core.text.quantities import quantities
from core.text.questions import QUESTION_WORD, plan_of
from core.text.words import NEGATION, consonants, content, stem, words

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

_OFFERS = re.compile(
    r"\bor\b|(?:^|[.,;:]\s+)(?:am|is|are|was|were|do|does|did|can|could|will|would|has|have|should|must|may)\b[^.?!]*\?",
    re.IGNORECASE,
)
"""Signs that a question holds its own answer: it offers a choice, or asks for yes or no."""
_SELECTS = re.compile(r"\b(?:which|who|whom|name|list|mention|identify)\b|\bwhat (?!happens|will)\w+s\b", re.IGNORECASE)
"""A question that selects things from among others."""
_EXCLUDES = re.compile(rf"{NEGATION.pattern}|\b(?:without|except|apart|lack|unlike|than|only)\w*\b", re.IGNORECASE)
_CLAUSES = re.compile(r"[;:,.]\s|\bbut\b")
_IN_PART = frozenset("all every each just only same always exactly".split())
"""Words that a negation may deny in place of the fact: "not all birds can fly"."""
_NUMBER_OF_ITEM = re.compile(r"^\W*(?:\d{1,2}\s?[.)]\s*|\([a-z]{1,4}\)\s*)+")
_PROBLEM, _DATA = 12, 5
"""The fewest content words of a question that sets a problem, and of a sentence that repeats its data."""
_SAME_ITEM = 0.7
"""Share of the content words of an exercise's item that the question holds too, when both set the same problem."""


def gives_other_value(question: str, text: str, around: str, book: str) -> bool:
    """True if `text`, as an answer to `question`, gives a value of another measure, or of another time, names what the
    question excludes, or if the question takes a person for what the book calls nobody. around: the passage of the
    text, where a year of the question may stand. book: all passages.
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
    if year and year[1] not in around and (plan_of(question).kind == "number" or re.search(rf"\b{_YEAR}\b", text)):
        return True
    if _names_the_excluded(question, text):
        return True
    return bool(person) and stem(person[1].lower()) not in content(book)


def _names_the_excluded(question: str, text: str) -> bool:
    """True if `question` selects what does not do something, and `text` says in its words what does: "Kerala touches
    the sea." for "Which states do not touch the sea?".
    """
    negation = NEGATION.search(question)
    if not negation or plan_of(question).kind == "reason" or not _SELECTS.search(question[: negation.start()]):
        return False
    denied = content(question[negation.end() :])
    return bool(denied) and denied[0] in content(text) and not _EXCLUDES.search(text)


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


def denies(query: str, sentence: str) -> bool:
    """True if a clause of `sentence` denies in the words of `query` what `query` takes for granted: "Ice does not sink;
    it floats." for "Why does ice sink?". The verb behind the negation may have another form: "never sank".
    """
    if not QUESTION_WORD.search(query) or NEGATION.search(query) or plan_of(query).kind in ("difference", "definition"):
        return False
    asked = set(content(query))
    for clause in _CLAUSES.split(sentence):
        negation = NEGATION.search(clause)
        if not negation or _IN_PART & set(words(clause)):
            continue
        said = (*content(clause[: negation.start()]), *(behind := content(clause[negation.end() :])))
        is_verb_asked = bool(behind) and consonants(behind[0]) in map(consonants, asked)
        if len(said) > 1 and set(said) - asked <= set(behind[:is_verb_asked]):
            return True
    return False


def echoes(query: str, sentence: str) -> bool:
    """True if `sentence` only repeats `query` and therefore does not answer it; a denial does not repeat it.

    A sentence may answer a yes/no question with its words, and a question that names the choices: "Which is faster,
    sound or light?" A sentence that refers back also counts as an answer: "This is displacement." Where a long question
    sets a problem, a sentence of some length that says the same repeats the data; the item of an exercise may say it in
    other words.
    """
    sentence_words, query_words = set(content(_NUMBER_OF_ITEM.sub("", sentence))), content(query)
    asks = QUESTION_WORD.search(query) and not _OFFERS.search(query)
    sets_problem = len(query_words) >= _PROBLEM and len(sentence_words) >= _DATA
    shared = len(sentence_words & set(query_words))
    if sets_problem and ITEM_NUMBER.match(sentence) and shared >= _SAME_ITEM * len(sentence_words):
        return True
    repeats = bool(sentence_words) and shared == len(sentence_words)
    repeats = repeats and not has_back_reference(sentence) and not denies(query, sentence)
    return repeats and bool(asks or sets_problem)
