"""Page texts become passages: whole sentences of one document, each with the page on which it begins."""

import re
from collections.abc import Iterable, Iterator, Sequence

from core.case import Passage
from core.library.errors import LibraryError
from core.library.furniture import without_furniture
from core.library.joining import Block, blocks
from core.library.mending import lines_of, sentences_in
from core.library.names import Textbook

READING = 1
"""Raise it when pages are read differently: the version of a library counts it."""

WORDS = 90
_LONGEST = 200
_TITLE = 10  # fewer words than this before a heading are its title, not a passage
_PAUSE = re.compile(r"[;:,–—)]$")

Spoken = tuple[str, int, bool]  # a sentence, the page on which it begins, whether it is a heading


def passages_of(
    pages: Sequence[str],
    *,
    document_id: str,
    document: str,
    textbook: Textbook = Textbook(),  # noqa: B008 - frozen
    words: int = WORDS,
) -> tuple[Passage, ...]:
    """The passages of one document, of at most `words` words where its sentences allow it.

    A longer sentence is a passage of its own, in pieces of at most 200 words. A new passage begins at every
    numbered heading, which stands at its start as a sentence and names the section of all that follow.
    """
    if words < 1:
        raise LibraryError(f"A passage must have room for at least 1 word, got {words}.")
    found, section = [], ""
    for group in _grouped(sentences_of(pages), words):
        texts, numbers, headings = zip(*group, strict=True)
        section = " ".join(t for t, h in zip(texts, headings, strict=True) if h) or section
        found.append(
            Passage(
                id=f"{document_id}:{len(found):04d}", sentences=texts, pages=numbers, document=document,
                class_number=textbook.class_number, subject=textbook.subject, chapter=textbook.chapter,
                section=section,
            )
        )  # fmt: skip
    return tuple(found)


def sentences_of(pages: Sequence[str]) -> Iterator[Spoken]:
    """Every sentence of the cleaned pages, in order, once."""
    for block in blocks(without_furniture([lines_of(page) for page in pages])):
        place = 0
        for sentence in [block.text] if block.heading else sentences_in(block.text):
            place = block.text.index(sentence, place)
            yield from _pieces(sentence, place, block)
            place += len(sentence)


def _pieces(sentence: str, place: int, block: Block) -> Iterator[Spoken]:
    """`sentence` whole, or in pieces of at most 200 words, parted after a pause near the end of a piece."""
    tokens = sentence.split()
    while tokens:
        cut = len(tokens)
        if cut > _LONGEST:
            pauses = [i for i in range(_LONGEST - 50, _LONGEST + 1) if _PAUSE.search(tokens[i - 1])]
            cut = pauses[-1] if pauses else _LONGEST
        piece = " ".join(tokens[:cut])
        yield piece, block.page_at(place), block.heading
        place, tokens = place + len(piece) + 1, tokens[cut:]


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
    text, _, heading = sentence
    if heading:
        return _count(s for s in group if not s[2]) >= _TITLE
    return not group[-1][2] and _count(group) + len(text.split()) > words


def _count(group: Iterable[Spoken]) -> int:
    return sum(len(text.split()) for text, _, _ in group)
