"""Cuts the pages of a chapter into passages, with the page rectangles of each sentence."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.case import Passage
from core.library.documents import Document, Textbook
from core.pdf.exercises import exercises
from core.pdf.furniture import page_labels, views
from core.pdf.line_types import typed_lines
from core.pdf.page import BULLET, Page, PageRect
from core.pdf.paragraphs import fragments, parts
from core.pdf.table_rows import row_blocks
from core.pdf.text_blocks import Block, block
from core.pdf.text_cleaning import clean_page, decode_pages, whole_words
from core.text.sentences import sentences

READING = 9
"""Version of the reading. Raise it when pages are read differently: it is part of the settings of a document."""

WORDS = 90
_LONGEST = 200
_TITLE = 10  # text of fewer words before a heading is its title, not a passage
_DANGLING = re.compile(r"^[=+×÷→]|[=+×÷→]$")  # the rest of a formula whose other half is elsewhere on the page
_PAUSE = re.compile(r"[;:,–—)]$")


@dataclass(frozen=True, kw_only=True)
class LocatedSentence:
    """A sentence with its rectangles on the pages, at least one.

    kind: the kind of the text block that it comes from, such as heading or prose. exercise: True if it belongs to an
    exercise or to a text for teachers. whole: True if its letters are consecutive in the file and nothing is missing at
    its start or end.
    """

    text: str
    rects: tuple[PageRect, ...]
    kind: str
    exercise: bool = False
    whole: bool = True

    @property
    def page(self) -> int:
        return self.rects[0][0]

    @property
    def heading(self) -> bool:
        return self.kind == "heading"


@dataclass(frozen=True, kw_only=True)
class DocumentPassages:
    """The passages of a document. rects: for each passage and each of its sentences, the page rectangles."""

    passages: tuple[Passage, ...]
    rects: tuple[tuple[tuple[PageRect, ...], ...], ...]


def passages_of(
    pages: Sequence[Page],
    *,
    document_id: str,
    document: str,
    textbook: Textbook = Textbook(),  # noqa: B008 - cannot be changed
    words: int = WORDS,
    check_cancelled: Callable[[], None] = lambda: None,
) -> DocumentPassages:
    """Cut one document into passages of at most `words` words, at the ends of sentences.

    A sentence with more words is a passage of its own, in pieces of at most 200 words. A new passage begins at each
    heading, and where exercises begin or end. A heading is the first sentence of its passage, and names the section of
    the passages that follow. check_cancelled: called often; an exception from it stops the work.
    """
    passages: list[Passage] = []
    sentence_rects, section = [], ""
    labels = {page.number: label for page, label in zip(pages, page_labels(pages), strict=True)}
    for group in _group_sentences(sentences_of(pages, check_cancelled), words):
        section = ([s.text for s in group if s.heading] or [section])[-1]
        sentence_rects.append(tuple(s.rects for s in group))
        passages.append(
            Passage(
                id=f"{document_id}:{len(passages):04d}", sentences=tuple(s.text for s in group),
                pages=tuple(s.page for s in group), document=document, class_number=textbook.class_number,
                subject=textbook.subject, chapter=textbook.chapter, section=section,
                kind="exercise" if group[-1].exercise else "text",
                broken=tuple(n for n, s in enumerate(group) if not s.whole),
                labels=tuple(labels[s.page] for s in group) if any(labels.values()) else (),
            )
        )  # fmt: skip
    return DocumentPassages(passages=tuple(passages), rects=tuple(sentence_rects))


def sentences_of(
    pages: Sequence[Page], check_cancelled: Callable[[], None] = lambda: None
) -> Iterator[LocatedSentence]:
    """Yield every sentence of the pages in reading order, once. check_cancelled: called at every part."""
    lines = typed_lines(views(decode_pages([clean_page(page) for page in pages])))
    check_cancelled()
    known_words, text_parts = whole_words(line.text for line in lines), parts(lines)
    torn_starts, torn_ends = fragments(text_parts)
    for number, (part, is_exercise) in enumerate(zip(text_parts, exercises(text_parts), strict=True)):
        check_cancelled()
        if part.kind == "row":
            for row in row_blocks(part, known_words):
                yield from _pieces(row.text, 0, row, is_exercise, is_cut=False)
            continue
        text_block, start = block(part, known_words), 0
        # A heading, a caption or a row is one sentence.
        texts = sentences(text_block.text) if text_block.kind in ("prose", "box", "footnote") else [text_block.text]
        block_sentences = [text for text in (sentence.removeprefix(BULLET).strip() for sentence in texts) if text]
        for n, sentence in enumerate(block_sentences):
            start = text_block.text.index(sentence, start)
            is_cut_off = (n == 0 and number in torn_starts) or (n == len(block_sentences) - 1 and number in torn_ends)
            yield from _pieces(sentence, start, text_block, is_exercise, is_cut_off)
            start += len(sentence)


def _pieces(sentence: str, start: int, block_: Block, is_exercise: bool, is_cut: bool) -> Iterator[LocatedSentence]:
    """Yield `sentence`, or pieces of it with at most 200 words, each split after a pause near its end.

    start: index in the text of its block at which the sentence starts. is_cut: True if text is missing before or after
    the sentence.
    """
    tokens, first = sentence.split(), 0
    while first < len(tokens):
        last = min(len(tokens), first + _LONGEST)
        if last < len(tokens):
            pauses = [i for i in range(last - 50, last + 1) if _PAUSE.search(tokens[i - 1])]
            last = pauses[-1] if pauses else last
        piece = " ".join(tokens[first:last])
        end = start + len(piece)
        is_fragment = is_cut or not block_.is_whole(start, end) or bool(_DANGLING.search(piece))
        where = block_.rects_of(start, end)
        yield LocatedSentence(text=piece, rects=where, kind=block_.kind, exercise=is_exercise, whole=not is_fragment)
        start, first = end + 1, last


def _group_sentences(sentences_: Iterator[LocatedSentence], words: int) -> Iterator[list[LocatedSentence]]:
    """Yield the sentences of each passage. words: maximum length of a passage."""
    group: list[LocatedSentence] = []
    for sentence in sentences_:
        if not group:
            is_next = False
        elif sentence.exercise != group[-1].exercise:
            is_next = True
        elif sentence.heading:  # it, or a title above it, is in one passage with the text below it
            is_next = _word_count(s for s in group if not s.heading) >= _TITLE
        else:
            is_next = not group[-1].heading and _word_count(group) + len(sentence.text.split()) > words
        if is_next:
            yield group
            group = []
        group.append(sentence)
    if group:
        yield group


def _word_count(group: Iterable[LocatedSentence]) -> int:
    return sum(len(s.text.split()) for s in group)


SentenceRects = tuple[PageRect, ...]


def document_of(passage_id: str) -> str:
    """The document id in a passage id."""
    return passage_id.partition(":")[0]


def marks_of(rects: Sequence[Sequence[PageRect]], sentences: Iterable[int]) -> tuple[PageRect, ...]:
    """The page rectangles of the sentences with these indices. rects: those of every sentence; an index beyond its end
    adds nothing.
    """
    return tuple(tuple(mark) for i in sentences if i < len(rects) for mark in rects[i])


def passage_row(passage: Passage) -> dict[str, Any]:
    """What is stored of a passage. The rest is stored with its document."""
    return {
        "section": passage.section, "sentences": passage.sentences, "pages": passage.pages, "kind": passage.kind,
        "broken": passage.broken, "labels": passage.labels,
    }  # fmt: skip


def passage_from(id_: str, row: Mapping[str, Any], document: Document) -> Passage:
    """The passage of a stored row."""
    return Passage(
        id=id_, sentences=tuple(row["sentences"]), pages=tuple(row["pages"]), section=row["section"], kind=row["kind"],
        broken=tuple(row["broken"]), labels=tuple(row["labels"]), document=document.name,
        class_number=document.class_number, subject=document.subject, chapter=document.chapter, title=document.title,
    )  # fmt: skip
