"""Answers read into sentences with their citations, whether a sentence can stand without the one before
it, and what a passage only asks."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from core.case import CaseError, Draft, Question, Sentence
from core.text.answer_layout import statements
from core.text.citation_marks import STAND_IN, marks_in, place_of, with_stand_ins
from core.text.sentences import sentences
from core.text.source_list import split_sources
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
_PERSON_POINTS = re.compile(
    r"[\"'“‘(]*(?:(?!(?:when|if|as|because|since|while|although|though|once|unless)\b)(?:[\w'’-]+\s+){0,4}[\w'’-]+,|(?:in|by|until|since|after|before)\s+\d{3,4})\s+(?:he|she|they)\b",
    re.IGNORECASE,
)
"""A person who is not named, behind a few words: "Most famously, she rebuilt the temple", "In 1920 he returned"."""
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
    r"\W*(?:\(?(?:\d{1,2}|[a-z]|[ivx]+)[.)]\s*)?(?:Calculate|Choose|Classify|Compare|Complete|Convert|Define|Describe"
    r"|Differentiate|Discuss|Distinguish|Explain|Fill|Find|Give|Identify|List|Match|Mention|Name|Outline|Select|Show"
    r"|State|Suggest|Tick|Write) (?:the|an?|any|at|between|down|how|in|one|some|two|three|what|which|why|with|your)\b"
    r"|\W*(?:\d{1,2}\.\s?)?(?:(?:For|In) (?:each of )?the following [a-z ]{3,30}, )?(?:[Mm]ark|[Ww]rite|[Pp]ut) "
    r"[\"'“‘(]?T\b"
)
"""What a pupil is to do, and with what; the number of an item may stand before it."""
_TELLS = re.compile(r"\b(?:do|did|have) you (?:know|noticed) that\b", re.IGNORECASE)
"""A statement in the form of a question: "Do you know that a kite needs no motor?"."""
_NUMBER_OF_ITEM = re.compile(r"^\W*(?:\d{1,2}\s?[.)]\s*|\([a-z]{1,4}\)\s*)+")
_PROBLEM, _DATA = 12, 5
"""Content words of a question that sets a problem, and of a sentence that repeats its data."""
_SAME_ITEM = 0.7
"""Share of the content words of an exercise's item that the question holds too, when both set the same problem."""
_CHOICES = re.compile(r"\((?:a|i)\)[^()]{1,80}\((?:b|ii)\)|will be\W*$")
"""What may be chosen behind a sentence that is left open: "The height will be (a) 3 m (b) 4 m"."""
_ITEM = re.compile(r"\W*\d{1,2}\.(?!\d)")
_LONGEST_ITEM = 5
"""Most sentences of an item up to the one that asks: "A book lies on a desk. It begins to slide. Why?"."""
MAX_CHARACTERS = 20_000
"""Longest answer that is judged."""
_BREAK = re.compile(r";\s+|(?<=[a-z)\]][.!?])(?=[A-Z])")
"""Where an answer goes on to something else without a full stop and a space: semicolons, a missing space."""
_REFERS = r"(?:according to|as (?:[a-z]+ )?(?:in|by)|as per|based on)"
_REFERS_FIRST = re.compile(rf"(?:^|(?<=[.!?:] )|(?<=\n)){_REFERS}({STAND_IN.pattern}),?[ ]?([A-Za-z])", re.IGNORECASE)
_REFERS_LAST = re.compile(rf",?[ ](?:{_REFERS}|see)({STAND_IN.pattern})(?=[.!?,;\n]|$)", re.IGNORECASE)
"""Words that only lead to a mark: "According to [1], sound ..." says "Sound ..."."""


def leans(sentence: str) -> bool:
    """True when the sentence begins by pointing back, as "It is green" and "However, ..." do."""
    return _LEANS.match(sentence) is not None


def points_back(sentence: str) -> bool:
    """True when a reader has to know the sentence before to know what this one is about: "Thus, it is green" does
    that, "Thus, a leaf is green" only follows from what was said. So does a person whom the sentence does not name.
    """
    return _POINTS.match(sentence) is not None or _PERSON_POINTS.match(sentence) is not None


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
        asks = ("?" in found[i] and not _TELLS.search(found[i])) or bool(_CHOICES.search(found[i]))
        if ordered or (asks and (starts or opened)):
            silent |= set(range(starts[-1] if starts else i, i + 1))
    return tuple("" if i in silent else sentence for i, sentence in enumerate(found))


def read_answer(text: str, *, writer: str, given: bool = False, whole: bool = True) -> Draft:
    """`text` as a draft: whole sentences, with the passages that citation marks name taken out of the text.

    What does not show is no part of it, so that what is judged is what a person reads. Signs of Markdown and a list of
    sources are no part of a sentence. whole: False for a text that was cut off, whose last sentence then goes unless
    it ends, or is all there is.
    """
    if len(text) > MAX_CHARACTERS:
        raise CaseError(f"An answer may have {MAX_CHARACTERS:,} characters, this one has {len(text):,}; shorten it.")
    text = visible(text)
    marks = [mark.numbers for mark in marks_in(text)]
    body, named = split_sources(_without_referring(with_stand_ins(text)))
    parts = _parts(body, first=_marks_come_first(body))
    if not whole and len(parts) > 1 and not _ends(parts[-1].text):
        parts = parts[:-1]
    parts = _inherited(_without_fragments(parts))
    found = tuple(_sentence(part.text, [marks[place_of(m)] for m in part.marks]) for part in parts if part.text)
    if not any(part.marks for part in parts):
        for_all = [marks[place_of(n)] if isinstance(n, str) else (n,) for n in named]
        found = tuple(_sentence(s.text, for_all) for s in found)
    return Draft(text=text.strip(), sentences=found, writer=writer, given=given)


@dataclass(frozen=True, kw_only=True)
class _Part:
    """A sentence of an answer with the stand-ins for its marks, and the paragraph in which it stands."""

    text: str
    marks: str
    paragraph: int


def _without_referring(text: str) -> str:
    """`text` without the words that only lead to a mark; the mark stands within the sentence that it opens."""
    text = _REFERS_FIRST.sub(lambda m: m[2].upper() + m[1], text)
    return _REFERS_LAST.sub(r"\1", text)


def _marks_come_first(text: str) -> bool:
    """True for an answer that puts its marks before its sentences: it begins with one, and ends without one."""
    return bool(STAND_IN.match(text.lstrip(" \n-*•>#"))) and not STAND_IN.match(text.rstrip(' \n.!?।*_"”')[-1:])


def _parts(text: str, *, first: bool) -> list[_Part]:
    """The sentences of `text`, each with its marks; those of the opening of a list belong to each of its items."""
    found: list[_Part] = []
    for one in statements(text, marks_first=first):
        *others, opening = _cut(one.opening, one.paragraph, first) if one.opening else [None]
        own = _cut(one.text, one.paragraph, first)
        if opening:
            found += [part for part in others if part not in found]
            joined = _Part(
                text=f"{opening.text} {own[0].text}", marks=opening.marks + own[0].marks, paragraph=one.paragraph
            )
            own = [joined, *own[1:]]
        found += own
    return found


def _cut(text: str, paragraph: int, first: bool) -> list[_Part]:
    """The sentences of one statement, each with the marks that stand in it, or behind it (`first`: before it)."""
    plain, places = "", []
    for piece in re.split(f"({STAND_IN.pattern})", " ".join(text.split())):
        if STAND_IN.match(piece):
            places.append((piece, len(plain)))
        else:
            plain += piece if plain and not plain.endswith(" ") else piece.lstrip()
    spans = _spans(plain.rstrip())
    marks = [""] * len(spans)
    for mark, place in places:
        marks[_owner(place, spans, first)] += mark
    return [
        _Part(text=plain[start:end], marks=m, paragraph=paragraph) for (start, end), m in zip(spans, marks, strict=True)
    ]


def _owner(place: int, spans: list[tuple[int, int]], first: bool) -> int:
    """Which of the sentences at `spans` a mark at `place` belongs to: the one around it, else the one beside it."""
    n = min(bisect_left(spans, place, key=lambda span: span[1]), len(spans) - 1)
    start, end = spans[n]
    if first and place == end and n + 1 < len(spans):
        return n + 1
    return n - 1 if not first and n and place <= start else n


def _spans(plain: str) -> list[tuple[int, int]]:
    """Where the sentences of `plain`, white space folded, begin and end."""
    spans, place = [], 0
    for piece in _BREAK.split(plain):
        for sentence in sentences(piece):
            start = plain.index(sentence, place)
            place = start + len(sentence)
            spans.append((start, place))
    return spans or [(0, len(plain))]


def _without_fragments(parts: list[_Part]) -> list[_Part]:
    """The sentences; fragments are one with what stands beside them: they are judged, and go out, with that only.

    "Good morning!" and "Yes." are whole; words that follow each other, each with a full stop of its own, are not.
    """
    found = parts[:1]
    for before, part in pairwise(parts):
        short = [one for one in (before.text, part.text) if len(words(one)) < _FRAGMENT]
        if len(short) == 2 or any(not _ends(one) for one in short):
            last = found[-1]
            found[-1] = replace(last, text=f"{last.text} {part.text}", marks=last.marks + part.marks)
        else:
            found.append(part)
    return found


def _ends(text: str) -> bool:
    return text.rstrip("\"'”’)").endswith((".", "!", "?", "।"))


def _inherited(parts: list[_Part]) -> list[_Part]:
    """The sentences, where the one mark of a paragraph, on its last or its first sentence, is the mark of each."""
    found: list[_Part] = []
    for _, paragraph in groupby(parts, key=lambda p: p.paragraph):
        group = list(paragraph)
        marked = [n for n, part in enumerate(group) if part.marks]
        if len(marked) == 1 and marked[0] in (0, len(group) - 1) and len(group[marked[0]].marks) == 1:
            group = [replace(part, marks=group[marked[0]].marks) for part in group]
        found += group
    return found


def echoes(query: str, sentence: str) -> bool:
    """True when `sentence` only says again what `query` says, which answers none that asks what, who, why or how.

    It may answer one for yes or no, and one that names what may be chosen: "Which is faster, sound or light?" So may
    one that points back to what it means: "This is displacement." Where a long question sets a problem, a sentence of
    some length that says the same repeats the data; the item of an exercise may say it in other words.
    """
    says, asked = set(content(_NUMBER_OF_ITEM.sub("", sentence))), content(query)
    asks = _ASKS.search(query) and not _OFFERS.search(query)
    sets_problem = len(asked) >= _PROBLEM and len(says) >= _DATA
    if sets_problem and _ITEM.match(sentence) and len(says & set(asked)) >= _SAME_ITEM * len(says):
        return True
    return bool(says and (asks or sets_problem)) and says <= set(asked) and not points_back(sentence)


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
    marked = tuple(replace(s, citations=tuple(dict.fromkeys((*c, *o)))) for (s, c), o in zip(cited, own, strict=True))
    return Draft(text=draft.text, sentences=marked, writer=draft.writer, given=True)


def with_marks(sentences: tuple[Sentence, ...]) -> str:
    """The sentences as one text, each followed by its marks."""
    return " ".join(s.text + "".join(f" [{c}]" for c in s.citations) for s in sentences)


def _sentence(text: str, marks: Sequence[tuple[int, ...]]) -> Sentence:
    """A sentence with the passages that its marks name; those that name none count as unreadable."""
    numbers = tuple(dict.fromkeys(number for mark in marks for number in mark))
    return Sentence(text=text, citations=numbers, unreadable=sum(not mark for mark in marks))
