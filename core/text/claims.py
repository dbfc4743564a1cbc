"""Finds the sentences of a passage that state something. Questions, orders and exercise items state nothing.

It also splits a sentence into the claims that it makes.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from core.case import Passage
from core.text.lexicon import listed, word_set
from core.text.lists import list_openers, without_list_marker
from core.text.verifiable_facts import definitions
from core.text.words import content, words

_STARTS = re.compile(r"(?:[-–•]\s?)?[\"'“‘]?(?:[A-Z][a-z]*\b|[A-Z]{2,5}s? [a-z])")
"""A capitalised word, or an acronym followed by lower case; a list marker may precede it."""
_BLANK = re.compile(r"_{2,}|\.{4,}|\([a-d]\)")
_FORMULA = re.compile(r"[A-Za-z][^=.?!]*=[^=?!]+(?:=[^=?!]+)?")
"""A formula with a name or a clause on its left; it ends without a full stop, or in its equation number."""
_ASKS = (
    "exercise", "let us", "try ", "suppose", "discuss", "find ", "calculate ", "consider ", "draw ", "explain ",
    "imagine ", "look at ", "observe ", "recall ", "write ",
)  # fmt: skip
_INSTRUCTS = re.compile(
    rf"(?:{'|'.join(listed('verbs of an activity'))}) (?:the|an?|some|about|it|them|this|that|these|those|your|"
    r"each|every|one|two|three|four|few|any|another|all|both) "
)
"""An instruction of an activity: a verb and the start of its object."""
_ROW = re.compile(
    r"[A-Z][^\W\d_]*(?: \(?[^\W\d_][\w'’-]*\)?,?){1,9}:? "
    r"(?:[₹$€£] ?\d[\d.,]*(?<!\.)|\d[\d.,]* ?(?:%|°C|[^\W\d_][\w/³²]{0,11}))"
)
"""A row of a table, a name and a quantity: "Loud music 95 dB"."""
_ELSEWHERE = re.compile(
    r"\(?(?:(?:now|here|later|in this chapter),? )?(?:we|you) (?:shall|will|may) (?:now |also )?"
    r"(?:learn|study|discuss|read)\b.*"
    r"|[^,;:]{0,120}\b(?:is|are|was|were) (?:given|shown|depicted|discussed|described|explained|listed) in "
    r"(?:activit(?:y|ies)|figures?|fig\.|tables?|chapters?|sections?|units?|box)\b[^,;:]{0,20}",
    re.IGNORECASE,
)
"""A sentence that only points to another part of the book: "Another example is given in Table 2."."""
_HEADING = 8
"""The most words of a heading, which ends without a full stop, "!", colon, semicolon or dash."""
_LABELS = ("activity", "example", "figure", "fig.")
"""The first words of a task or a caption; such a sentence states something only if it defines a word."""

_STATEMENT = re.compile(r"\b(?:do|did|have) you (?:know|noticed) that\b", re.IGNORECASE)
"""A statement in the form of a question: "Do you know that a kite needs no motor?"."""
_ORDERS = re.compile(
    r"\W*(?:\(?(?:\d{1,2}|[a-z]|[ivx]+)[.)]\s*)?(?:Calculate|Choose|Classify|Compare|Complete|Convert|Define|Describe"
    r"|Differentiate|Discuss|Distinguish|Explain|Fill|Find|Give|Identify|List|Match|Mention|Name|Outline|Select|Show"
    r"|State|Suggest|Tick|Write) (?:the|an?|any|at|between|down|how|in|one|some|two|three|what|which|why|with|your)\b"
    r"|\W*(?:\d{1,2}\.\s?)?(?:(?:For|In) (?:each of )?the following [a-z ]{3,30}, )?(?:[Mm]ark|[Ww]rite|[Pp]ut) "
    r"[\"'“‘(]?T\b"
)
"""An order to a pupil with its object; an item number may precede it."""
_CHOICES = re.compile(r"\((?:a|i)\)[^()]{1,80}\((?:b|ii)\)|will be\W*$")
"""The choices behind a sentence that is left open: "The height will be (a) 3 m (b) 4 m"."""
ITEM_NUMBER = re.compile(r"\W*\d{1,2}\.(?!\d)")
_LONGEST_ITEM = 5
"""The most sentences of an exercise item up to its question: "A book lies on a desk. It begins to slide. Why?"."""


def only_asks(sentence: str) -> bool:
    """True if `sentence` is a question, and no statement in the form of one."""
    return "?" in sentence and not _STATEMENT.search(sentence)


def without_questions(passage_sentences: Sequence[str]) -> tuple[str, ...]:
    """The sentences of a passage, with "" in place of those that only ask: exercise items and open questions.

    Such sentences repeat a pupil's question, so every model ranks them nearest to it, but they answer nothing.
    A question that a statement follows stays: it says what the statement is about, as a heading does.
    """
    silent: set[int] = set()
    for i in reversed(range(len(passage_sentences))):
        is_order, is_open = _ORDERS.match(passage_sentences[i]), i + 1 in silent or i + 1 == len(passage_sentences)
        starts = [n for n in range(max(0, i - _LONGEST_ITEM + 1), i + 1) if ITEM_NUMBER.match(passage_sentences[n])]
        asks = only_asks(passage_sentences[i]) or _CHOICES.search(passage_sentences[i]) is not None
        if is_order or (asks and (starts or is_open)):
            silent |= set(range(starts[-1] if starts else i, i + 1))
    return tuple("" if i in silent else sentence for i, sentence in enumerate(passage_sentences))


def stating(passage: Passage) -> frozenset[int]:
    """The indices of the sentences of a passage that state something that its heading does not say already."""
    texts, openers = without_questions(passage.sentences), list_openers(passage.sentences)
    return frozenset(
        n for n, text in enumerate(texts)
        if n not in passage.broken and text and text not in passage.section
        and _states(without_list_marker(text), is_item=openers[n] is not None)
    )  # fmt: skip


def accompanying(passage: Passage) -> frozenset[int]:
    """The indices of the sentences of a passage that may be quoted beside one that states something.

    They are whole on their page, and no question, instruction, caption or heading.
    """
    texts = without_questions(passage.sentences)
    return frozenset(
        n for n, text in enumerate(texts)
        if n not in passage.broken and text and text not in passage.section
        and not _is_silent(text, text.lower())
        and (len(text.split()) > _HEADING or text.rstrip("\"'”’)")[-1:] in tuple(".!:;–—"))
    )  # fmt: skip


def _is_silent(text: str, start: str) -> bool:
    """True for a text that states nothing: a gap to fill, a question, an instruction, a caption, or a pointer to
    another part of the book. start: the text in lower case, without a list marker.
    """
    asks = only_asks(text) or start.startswith(_ASKS) or _INSTRUCTS.match(start)
    is_caption = start.startswith(_LABELS) and not definitions(text)
    return bool(asks or is_caption or _BLANK.search(text) or _ELSEWHERE.fullmatch(start))


def _states(sentence: str, *, is_item: bool) -> bool:
    """True for a whole sentence of 5 to 60 words that states something, a row of a table, a formula of at most 60
    words, and 2 to 60 words of a list item, which state something together with the opener of the list. Fragments,
    gaps to fill, questions, instructions, captions and headings state nothing."""
    if _is_silent(sentence, sentence.lower()):
        return False
    count = len(words(sentence))
    if (is_item and 2 <= count <= 60) or _ROW.fullmatch(sentence):
        return True
    if _FORMULA.fullmatch(sentence):
        return count <= 60
    is_whole = sentence[-1] in ".!" or ("?" in sentence and not only_asks(sentence))
    return bool(_STARTS.match(sentence)) and is_whole and 5 <= count <= 60


_BETWEEN = re.compile(r" ?; |, (?:and|but|while|whereas|so|yet) | (?:while|whereas) ")
"""The conjunction between two clauses that each state something."""
_AND = re.compile(r" (?:and|but) ")
_FEWEST = 4
"""The fewest words of a clause that becomes a sentence."""
_CONDITIONS = frozenset("if unless only until when whenever because not no never neither both although".split())


@lru_cache(maxsize=4096)
def claims_of(sentence: str) -> tuple[str, ...]:
    """The clauses of `sentence` as sentences, in order; `sentence` alone unless it splits into whole clauses."""
    parts = [part.strip(" ,") for part in _BETWEEN.split(" ".join(sentence.split())) if part.strip(" ,")]
    if len(parts) < 2 or any(len(part.split()) < _FEWEST for part in parts):
        return (sentence,)
    return tuple(part[0].upper() + part[1:] + ("" if part[-1] in ".!?" else ".") for part in parts)


@lru_cache(maxsize=4096)  # each pair is looked at when it is read, when it is decided and when it is stored
def clause_about(sentence: str, claim: str) -> str:
    """The one clause of `sentence` that has all words of `claim` that the sentence has, and begins with one of them
    unless `claim` is a question; `sentence` if there is no such clause, and if it states a condition, which no clause
    of it states alone.
    """
    clauses = [half for part in claims_of(sentence) for half in _halves(part)]
    if len(clauses) < 2 or _CONDITIONS & word_set(sentence):
        return sentence
    held = set(content(claim)) & set(content(sentence))
    asks = claim.rstrip().endswith("?")  # what a question asks for may be the word with which the clause begins
    own = [c for c in clauses if held and held <= set(content(c)) and (asks or held & set(content(c)[:1]))]
    return own[0] if len(own) == 1 else sentence


def _halves(clause: str) -> list[str]:
    """The two clauses around an "and" that share a word: "Asha leads red and Bilal leads blue."; else [clause]."""
    for joint in _AND.finditer(clause):
        first, second = clause[: joint.start()], clause[joint.end() :]
        if len(second.split()) >= _FEWEST and set(content(first)) & set(content(second)):
            return [f"{first}.", second[0].upper() + second[1:]]
    return [clause]
