"""Pages become passages: whole sentences of one document, each with its page and its place on it."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.case import Passage
from core.library.documents import LibraryError, Textbook
from core.pdf.footnotes import footnoted
from core.pdf.line_types import body_size, placed
from core.pdf.old_encodings import decoded
from core.pdf.page import BULLET, Page, Place
from core.pdf.page_labels import page_labels
from core.pdf.paragraphs import Part, fragments, parts
from core.pdf.split_words import joined
from core.pdf.table_rows import row_blocks
from core.pdf.text_blocks import Block, block
from core.pdf.text_cleaning import mended, whole_words
from core.pdf.turned_lines import views
from core.text.sentences import sentences

_ASKING = re.compile(r"\b(?:exercises?|questions?|quiz|problems?|test yourself|check your progress)\b", re.IGNORECASE)
_TELLING = re.compile(
    r"\b(?:did you know|do you know|know more|more to know|facts?|summary|what you have learnt)\b", re.I
)
_NUMBERED = re.compile(r"\(?\d{1,2}[.)]\s")
_LIST, _MOSTLY = 4, 0.5  # numbered items, and the share of them that asks, from which on a list is an exercise
_HEADING_WORDS = 6
READING = 7
"""Raise it when pages are read differently: the version of a library counts it."""

WORDS = 90
_LONGEST = 200
_TITLE = 10  # fewer words than this before a heading are its title, not a passage
_DANGLING = re.compile(r"^[=+×÷→]|[=+×÷→]$")  # what is left of a formula whose other half is drawn elsewhere
_PAUSE = re.compile(r"[;:,–—)]$")


def exercises(parts: Sequence[Part]) -> list[bool]:
    """For each part whether it belongs to an exercise.

    An exercise begins with a heading that says so and ends with the next heading of the same size or larger, or with a
    title that promises facts, such as "Did you know?"; a box whose title says so is one; so is a list of numbered items
    of which half are questions.
    """
    return [titled or listed for titled, listed in zip(_titled(parts), _listed(parts), strict=True)]


def _titled(parts: Sequence[Part]) -> Iterator[bool]:
    size, box = 0.0, None
    for part in parts:
        line = part.lines[0]
        if (part.kind in ("box", "heading") or line.line.bold) and _is_titled(part, _TELLING):
            size = 0.0
        if part.kind == "box" or (part.kind == "row" and line.box):
            if line.box != box and _asks(part):
                box = line.box
            yield line.box == box or size > 0
            continue
        if part.kind == "heading" and (_asks(part) or line.line.size >= 0.97 * size):
            size = line.line.size if _asks(part) else 0.0
        yield size > 0


def _asks(part: Part) -> bool:
    """Does a part begin with a short line that names an exercise?"""
    return _is_titled(part, _ASKING)


def _is_titled(part: Part, title: re.Pattern[str]) -> bool:
    """Does a part begin with a short line that holds `title`?"""
    return bool(title.search(part.first)) and len(part.first.split()) <= _HEADING_WORDS


def _listed(parts: Sequence[Part]) -> list[bool]:
    """Lists of numbered questions that no heading announces."""
    found = [False] * len(parts)
    start = 0
    while start < len(parts):
        end = start
        while end < len(parts) and parts[end].kind == parts[start].kind and parts[end].kind != "heading":
            end += 1
        places = [n for n in range(start, end) if _NUMBERED.match(parts[n].first)]
        asked = sum(parts[n].last.rstrip().endswith("?") for n in places)
        if len(places) >= _LIST and asked >= _MOSTLY * len(places):
            found[places[0] : end] = [True] * (end - places[0])
        start = max(end, start + 1)
    return found


@dataclass(frozen=True, kw_only=True)
class Spoken:
    """A sentence with its places, at least one. kind: that of its block; exercise: it asks and tells nothing.

    whole: its letters are one run of the page, and nothing of it is missing at either end.
    """

    text: str
    places: tuple[Place, ...]
    kind: str
    exercise: bool = False
    whole: bool = True

    @property
    def page(self) -> int:
        return self.places[0][0]

    @property
    def heading(self) -> bool:
        return self.kind == "heading"


@dataclass(frozen=True, kw_only=True)
class Cut:
    """The passages of a document. places: for each passage and each of its sentences, where it stands."""

    passages: tuple[Passage, ...]
    places: tuple[tuple[tuple[Place, ...], ...], ...]


def passages_of(
    pages: Sequence[Page],
    *,
    document_id: str,
    document: str,
    textbook: Textbook = Textbook(),  # noqa: B008 - frozen
    words: int = WORDS,
    look: Callable[[], None] = lambda: None,
) -> Cut:
    """The passages of one document, of at most `words` words where its sentences allow it.

    A longer sentence is a passage of its own, in pieces of at most 200 words. A new passage begins at every
    heading, which stands at its start as a sentence and names the section of all that follow, and where
    exercises begin or end. look: called often; what it raises ends the work.
    """
    if words < 1:
        raise LibraryError(f"A passage must have room for at least 1 word, got {words}.")
    found: list[Passage] = []
    places, section = [], ""
    labels = {page.number: label for page, label in zip(pages, page_labels(pages), strict=True)}
    for group in _grouped(sentences_of(pages, look), words):
        section = ([s.text for s in group if s.heading] or [section])[-1]
        places.append(tuple(s.places for s in group))
        found.append(
            Passage(
                id=f"{document_id}:{len(found):04d}", sentences=tuple(s.text for s in group),
                pages=tuple(s.page for s in group), document=document, class_number=textbook.class_number,
                subject=textbook.subject, chapter=textbook.chapter, section=section,
                kind="exercise" if group[-1].exercise else "text",
                broken=tuple(n for n, s in enumerate(group) if not s.whole),
                labels=tuple(labels[s.page] for s in group) if any(labels.values()) else (),
            )
        )  # fmt: skip
    return Cut(passages=tuple(found), places=tuple(places))


def sentences_of(pages: Sequence[Page], look: Callable[[], None] = lambda: None) -> Iterator[Spoken]:
    """Every sentence of the mended pages, in order, once. look: called at every part."""
    shown = views(joined(decoded([mended(page) for page in pages])))
    lines = footnoted(placed(shown), body_size(shown))
    look()
    known, found = whole_words(line.text for line in lines), parts(lines)
    begun, left = fragments(found)
    for number, (part, asks) in enumerate(zip(found, exercises(found), strict=True)):
        look()
        if part.kind == "row":
            for row in row_blocks(part, known):
                yield from _pieces(row.text, 0, row, asks, cut_off=False)
            continue
        read, place = block(part, known), 0
        several = _sentences(read)
        for n, sentence in enumerate(several):
            place = read.text.index(sentence, place)
            cut = (n == 0 and number in begun) or (n == len(several) - 1 and number in left)
            yield from _pieces(sentence, place, read, asks, cut)
            place += len(sentence)


def _sentences(read: Block) -> list[str]:
    """The sentences of a block without the bullets before them; headings and captions are read as one."""
    found = sentences(read.text) if read.kind in ("prose", "box", "footnote") else [read.text]
    return [text for text in (sentence.removeprefix(BULLET).strip() for sentence in found) if text]


def _pieces(sentence: str, place: int, read: Block, asks: bool, cut_off: bool) -> Iterator[Spoken]:
    """`sentence` whole, or in pieces of at most 200 words, parted after a pause near the end of a piece."""
    tokens, first = sentence.split(), 0
    while first < len(tokens):
        last = min(len(tokens), first + _LONGEST)
        if last < len(tokens):
            pauses = [i for i in range(last - 50, last + 1) if _PAUSE.search(tokens[i - 1])]
            last = pauses[-1] if pauses else last
        piece = " ".join(tokens[first:last])
        end = place + len(piece)
        broken = cut_off or not read.is_whole(place, end) or bool(_DANGLING.search(piece))
        where = read.places_of(place, end)
        yield Spoken(text=piece, places=where, kind=read.kind, exercise=asks, whole=not broken)
        place, first = end + 1, last


def _grouped(spoken: Iterator[Spoken], words: int) -> Iterator[list[Spoken]]:
    """The sentences in runs, each of which becomes a passage."""
    group: list[Spoken] = []
    for sentence in spoken:
        if group and _begins(sentence, group, words):
            yield group
            group = []
        group.append(sentence)
    if group:
        yield group


def _begins(sentence: Spoken, group: list[Spoken], words: int) -> bool:
    """Does `sentence` start a new passage? Headings, and a title above one, stay with the text below."""
    if sentence.exercise != group[-1].exercise:
        return True
    if sentence.heading:
        return _count(s for s in group if not s.heading) >= _TITLE
    return not group[-1].heading and _count(group) + len(sentence.text.split()) > words


def _count(group: Iterable[Spoken]) -> int:
    return sum(len(s.text.split()) for s in group)
