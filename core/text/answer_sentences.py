"""Answers read into sentences with their citations, whether a sentence can stand without the one before
it, and what a passage only asks."""

import re
from collections.abc import Sequence
from itertools import pairwise

from core.case import CaseError, Draft, Question, Sentence
from core.text.sentences import sentences
from core.text.words import content, visible, words

_LINKS = (
    r"(?:however|but|and|or|so|then|thus|therefore|hence|also|besides|moreover|similarly|likewise|instead|otherwise)\b"
)
_POINTERS = (
    r"(?:it|its|this|that|these|those|they|them|their|he|his|she|her|such|both|another|other|the (?:former|latter|same"
    r"|other|first|second|third))\b"
)
_LEANS = re.compile(rf"[\"'“‘(]*(?:{_LINKS}|{_POINTERS})", re.IGNORECASE)
_POINTS = re.compile(
    rf"[\"'“‘(]*(?:(?:{_LINKS},?\s+)?{_POINTERS}|(?:[\w'’-]+\s+){{0,2}}(?:of|in|by|for|from|with)\s+(?:this|these|such)\b)",
    re.IGNORECASE,
)
"""A pointing word first, or soon behind a preposition: "Exchange of this kind is called barter"."""
_SOON = re.compile(r"\W*(?:[\w'’-]+\W+){0,3}(?:it|they|them|he|she|this|these|those)\b", re.IGNORECASE)
"""Among its first words a pronoun has nothing before it in the sentence to stand for."""
_STARTS = re.compile(r"[\"'“‘]?[A-Z0-9]")
_GOES_ON = re.compile(r"[a-z](?![.)])")
_ENDS = (".", "!", "?", "।", ":", ";")
_FEWEST, _MOST = 4, 60
_FRAGMENT = 3
"""Fewer words than these may say nothing by themselves: passages bear each of "Sound", "travel" and "vacuum" out."""
_ASKS = re.compile(r"\b(?:what|which|who|whom|whose|when|where|why|how)\b", re.IGNORECASE)
_OFFERS = re.compile(
    r"\bor\b|(?:^|[.,;:]\s+)(?:am|is|are|was|were|do|does|did|can|could|will|would|has|have|should|must|may)\b[^.?!]*\?",
    re.IGNORECASE,
)
"""The question holds its answer: a choice, or a question for yes or no."""
_ORDERS = re.compile(
    r"\W*(?:\(?(?:\d{1,2}|[a-z]|[ivx]+)[.)]\s*)?(?:Calculate|Classify|Compare|Define|Describe|Differentiate|Discuss"
    r"|Distinguish|Explain|Find|Give|List|Mention|Name|Outline|Show|State|Suggest|Write) (?:the|an?|any|at|between|down"
    r"|how|in|one|some|two|three|what|which|why|with|your)\b"
)
"""What a pupil is to do, and with what; the number of an item may stand before it."""
_TELLS = re.compile(r"\b(?:do|did|have) you (?:know|noticed) that\b", re.IGNORECASE)
"""A statement in the form of a question: "Do you know that a kite needs no motor?"."""
_ITEM = re.compile(r"\W*\d{1,2}\.(?!\d)")
_LONGEST_ITEM = 5
"""Most sentences of an item up to the one that asks: "A book lies on a desk. It begins to slide. Why?"."""
MAX_CHARACTERS = 20_000
"""Longest answer that is judged."""
_MARK = re.compile(
    r"\s*\[(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\](?=\s*(?:$|[.,;:!?।)\[]|(?:and|but|or|which|while|because|so)\b))"
)
"""A mark ends a clause; a number in brackets elsewhere is part of what is said."""
_BREAKS = re.compile(r"\n(?!\[)(?:[-*•–]\s+|\d{1,2}[.)]\s+)?|;\s+|(?<=[a-z)\]][.!?])(?=[A-Z])")
"""Where an answer goes on to something else without a full stop and a space: lines, semicolons, a missing space."""


def leans(sentence: str) -> bool:
    """True when the sentence begins by pointing back, as "It is green" and "However, ..." do."""
    return _LEANS.match(sentence) is not None


def points_back(sentence: str) -> bool:
    """True when a reader has to know the sentence before to know what this one is about: "Thus, it is green" does
    that, "Thus, a leaf is green" only follows from what was said.
    """
    return _POINTS.match(sentence) is not None


def stands_alone(sentence: str) -> bool:
    """True for a whole statement that needs no other sentence: no question, no fragment, nothing that points back."""
    whole = bool(_STARTS.match(sentence)) and sentence.rstrip("\"'”’)")[-1:] in (".", "!")
    points = leans(sentence) or _SOON.match(sentence) is not None
    return whole and _FEWEST <= len(words(sentence)) <= _MOST and not points


def told(found: Sequence[str]) -> tuple[str, ...]:
    """The sentences of a passage, "" for those that only ask: the items of an exercise, and questions left open.

    They say again what a pupil asks, so that every model takes them for what is nearest to it; they answer nothing.
    A question that a statement follows tells what that is about, as a heading does.
    """
    silent: set[int] = set()
    for i in reversed(range(len(found))):
        ordered, opened = _ORDERS.match(found[i]), i + 1 in silent or i + 1 == len(found)
        starts = [n for n in range(max(0, i - _LONGEST_ITEM + 1), i + 1) if _ITEM.match(found[n])]
        asks = "?" in found[i] and not _TELLS.search(found[i])
        if ordered or (asks and (starts or opened)):
            silent |= set(range(starts[-1] if starts else i, i + 1))
    return tuple("" if i in silent else sentence for i, sentence in enumerate(found))


def read_answer(text: str, *, writer: str, given: bool = False) -> Draft:
    """`text` as a draft: whole sentences, the numbers of marks such as [1] or [2, 3] taken out of the text.

    What does not show is no part of it, so that what is judged is what a person reads.
    """
    if len(text) > MAX_CHARACTERS:
        raise CaseError(f"An answer may have {MAX_CHARACTERS:,} characters, this one has {len(text):,}; shorten it.")
    text = visible(text)
    parts = [s for part in _BREAKS.split(_folded(text)) for s in sentences(part)]
    found = [_sentence(s) for s in _without_fragments(parts)]
    return Draft(text=text.strip(), sentences=tuple(s for s in found if s.text), writer=writer, given=given)


def _folded(text: str) -> str:
    """`text` with one line break before each line that says something, and one space where it has other white space:
    a pattern over white space of any length takes minutes for an answer that is full of it."""
    lines = [" ".join(line.split()) for line in text.split("\n") if line.strip()]
    return "".join(
        f" {line}" if n and _GOES_ON.match(line) and not lines[n - 1].endswith(_ENDS) else f"\n{line}"
        for n, line in enumerate(lines)
    )


def _without_fragments(parts: list[str]) -> list[str]:
    """The sentences; fragments are one with what stands beside them: they are judged, and go out, with that only.

    "Good morning!" and "Yes." are whole; words that follow each other, each with a full stop of its own, are not.
    """
    found = parts[:1]
    for before, part in pairwise(parts):
        short = [one for one in (before, part) if _is_short(one)]
        if len(short) == 2 or any(not _ends(one) for one in short):
            found[-1] += f" {part}"
        else:
            found.append(part)
    return found


def _is_short(text: str) -> bool:
    return len(words(without_marks(text))) < _FRAGMENT


def _ends(text: str) -> bool:
    return without_marks(text).rstrip("\"'”’)").endswith((".", "!", "?", "।"))


def echoes(query: str, sentence: str) -> bool:
    """True when `sentence` only says again what `query` says, which answers none that asks what, who, why or how.

    It may answer one for yes or no, and one that names what may be chosen: "Which is faster, sound or light?" So may
    one that points back to what it means: "This is displacement."
    """
    told, asks = set(content(sentence)), _ASKS.search(query) and not _OFFERS.search(query)
    return bool(told and asks) and told <= set(content(query)) and not points_back(sentence)


def given_draft(question: Question) -> Draft:
    """The answer that came with `question`, with its own citations unless it asks to be attributed."""
    draft = read_answer(question.answer or "", writer="given", given=True)
    citations = question.citations
    if question.attribute:
        citations = ((),) * len(draft.sentences)
    if citations is None:
        return draft
    if len(citations) != len(draft.sentences):
        raise CaseError(
            f"citations must be one list for each sentence: the answer has {len(draft.sentences)} sentences, "
            f"got {len(citations)} lists."
        )
    cited = zip(draft.sentences, citations, strict=True)
    own = [() if question.attribute else s.citations for s in draft.sentences]
    marked = tuple(
        Sentence(text=s.text, citations=tuple(dict.fromkeys((*c, *o)))) for (s, c), o in zip(cited, own, strict=True)
    )
    return Draft(text=draft.text, sentences=marked, writer=draft.writer, given=True)


def with_marks(sentences: tuple[Sentence, ...]) -> str:
    """The sentences as one text, each followed by its marks."""
    return " ".join(s.text + "".join(f" [{c}]" for c in s.citations) for s in sentences)


def without_marks(text: str) -> str:
    """`text` without its marks: those of another turn lead to passages that are not these."""
    return _MARK.sub("", text).strip()


def _sentence(text: str) -> Sentence:
    numbers = [int(n) for mark in _MARK.findall(text) for n in re.split(r"[,;]", mark)]
    return Sentence(text=without_marks(text), citations=tuple(dict.fromkeys(numbers)))
