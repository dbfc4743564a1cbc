"""Reads an answer into sentences with citations; tells whether a sentence depends on the one before it."""

import re
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from core.case import CaseError, Draft, Question, Sentence, with_marks
from core.text.abstentions import abstains
from core.text.answer_layout import statements, without_emphasis
from core.text.citation_marks import STAND_IN, numbers_of, with_stand_ins, without_stand_ins
from core.text.given_answer import plain_answer
from core.text.lexicon import any_of, listed
from core.text.sentences import sentences
from core.text.small_talk import affirms, is_said_to_reader, stated
from core.text.words import content, words

_LINKS = rf"(?:{any_of('linking words')})\b"
_POINTERS = rf"(?:{any_of('pointing words')}|the (?:former|latter|same|other|first|second|third))\b"
_LEANS = re.compile(rf"[\"'“‘(]*(?:{_LINKS}|{_POINTERS})", re.IGNORECASE)
_POINTS = re.compile(
    rf"[\"'“‘(]*(?:(?:{_LINKS},?\s+)?{_POINTERS}|(?:[\w'’-]+\s+){{0,2}}(?:of|in|by|for|from|with)\s+(?:this|these|such)\b"
    r"|but\b|one,|for (?:example|instance)\b|(?:remarks?|solution)\s?:)",
    re.IGNORECASE,
)
"""The sentence begins with a pointing word, with an example or a contrast, with the first of several things, or with a
label; or it soon has a pointing word after a preposition: "Exchange of this kind is ..."."""
_PERSON_POINTS = re.compile(
    r"[\"'“‘(]*(?:(?!(?:when|if|as|because|since|while|although|though|once|unless)\b)(?:[\w'’-]+\s+){0,4}[\w'’-]+,|(?:in|by|until|since|after|before)\s+\d{3,4})\s+(?:he|she|they)\b",
    re.IGNORECASE,
)
"""An unnamed person after a few words: "Most famously, she rebuilt the temple", "In 1920 he returned"."""
_SOON = re.compile(r"\W*(?:[\w'’-]+\W+){0,3}(?:it|they|them|he|she|this|these|those)\b", re.IGNORECASE)
"""A pronoun among the first words of a sentence, where no noun of the sentence precedes it that it could refer to."""
_STARTS = re.compile(r"[\"'“‘]?[A-Z0-9]")

_FEWEST, _MOST = 4, 60
_FRAGMENT = 3
"""A piece with fewer words may state nothing alone: passages support each of "Sound", "travel" and "vacuum"."""
MAX_CHARACTERS = 20_000
"""The most characters of an answer that the checks accept."""
_BREAK = re.compile(r";\s+|(?<=[a-z)\]][.!?])(?=[A-Z])")
"""Sentence ends that the splitter does not see: a semicolon, or a full stop without a space after it."""
_REFERS = r"(?:according to|as (?:[a-z]+ )?(?:in|by)|as per|based on)"
_REFERS_FIRST = re.compile(rf"(?:^|(?<=[.!?:] )|(?<=\n)){_REFERS}({STAND_IN.pattern}),?[ ]?([A-Za-z])", re.IGNORECASE)
_REFERS_LAST = re.compile(rf",?[ ](?:{_REFERS}|see)({STAND_IN.pattern})(?=[.!?,;\n]|$)", re.IGNORECASE)
"""Words that only introduce a mark: "According to [1], sound ..." is read as "Sound ... [1]"."""

_NAME = (
    r"(?:sources?|references?|citations?|cited (?:sources?|passages?)|bibliography|footnotes?|works cited"
    r"|(?:sources?|passages?|references?)[ \t]+(?:used|cited))"
)
_HEADING = re.compile(rf"[\s#>*_\-]{{0,8}}{_NAME}[*_ \t]{{0,4}}(?::[*_]{{0,3}}(?P<rest>.*)|$)", re.IGNORECASE)
_BEHIND = re.compile(rf"(?<=[.!?।\U000F0000-\U000FFFFD])[ \t]{{1,9}}[*_]{{0,3}}{_NAME}:[*_]{{0,3}}", re.IGNORECASE)
_MARKER = re.compile(r"(?:[-*+•–]|\(?\d{1,2}[.):]?)(?:\s+|$)")
_SMALL = frozenset(listed("words of a source"))
"""Words of a source in lower case."""
_SAYS = frozenset(listed("verbs of a claim"))
"""Words, in any case, that make a line a claim."""
_LOCATED = re.compile(
    r"\b(?:pp?\.?|pg\.?|pages?|chapters?|ch\.?|class|vol\.?|sections?)\s?\d|https?://|www\.|\.pdf\b", re.IGNORECASE
)
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|[\w-]+\.(?:pdf|docx?|txt|html?|md|epub)\b")
_MOST_WORDS = 25


def leans(sentence: str) -> bool:
    """True if the sentence does not begin a thought: it begins with a pointing or linking word, as "It is green" and
    "For example, ..." do, or refers back soon after its start (see `has_back_reference`).
    """
    return _LEANS.match(sentence) is not None or has_back_reference(sentence)


def has_back_reference(sentence: str) -> bool:
    """True if a reader needs the sentence before this one to know its subject: "Thus, it is green" refers back, "Thus,
    a leaf is green" does not. A sentence about a person whom it does not name refers back too."""
    return _POINTS.match(sentence) is not None or _PERSON_POINTS.match(sentence) is not None


def is_self_contained(sentence: str) -> bool:
    """True for a whole statement of 4 to 60 words: no question, no fragment, nothing that refers back."""
    whole = bool(_STARTS.match(sentence)) and sentence.rstrip("\"'”’)")[-1:] in (".", "!")
    points = leans(sentence) or _SOON.match(sentence) is not None
    return whole and _FEWEST <= len(words(sentence)) <= _MOST and not points


def read_answer(text: str, *, writer: str, given: bool = False, whole: bool = True, talk: bool = False) -> Draft:
    """`text` as a draft: its sentences, each with the numbers of the passages that its citation marks name.

    The checks judge what a person reads (`given_answer.plain_answer`). Markdown signs, citation marks and a list of
    sources are no part of a sentence; titles, small talk and a sentence that was said before are left out, unless there
    is nothing else. given: whether the answer came with the question. whole: False for a text that was cut off; an
    unfinished last sentence is then dropped, unless it is the only one. talk: whether small talk stays.
    Raises CaseError for more than MAX_CHARACTERS characters.
    """
    if len(text) > MAX_CHARACTERS:
        raise CaseError(f"An answer may have {MAX_CHARACTERS:,} characters, this one has {len(text):,}; shorten it.")
    text = plain_answer(text)
    # Words that only introduce a mark go; the mark moves into the sentence.
    body, marks = with_stand_ins(text)
    body = _REFERS_FIRST.sub(lambda m: m[2].upper() + m[1], body)
    body, sources = _split_sources(_REFERS_LAST.sub(r"\1", body))
    begins, ends = body.lstrip(" \n-*•>#"), body.rstrip(' \n.!?।*_"”')[-1:]
    parts = _parts(body, first=bool(STAND_IN.match(begins)) and not STAND_IN.match(ends))
    if not whole and len(parts) > 1 and not _ends(parts[-1].text):
        parts = parts[:-1]
    asides = frozenset() if talk else _asides(parts)
    parts = parts if talk else _without_talk([part for n, part in enumerate(parts) if n not in asides])
    once = parts if talk else _without_repeats(parts)
    has_repeats, parts = len(once) < len(parts), _share_marks(_without_fragments(once))
    for_all = [marks[n] if isinstance(n, str) else (n,) for n in sources]
    has_marks, cited = any(part.marks for part in parts), []
    for part in (part for part in parts if part.text):
        own = [marks[m] for m in part.marks] if has_marks else for_all
        numbers = tuple(dict.fromkeys(number for mark in own for number in mark))
        unreadable = sum(not mark for mark in own)  # a mark without numbers
        is_inherited = part.inherited if has_marks else bool(for_all)
        cited.append(Sentence(text=part.text, citations=numbers, unreadable=unreadable, inherited=is_inherited))
    # What is taken for talk by its place alone is not judged, so it must not go out either.
    text = with_marks(tuple(cited)) if has_repeats or asides else text.strip()
    return Draft(text=text, sentences=tuple(cited), writer=writer, given=given)


@dataclass(frozen=True, kw_only=True)
class _Part:
    """A sentence of an answer, the stand-ins of its marks (citation_marks.STAND_IN), and its paragraph, from 0.

    inherited: True if the marks are those of another sentence of the paragraph.
    """

    text: str
    marks: str
    paragraph: int
    inherited: bool = False


def _parts(text: str, *, first: bool) -> list[_Part]:
    """The sentences of `text` with their marks. Each item of a list gets the text and the marks of its opening.
    first: whether marks precede their sentence."""
    parts: list[_Part] = []
    lines = statements(text, marks_first=first)
    titles = not all(one.heading for one in lines)
    for one in lines:
        if titles and (_is_title(one.text) if one.heading else one.bold and not stated(f"{one.text}:")):
            continue
        opens = stated(without_stand_ins(one.opening))
        *others, opening = _sentences_of(one.opening, one.paragraph, first) if opens else [None]
        own = _sentences_of(one.text, one.paragraph, first)
        if opening:
            parts += [part for part in others if part not in parts]
            whole = replace(own[0], text=f"{opening.text} {own[0].text}", marks=opening.marks + own[0].marks)
            own = [whole, *own[1:]]
        parts += own
    return parts


def _sentences_of(text: str, paragraph: int, first: bool) -> list[_Part]:
    """The sentences of one statement, each with the marks inside it and after it (with `first`: before it)."""
    plain, offsets = "", []
    for piece in re.split(f"({STAND_IN.pattern})", " ".join(text.split())):
        if STAND_IN.match(piece):
            offsets.append((piece, len(plain)))
        else:
            plain += piece if plain and not plain.endswith(" ") else piece.lstrip()
    plain, spans, end = plain.rstrip(), [], 0
    for sentence in (sentence for piece in _BREAK.split(plain) for sentence in sentences(piece)):
        start = plain.index(sentence, end)
        end = start + len(sentence)
        spans.append((start, end))
    spans = spans or [(0, len(plain))]
    marks = [""] * len(spans)
    for mark, offset in offsets:  # a mark belongs to the sentence around it, else to an adjacent one
        n = next((n for n, (_, end) in enumerate(spans) if end >= offset), len(spans) - 1)
        if first and offset == spans[n][1] and n + 1 < len(spans):
            n += 1
        elif not first and n and offset <= spans[n][0]:
            n -= 1
        marks[n] += mark
    return [
        _Part(text=plain[start:end], marks=m, paragraph=paragraph) for (start, end), m in zip(spans, marks, strict=True)
    ]


def _without_talk(parts: list[_Part]) -> list[_Part]:
    """The sentences without small talk, whose marks go to the sentence before it, if one of them states something. A
    bare yes or no is joined to the sentence that it opens."""
    stating: list[_Part] = []
    for part in parts:
        text = stated(part.text)
        last = stating[-1] if stating else None
        if last and not text:
            stating[-1] = replace(last, marks=last.marks + part.marks)
        elif last and _ends(last.text) and len(words(last.text)) < _FRAGMENT and affirms(last.text):
            stating[-1] = replace(part, text=f"{last.text} {text}", marks=last.marks + part.marks)
        elif text:
            stating.append(replace(part, text=text))
    return stating if any(not abstains(part.text) for part in stating) else parts


def _asides(parts: list[_Part]) -> frozenset[int]:
    """The indices of the sentences before and after an answer that speak to the reader, have no mark and share no word
    with it: "Happy to help with your homework.", "Does that make sense?". None of them is plain small talk.
    """
    stated_texts = [stated(part.text) for part in parts]
    talks = [not text or is_said_to_reader(text) for text in stated_texts]
    core = [n for n, is_talk in enumerate(talks) if not is_talk]
    if all(abstains(parts[n].text) for n in core):
        return frozenset()
    said = {word for part in parts[core[0] : core[-1] + 1] for word in content(part.text)}
    edges = (*range(core[0]), *range(core[-1] + 1, len(parts)))
    return frozenset(
        n for n in edges if stated_texts[n] and not parts[n].marks and not said & set(content(stated_texts[n]))
    )


def _without_repeats(parts: list[_Part]) -> list[_Part]:
    """Each sentence once, with the marks of its repeats."""
    once: dict[str, _Part] = {}
    for part in parts:
        first = once.get(part.text)
        once[part.text] = replace(first, marks=first.marks + part.marks) if first else part
    return list(once.values())


def _without_fragments(parts: list[_Part]) -> list[_Part]:
    """The sentences, where each fragment is joined to the sentence before it.

    "Good morning!" and "Yes." are no fragments; single words in a row, each with its own full stop, are.
    """
    whole_parts = parts[:1]
    for before, part in pairwise(parts):
        short = [one for one in (before.text, part.text) if len(words(one)) < _FRAGMENT]
        if len(short) == 2 or any(not _ends(one) for one in short):
            last = whole_parts[-1]
            whole_parts[-1] = replace(last, text=f"{last.text} {part.text}", marks=last.marks + part.marks)
        else:
            whole_parts.append(part)
    return whole_parts


def _ends(text: str) -> bool:
    return text.rstrip("\"'”’)").endswith((".", "!", "?", "।"))


def _share_marks(parts: list[_Part]) -> list[_Part]:
    """The sentences, with marks shared in a paragraph: if it has a single mark, at its first or last sentence, the mark
    counts for all its sentences."""
    result: list[_Part] = []
    for _, paragraph in groupby(parts, key=lambda p: p.paragraph):
        group = list(paragraph)
        indices = [n for n, part in enumerate(group) if part.marks]
        if len(indices) == 1 and indices[0] in (0, len(group) - 1) and len(group[indices[0]].marks) == 1:
            mark = group[indices[0]].marks
            group = [replace(part, marks=mark, inherited=n != indices[0]) for n, part in enumerate(group)]
        result += group
    return result


def given_draft(question: Question) -> Draft:
    """The answer that came with `question` as a draft. Its citations are its marks and those of the question; none if
    the question asks for attribution. Raises CaseError if the citations are not one list for each sentence."""
    draft = read_answer(question.answer or "", writer="given", given=True)
    citations = question.citations
    if citations is not None and len(citations) != len(draft.sentences):  # the caller may count small talk too
        draft = read_answer(question.answer or "", writer="given", given=True, talk=True)
    if question.attribute:
        citations = ((),) * len(draft.sentences)
    if citations is None:
        return draft
    if len(citations) != len(draft.sentences):
        raise CaseError(
            f"citations must be one list for each sentence: the answer has {len(draft.sentences)} sentences, "
            f"got {len(citations)} lists."
        )
    sentences_ = []
    for sentence, numbers in zip(draft.sentences, citations, strict=True):
        own = () if question.attribute else sentence.citations
        is_inherited = sentence.inherited and bool(own) and not numbers
        sentences_.append(replace(sentence, citations=tuple(dict.fromkeys((*numbers, *own))), inherited=is_inherited))
    return replace(draft, sentences=tuple(sentences_))


def _split_sources(text: str) -> tuple[str, tuple[int | str, ...]]:
    """(`text` without its list of sources, the passages of the whole answer as numbers or stand-ins for marks).

    A line of the list that is no source is a claim, and stays. The passages apply to the whole answer only if the list
    holds nothing but numbers: "Sources: [1]"; else they are ().
    """
    lines = text.strip().split("\n")
    for index in range(len(lines) - 1, -1, -1):
        if match := _HEADING.fullmatch(lines[index]):
            return _split_entries(lines[:index], [match["rest"] or "", *lines[index + 1 :]])
    if (behind := list(_BEHIND.finditer(lines[-1]))) and _is_source(lines[-1][behind[-1].end() :]):
        return _split_entries([*lines[:-1], lines[-1][: behind[-1].start()]], [lines[-1][behind[-1].end() :]])
    # Without a list, only the notes at the end go: "[^1]: Science, page 3".
    end = len(lines)
    while end > 1 and (
        not (line := lines[end - 1].strip()) or (STAND_IN.match(line) and _LOCATED.search(line) and _is_source(line))
    ):
        end -= 1
    return "\n".join(lines[:end] if any(without_stand_ins(line).strip() for line in lines[:end]) else lines), ()


def _split_entries(body: list[str], entries: list[str]) -> tuple[str, tuple[int | str, ...]]:
    claims = [entry for entry in entries if entry.strip() and not _is_source(entry)]
    bare = [_bare(entry) for entry in entries if entry.strip() and entry not in claims]
    passages = [numbers_of(entry) for entry in bare if entry]
    for_all: tuple[int | str, ...] = ()
    if not claims and all(passages):
        for_all = (*STAND_IN.findall("".join(entries)), *(n for numbers in passages for n in numbers or ()))
    return "\n".join([*body, *claims]), for_all


def _is_source(entry: str) -> bool:
    """True for a title, a page, an address or a number; False for a line that states something."""
    words = [w.strip(".*_") for w in re.split(r"[\s,;:()\"“”‘’'/|–—-]+", _ADDRESS.sub(" ", _bare(entry)))]
    if len(words) > _MOST_WORDS or _SAYS & {w.lower() for w in words}:
        return False
    return all(not w or not w[0].islower() or w.lower() in _SMALL or w[-1].isdigit() for w in words)


def _is_title(heading: str) -> bool:
    """True for a heading that states nothing, such as "Properties of Sound"."""
    is_short = len(words(heading)) < _FRAGMENT or heading.endswith("?")
    return not any(c.isdigit() for c in heading) and (is_short or _is_source(heading))


def _bare(entry: str) -> str:
    """`entry` without its list marker, citation marks and emphasis. An entry of a number alone keeps the number."""
    plain = without_emphasis(without_stand_ins(entry).strip()).strip(" .:()")
    marker = _MARKER.match(plain)
    return plain[marker.end() :].strip() if marker and marker.end() < len(plain) else plain
