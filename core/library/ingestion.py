"""One PDF on its way into the library: read, cut into passages, embedded, with its progress; nothing is stored yet."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from core.case import Passage
from core.library.documents import Document, LibraryError, Textbook, document_id, file_digest, textbook
from core.library.losses import losses_of
from core.library.passages import READING, Cut, passages_of
from core.library.pdf_reader import OCR, read_pages, require_wanted
from core.pdf.page import Page
from core.pdf.page_labels import page_labels
from core.pdf.sandbox import LIMITS, Limits
from core.pdf.text_cleaning import without_furniture
from core.platform.jobs import TURNS, Wait, telling

_BATCH = 32


@dataclass(frozen=True, kw_only=True)
class Progress:
    """One report. step: "reading" or "embedding". seconds_left: of this step, from its pace so far.

    page: how many pages are done, not which: pages are read side by side, and passages embedded by length.
    waiting: where the document stands in the line of all that need models; None while it has its turn.
    """

    document: str
    page: int
    pages: int
    step: str
    seconds_left: float
    waiting: Wait | None = None


Listener = Callable[[Progress], None]


class Pace:
    """Tells a listener, if there is one, how one step of one document comes along."""

    def __init__(self, listener: Listener | None, document: str, step: str) -> None:
        self.listener, self.document, self.step = listener, document, step
        self.began = time.monotonic()
        self.last = Progress(document=document, page=0, pages=0, step=step, seconds_left=0.0)

    def tell(self, pages: int, share: float) -> None:
        """`share` of the step is done, in (0, 1], and so is that share of the `pages`."""
        left = (time.monotonic() - self.began) * (1 - share) / share
        page = max(1, int(share * pages + 1e-9))
        self._say(replace(self.last, page=page, pages=pages, seconds_left=left, waiting=None))

    def wait(self, pages: int, wait: Wait) -> None:
        """The step stands still until its turn comes."""
        self._say(replace(self.last, pages=pages, waiting=wait))

    def _say(self, progress: Progress) -> None:
        self.last = progress
        if self.listener:
            self.listener(progress)


class Embedder(Protocol):
    """What the library asks of an embedding model. `digest` names its weights."""

    digest: str

    def encode(self, texts: list[str]) -> np.ndarray:
        """(texts, d), float32, rows of length 1."""


def embedded(passages: Sequence[Passage], embedder: Embedder, tell: Callable[[float], None]) -> np.ndarray:
    """One unit vector a passage, in their order: (passages, d), float32.

    `tell` hears after every batch which share of all letters is done; what it raises ends the work.
    """
    texts = [p.text for p in passages]
    order = sorted(range(len(texts)), key=lambda place: -len(texts[place]))
    batches, done = [], 0
    for start in range(0, len(order), _BATCH):
        batch = [texts[place] for place in order[start : start + _BATCH]]
        with TURNS.taken():  # each batch comes after those who ask
            vectors = embedder.encode(batch)
        batches.append(_verified(vectors, len(batch)))
        done += sum(map(len, batch))
        tell(done / sum(map(len, texts)))
    return np.concatenate(batches)[np.argsort(order)]


def _verified(vectors: np.ndarray, rows: int) -> np.ndarray:
    """`vectors` when they are what an embedder owes, so that no broken one is ever stored."""
    array = np.asarray(vectors, dtype=np.float32)
    if array.ndim != 2 or len(array) != rows:
        raise LibraryError(f"The embedder must give {rows} vectors, one a passage, got the shape {array.shape}.")
    if not np.allclose(np.linalg.norm(array, axis=1), 1, atol=1e-3):
        raise LibraryError("The embedder must give vectors of length 1; normalise its output.")
    return array


@dataclass(frozen=True, kw_only=True)
class Ingested:
    """added is False for a PDF that the library already held; nothing has changed then.

    replaced: the document of the same name, class and subject, or of the same bytes, that made way for this one.
    """

    document: Document
    added: bool
    replaced: Document | None = None


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """A document that is ready to be stored, which is when it is added. vectors: (passages, d), of length 1."""

    document: Document
    pages: tuple[Page, ...]
    cut: Cut
    vectors: np.ndarray


@dataclass(frozen=True, kw_only=True)
class Ingestion:
    """How a document is prepared: by which embedder and limits, who hears of it, and whether it is still wanted."""

    embedder: Embedder
    words: int
    limits: Limits = LIMITS
    progress: Listener | None = None
    cancelled: Callable[[], bool] | None = None

    @property
    def settings(self) -> dict[str, int]:
        """What shapes the passages of a document, beside its bytes."""
        return {"words": self.words, "reading": READING}

    def prepared(self, data: bytes, name: str, place: Textbook) -> Prepared:
        """Read, cut and embed a PDF; LibraryError when there is nothing in it to read, Cancelled when unwanted."""
        file, reading = file_digest(data), Pace(self.progress, name, "reading")
        id_ = document_id(file, self.settings)
        with self._telling(reading):
            pages = read_pages(
                data, name, limits=self.limits, cancelled=self.cancelled, on_page=lambda n, of: reading.tell(of, n / of)
            )
        cut = passages_of(
            pages, document_id=id_, document=name, textbook=place, words=self.words,
            look=lambda: self.require_wanted(name),
        )  # fmt: skip
        if not cut.passages:
            raise LibraryError(f"{name} has no text but page numbers and running heads; {OCR}.")
        vectors = self._embedded(cut, name, len(pages))
        document = Document(
            id=id_, name=name, class_number=place.class_number, subject=place.subject, chapter=place.chapter,
            pages=len(pages), passages=len(cut.passages), added="",
            settings=self.settings, file=file, embedder=self.embedder.digest,
            sentences=sum(len(p.sentences) for p in cut.passages), broken=sum(len(p.broken) for p in cut.passages),
            hidden=sum(page.hidden for page in pages),
            losses=losses_of(pages, without_furniture(pages)), labels=_known(page_labels(pages)),
        )  # fmt: skip
        return Prepared(document=document, pages=pages, cut=cut, vectors=vectors)

    def require_wanted(self, name: str) -> None:
        """Raises Cancelled when nobody wants the document any more."""
        require_wanted(name, self.cancelled)

    @contextmanager
    def _telling(self, pace: Pace, pages: int = 0) -> Iterator[None]:
        """Whoever listens hears of every wait within the block, which a document that is not wanted ends."""

        def told(wait: Wait | None) -> None:
            if wait:
                pace.wait(pages, wait)
            self.require_wanted(pace.document)

        with telling(told):
            yield

    def _embedded(self, cut: Cut, name: str, pages: int) -> np.ndarray:
        pace = Pace(self.progress, name, "embedding")

        def tell(share: float) -> None:
            pace.tell(pages, share)
            self.require_wanted(name)

        with self._telling(pace, pages):
            return embedded(cut.passages, self.embedder, tell)


def _known(labels: tuple[str, ...]) -> tuple[str, ...]:
    """The labels, or nothing where none is known."""
    return labels if any(labels) else ()


def placed(
    name: str,
    class_number: int | None,
    subject: str | None,
    chapter: str | int | None,
    old: Sequence[Document] = (),
) -> Textbook:
    """What a person says of a file; for the rest what the last of its predecessors holds, or its name says."""
    guess = old[-1] if old else textbook(name)
    return said(
        name,
        guess.class_number if class_number is None else class_number,
        guess.subject if subject is None else subject,
        guess.chapter if chapter is None else chapter,
    )


def said(name: str, class_number: int | None, subject: str, chapter: str | int) -> Textbook:
    """What a person says of a file, tidied; LibraryError for a class that no school has."""
    if class_number is not None and not 1 <= class_number <= 12:
        raise LibraryError(f"The class of {name} must be from 1 to 12, got {class_number}.")
    return Textbook(
        class_number=class_number, subject=" ".join(subject.split()), chapter=" ".join(str(chapter).split())
    )


def moved(document: Document, place: Textbook) -> Document:
    """`document` at another place among the books."""
    return replace(document, class_number=place.class_number, subject=place.subject, chapter=place.chapter)
