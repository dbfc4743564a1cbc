"""Prepares one PDF for the library: reads it, cuts it into passages and embeds them. Nothing is stored here."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

import numpy as np

from core.case import Passage
from core.library.chapter_titles import chapter_title
from core.library.documents import Document, LibraryError, Textbook, document_id, file_digest, losses_of
from core.library.passages import READING, DocumentPassages, passages_of
from core.library.pdf_reader import OCR, read_pages
from core.pdf.furniture import page_labels, without_furniture
from core.pdf.page import Page
from core.pdf.sandbox import Limits
from core.platform.jobs import Wait, report_waits, turn_at_models

_BATCH = 32


@dataclass(frozen=True, kw_only=True)
class Progress:
    """One progress report. step: "reading" or "embedding".

    document: its name. page: number of pages done (not the number of the current page, since pages are read in parallel
    and passages are embedded by length). pages: number of all pages. seconds_left: of this step, estimated from its
    pace. waiting: position in the queue for the models; None if the document does not wait.
    """

    document: str
    page: int
    pages: int
    step: str
    seconds_left: float
    waiting: Wait | None = None


Listener = Callable[[Progress], None]


@contextmanager
def report_step(
    listener: Listener | None, document: str, step: str, check_cancelled: Callable[[], None], pages: int = 0
) -> Iterator[Callable[[int, float], None]]:
    """Report the progress and the waits of one step of one document to a listener, if there is one.

    Yields the function that reports progress: of (number of pages of the document, share of the step that is done, in
    (0, 1]). check_cancelled: called with every report; a document that is cancelled ends its wait by Cancelled.
    """
    began = time.monotonic()
    last = Progress(document=document, page=0, pages=pages, step=step, seconds_left=0.0)

    def send(progress: Progress) -> None:
        nonlocal last
        last = progress
        if listener:
            listener(last)

    def report(pages: int, share: float) -> None:
        seconds_left = (time.monotonic() - began) * (1 - share) / share
        page = max(1, int(share * pages + 1e-9))
        send(replace(last, page=page, pages=pages, seconds_left=seconds_left, waiting=None))
        check_cancelled()

    def on_wait(wait: Wait | None) -> None:
        if wait:
            send(replace(last, waiting=wait))
        check_cancelled()

    with report_waits(on_wait):
        yield report


class Embedder(Protocol):
    """The interface of an embedding model. digest: identifies its weights."""

    digest: str

    def encode(self, texts: list[str]) -> np.ndarray:
        """Return unit vectors: (texts, d), float32."""


def embed_passages(passages: Sequence[Passage], embedder: Embedder, on_progress: Callable[[float], None]) -> np.ndarray:
    """Embed passages: (passages, d), float32, unit vectors in the order of `passages`.

    on_progress: called after every batch with the share of all characters that is done. If it raises, the work stops.
    """
    texts = [p.text for p in passages]
    longest_first = sorted(range(len(texts)), key=lambda index: -len(texts[index]))
    batches, done_count = [], 0
    for start in range(0, len(longest_first), _BATCH):
        batch = [texts[index] for index in longest_first[start : start + _BATCH]]
        with turn_at_models():  # between two batches, waiting questions get their turn
            batches.append(embedder.encode(batch))
        done_count += sum(map(len, batch))
        on_progress(done_count / sum(map(len, texts)))
    return np.concatenate(batches)[np.argsort(longest_first)]


@dataclass(frozen=True, kw_only=True)
class IngestionOutcome:
    """The result of an ingestion.

    added: False for a PDF that the library already held; nothing has changed then. replaced: the document that this
    one replaced: of the same name, class and subject, or of the same bytes.
    """

    document: Document
    added: bool
    replaced: Document | None = None


@dataclass(frozen=True, kw_only=True)
class PreparedDocument:
    """A document that is ready to be stored; its field `added` is set then.

    pages: as they were read. cut: its passages. vectors: (passages, d), unit vectors.
    """

    document: Document
    pages: tuple[Page, ...]
    cut: DocumentPassages
    vectors: np.ndarray


def settings_of(words: int) -> dict[str, int]:
    """The settings that shape the passages of a document. words: of a passage, at most."""
    return {"words": words, "reading": READING}


def prepare(
    data: bytes,
    name: str,
    book: Textbook,
    *,
    embedder: Embedder,
    words: int,
    limits: Limits,
    progress: Listener | None,
    check_cancelled: Callable[[], None],
) -> PreparedDocument:
    """Read, split and embed a PDF. Raises LibraryError if it has no text to read.

    check_cancelled: called often; an exception from it stops the work.
    """
    file, settings = file_digest(data), settings_of(words)
    id_ = document_id(file, settings)
    with report_step(progress, name, "reading", check_cancelled) as report:
        pages = read_pages(
            data, name, limits=limits, on_page=lambda n, of: report(of, n / of), check_cancelled=check_cancelled
        )
    cut = passages_of(
        pages, document_id=id_, document=name, textbook=book, words=words, check_cancelled=check_cancelled
    )
    if not cut.passages:
        raise LibraryError(f"{name} has no text but page numbers and running heads; {OCR}.")
    with report_step(progress, name, "embedding", check_cancelled, len(pages)) as report:
        vectors = embed_passages(cut.passages, embedder, partial(report, len(pages)))
    labels = page_labels(pages)
    document = Document(
        id=id_, name=name, class_number=book.class_number, subject=book.subject, chapter=book.chapter,
        pages=len(pages), passages=len(cut.passages), added="", settings=settings, file=file, embedder=embedder.digest,
        sentences=sum(len(p.sentences) for p in cut.passages), broken=sum(len(p.broken) for p in cut.passages),
        hidden=sum(page.hidden for page in pages),
        losses=losses_of(pages, without_furniture(pages)), labels=labels if any(labels) else (),
        title=chapter_title(pages, book.chapter),
    )  # fmt: skip
    return PreparedDocument(document=document, pages=pages, cut=cut, vectors=vectors)


def tidy_textbook(name: str, class_number: int | None, subject: str, chapter: str | int) -> Textbook:
    """Tidy the class, subject and chapter that a person gives. Raises LibraryError for a class outside 1 to 12."""
    if class_number is not None and not 1 <= class_number <= 12:
        raise LibraryError(f"The class of {name} must be from 1 to 12, got {class_number}.")
    return Textbook(
        class_number=class_number, subject=" ".join(subject.split()), chapter=" ".join(str(chapter).split())
    )
