"""Sentences that only repeat a question, and sentences that deny what it takes for granted."""

import re

from core.text.answer_sentences import has_back_reference
from core.text.claims import ITEM_NUMBER
from core.text.questions import QUESTION_WORD, plan_of
from core.text.words import NEGATION, consonants, content, words

_OFFERS = re.compile(
    r"\bor\b|(?:^|[.,;:]\s+)(?:am|is|are|was|were|do|does|did|can|could|will|would|has|have|should|must|may)\b[^.?!]*\?",
    re.IGNORECASE,
)
"""Signs that a question holds its own answer: it offers a choice, or asks for yes or no."""
_CLAUSES = re.compile(r"[;:,.]\s|\bbut\b")
_IN_PART = frozenset("all every each just only same always exactly".split())
"""Words that a negation may deny in place of the fact: "not all birds can fly"."""
_NUMBER_OF_ITEM = re.compile(r"^\W*(?:\d{1,2}\s?[.)]\s*|\([a-z]{1,4}\)\s*)+")
_PROBLEM, _DATA = 12, 5
"""The fewest content words of a question that sets a problem, and of a sentence that repeats its data."""
_SAME_ITEM = 0.7
"""Share of the content words of an exercise's item that the question holds too, when both set the same problem."""


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
