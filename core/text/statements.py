"""Which sentences of a book state something: an answer is quoted from these alone."""

import re

from core.case import Passage
from core.text.answer_sentences import told
from core.text.lists import list_openers, without_list_marker
from core.text.verifiable_facts import defined
from core.text.words import words

_STARTS = re.compile(r"(?:[-–•]\s?)?[\"'“‘]?(?:[A-Z][a-z]*\b|[A-Z]{2,5}s? [a-z])")
"""A word with a capital letter, or a short name in capitals that a sentence goes on behind; a list's mark before it."""
_BLANK = re.compile(r"_{2,}|\.{4,}|\([a-d]\)")
_FORMULA = re.compile(r"[A-Za-z][^=.?!]*=[^=?!]+(?:=[^=?!]+)?")
"""What has a name, or a clause, on the left; it ends without a full stop, or in the number of its equation."""
_ASKS = (
    "exercise", "let us", "try ", "suppose", "discuss", "find ", "calculate ", "consider ", "draw ", "explain ",
    "imagine ", "look at ", "observe ", "recall ", "write ",
)  # fmt: skip
_INSTRUCTS = re.compile(
    r"(?:add|arrange|boil|bring|burn|choose|clean|collect|compare|connect|count|cover|cut|dip|divide|drop|fill|get|hang|"
    r"heat|hold|keep|light|make|measure|mix|multiply|pick|place|pour|prepare|press|put|record|remove|repeat|rub|shake|"
    r"stretch|subtract|take|tie|touch|use|verify|wash|weigh) (?:the|an?|some|about|it|them|this|that|these|those|your|"
    r"each|every|one|two|three|four|few|any|another|all|both) "
)
"""What an activity has its reader do: a verb, and what is to be taken."""
_ROW = re.compile(
    r"[A-Z][^\W\d_]*(?: \(?[^\W\d_][\w'’-]*\)?,?){1,9}:? "
    r"(?:[₹$€£] ?\d[\d.,]*(?<!\.)|\d[\d.,]* ?(?:%|°C|[^\W\d_][\w/³²]{0,11}))"
)
"""A row of a table: what it is, and how much, such as "Loud music 95 dB"."""
_ELSEWHERE = re.compile(
    r"\(?(?:(?:now|here|later|in this chapter),? )?(?:we|you) (?:shall|will|may) (?:now |also )?"
    r"(?:learn|study|discuss|read)\b.*"
    r"|[^,;:]{0,120}\b(?:is|are|was|were) (?:given|shown|depicted|discussed|described|explained|listed) in "
    r"(?:activit(?:y|ies)|figures?|fig\.|tables?|chapters?|sections?|units?|box)\b[^,;:]{0,20}",
    re.IGNORECASE,
)
"""What only says where something is told: "Another example is given in Table 2."."""
_HEADING = 8
"""Most words of a heading."""
_LABELS = ("activity", "example", "figure", "fig.")
"""What follows one of these is a task or a caption, unless it says what a word means."""


def stating(passage: Passage) -> frozenset[int]:
    """The places of the sentences of a passage that state something, and that its heading does not say already."""
    texts, openers = told(passage.sentences), list_openers(passage.sentences)
    return frozenset(
        n for n, text in enumerate(texts)
        if n not in passage.broken and text and text not in passage.section
        and (_states(without_list_marker(text)) or (openers[n] is not None and _names(text)))
    )  # fmt: skip


def accompanying(passage: Passage) -> frozenset[int]:
    """The places of the sentences of a passage that may stand beside one that states something: they stand whole on
    their page, and neither ask, nor order, nor are a caption or a heading."""
    texts = told(passage.sentences)
    return frozenset(
        n for n, text in enumerate(texts)
        if n not in passage.broken and text and text not in passage.section
        and not _is_silent(text, text.lower()) and not _is_heading(text)
    )  # fmt: skip


def _is_heading(text: str) -> bool:
    """True for a few words that no mark ends."""
    return len(text.split()) <= _HEADING and text.rstrip("\"'”’)")[-1:] not in tuple(".!:;–—")


def _is_silent(text: str, start: str) -> bool:
    """True for a gap to fill, a question, an instruction, a caption and what only points elsewhere. start: the text in
    lower case, from where it says something."""
    asks = "?" in text or start.startswith(_ASKS) or _INSTRUCTS.match(start)
    return bool(
        _BLANK.search(text) or asks or _ELSEWHERE.fullmatch(start) or (start.startswith(_LABELS) and not defined(text))
    )


def _states(sentence: str) -> bool:
    """True for a whole sentence of 5 to 60 words that states something, and for a formula of at most so many.

    A fragment of a list, a gap to fill, a question, an instruction, a caption and a heading state nothing.
    """
    if _is_silent(sentence, sentence.lower()):
        return False
    if _ROW.fullmatch(sentence):
        return True
    if _FORMULA.fullmatch(sentence):
        return len(words(sentence)) <= 60
    return bool(_STARTS.match(sentence)) and sentence[-1] in ".!" and 5 <= len(words(sentence)) <= 60


def _names(item: str) -> bool:
    """True for an item of a list that says something together with the sentence that opens the list: 2 to 60 words
    that ask, order and leave nothing out."""
    text = without_list_marker(item)
    return not _is_silent(text, text.lower()) and 2 <= len(words(text)) <= 60
