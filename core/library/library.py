"""The library: stores PDFs, and gives their passages to searches; no reader sees a half-finished change.

It can also load the sample chapters of this project, so that a new library is not empty.
"""

import json
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from core.case import Passage, Scope
from core.library.chapter_titles import tidy_title
from core.library.documents import SAMPLE_MARK, Document, LibraryError, Manifests, Textbook, file_digest, safe_name
from core.library.ingestion import (
    Embedder,
    Ingestion,
    IngestionOutcome,
    Listener,
    PreparedDocument,
    guess_textbook,
    tidy_textbook,
    with_textbook,
)
from core.library.namesakes import predecessors, previous_version, require_unique_location, with_unique_names
from core.library.passages import EVERYWHERE, WORDS, LoadedPassages, SentenceRects
from core.library.pdf_reader import Pictures, require_page
from core.pdf.page import PageRect
from core.pdf.sandbox import LIMITS, Limits
from core.platform.access import operator, require

log = logging.getLogger(__name__)
SAMPLE = Path(__file__).parents[2] / "data" / "sample"


class Library:
    """The documents under one folder. Threads may share it; other processes may write to the same folder.

    Use only one `Library` for a folder in a process: Chroma would share its state between several.
    """

    def __init__(self, home: Path, embedder: Embedder, *, words: int = WORDS, limits: Limits = LIMITS) -> None:
        from core.library.storage import Storage  # the import of Chroma takes seconds, and the first screen needs none

        self.home, self.embedder, self.words, self.limits = Path(home), embedder, words, limits
        self._lock = threading.RLock()
        self._pictures = Pictures(limits)
        self._content = LoadedPassages(by_id={}, by_document={})
        self._storage = Storage(self.home, embedder.digest)
        with operator():  # the renewal needs no permission of the current user
            self._renew()

    @property
    def version(self) -> str:
        """A digest that changes whenever the content does, in any process."""
        return self._storage.manifests.version()

    def documents(self) -> tuple[Document, ...]:
        """All documents in the order in which they were added. No two have the same name."""
        return with_unique_names(self._stored_documents)

    def document(self, id_: str) -> Document:
        """The document with this id. Raises LibraryError if there is none."""
        for document in self.documents():
            if document.id == id_:
                return document
        raise LibraryError(f"The library holds no document {id_!r}; see the table of documents for those it has.")

    def pdf(self, id_: str) -> Path:
        """Path of the library's own copy of a document."""
        return self._storage.pdf(self.document(id_).id)

    def passages(self) -> tuple[Passage, ...]:
        """Every passage, in the order of documents and pages. The same objects are returned until the
        library changes."""
        return self._current_passages().passages

    def passage(self, id_: str) -> Passage:
        """The passage with this id. Raises LibraryError if there is none."""
        return self._current_passages().passage(id_)

    def sentence_rects(self, passage_id: str) -> tuple[SentenceRects, ...]:
        """The positions of a passage's sentences on their pages: one entry per sentence."""
        self.passage(passage_id)
        document, _, index = passage_id.rpartition(":")
        return self._storage.passage_store.sentence_rects(self.document(document), int(index))

    def raw_page(self, document_id: str, page: int) -> str:
        """The text of a page, counted from 1, as the file has it, before any cleaning."""
        document = self.document(document_id)
        require_page(document, page)
        return self._storage.passage_store.raw_page(document, page)

    def picture(self, document_id: str, page: int, marks: Sequence[PageRect] = (), width: int = 900) -> bytes:
        """PNG of a page, counted from 1, `width` pixels wide. Those of the rectangles `marks` that lie on the page are
        highlighted.
        """
        return self._pictures.picture(self.document(document_id), self.pdf(document_id), page, marks, width)

    def vectors(self, ids: list[str]) -> np.ndarray:
        """The unit vectors of these passages in this order: (ids, d), float32."""
        with self._lock:
            return self._storage.query(lambda collection: self._current_passages().vectors(collection, ids))

    def nearest(self, vector: np.ndarray, k: int, scope: Scope = EVERYWHERE) -> list[tuple[Passage, float]]:
        """The `k` passages in scope with the highest cosine to `vector`, best first; fewer if there are no more.

        Exercises are left out. Raises LibraryError for a vector of the wrong shape and for `k` below 1.
        """
        vector = np.asarray(vector, dtype=np.float32)
        if vector.ndim != 1 or k < 1:
            raise LibraryError(f"A search needs one vector and k of at least 1, got {vector.shape} and {k}.")
        with self._lock:
            return self._storage.query(
                lambda collection: self._current_passages().nearest(collection, vector, k, scope)
            )

    def ingest(
        self,
        data: bytes,
        name: str,
        *,
        class_number: int | None = None,
        subject: str | None = None,
        chapter: str | int | None = None,
        progress: Listener | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> IngestionOutcome:
        """Add a PDF. A PDF with the bytes of a stored document changes nothing.

        A PDF with other bytes replaces the document of the same name, class and subject; documents of another class or
        subject stay. If class, subject or chapter is None, its value is that of the document of this name or, if there
        is none, that in the file name. Raises LibraryError for a file that cannot be read and for a file that could
        replace several documents. Raises Cancelled soon after `cancelled` returns True; nothing changes then.
        """
        require("library")
        name = safe_name(name)
        work = self._ingestion(progress, cancelled)
        book = self.classify_pdf(data, name, class_number=class_number, subject=subject, chapter=chapter)
        if isinstance(book, Document):
            return IngestionOutcome(document=book, added=False)
        return self.store(work.prepare(data, name, book), data, work.require_not_cancelled)

    def classify_pdf(
        self, data: bytes, name: str, *, class_number: int | None, subject: str | None, chapter: str | int | None
    ) -> Document | Textbook:
        """Return the class, subject and chapter of a new PDF; for a PDF that the library already holds, return its
        document.

        If an argument is None, its value is that of the earlier version of the PDF or, if there is none, that in the
        file name. Raises LibraryError if the PDF could be a new version of several documents.
        """
        file = file_digest(data)
        if document := self._find_document(file, self._ingestion().settings):
            return document
        old = previous_version(self._stored_documents, file, name, class_number, subject)
        return guess_textbook(name, class_number, subject, chapter, [old] if old else [])

    def store(
        self, ready: PreparedDocument, data: bytes, check_cancelled: Callable[[str], None] = lambda _: None
    ) -> IngestionOutcome:
        """Store a prepared PDF, and remove the documents that it replaces.

        data: bytes of the PDF. check_cancelled: called with the document's name before anything is written; an
        exception from it stops the work.
        """
        require("library")
        with self._writing():
            document = replace(ready.document, added=datetime.now(UTC).isoformat())
            existing = self._find_document(document.file, document.settings)  # another session may have been faster
            if existing:
                return IngestionOutcome(document=existing, added=False)
            check_cancelled(document.name)
            book = Textbook(class_number=document.class_number, subject=document.subject)
            old = {d.id for d in predecessors(self._stored_documents, document.file, document.name, book)} - {
                document.id
            }
            replaced = [d for d in self.documents() if d.id in old]
            hides = replace(document, replaces=tuple(d.id for d in replaced))
            self._storage.add(replace(ready, document=hides), data)
            return IngestionOutcome(
                document=self.document(document.id), added=True, replaced=replaced[-1] if replaced else None
            )

    def amend(
        self, document_id: str, *, class_number: int | None, subject: str, chapter: str, title: str | None = None
    ) -> Document:
        """Correct class, subject and chapter of a document, and its title unless `title` is None. The passages of the
        document are changed accordingly.

        Raises LibraryError if another document has the same name, class and subject.
        """
        require("library")
        with self._writing():
            name = self.document(document_id).name
            document = next(d for d in self._stored_documents if d.id == document_id)
            new_document = with_textbook(document, tidy_textbook(name, class_number, subject, chapter))
            if title is not None:
                new_document = replace(new_document, title=tidy_title(title))
            require_unique_location(self._stored_documents, new_document)
            self._storage.manifests.add(new_document)
            return self.document(document_id)

    def remove(self, id_: str) -> None:
        """Remove a document with its passages and its copy."""
        require("library")
        with self._writing():
            self._storage.remove(self.document(id_).id)

    def stored_passages(self, document: Document) -> tuple[tuple[Passage, ...], np.ndarray]:
        """The passages of a document as stored beside the index, and a unit vector for each."""
        store = self._storage.passage_store
        return store.passages(document), store.vectors(document)

    def rebuild(self) -> None:
        """Rebuild the vector index from the vectors stored beside it; nothing else changes."""
        with self._lock:
            self._storage.rebuild()

    def close(self) -> None:
        """Close Chroma's files. The library must not be used afterwards."""
        with self._lock:
            self._storage.close()

    def _ingestion(self, progress: Listener | None = None, cancelled: Callable[[], bool] | None = None) -> Ingestion:
        return Ingestion(
            embedder=self.embedder, words=self.words, limits=self.limits, progress=progress, cancelled=cancelled
        )

    def _find_document(self, file: str, settings: dict[str, int]) -> Document | None:
        """The document with these bytes and settings, or None."""
        matches = (d for d in self.documents() if d.file == file and d.settings == settings)
        return next((d for d in matches if self._storage.passage_store.holds(d.id)), None)

    @property
    def _stored_documents(self) -> tuple[Document, ...]:
        """The documents as stored, each under its file name, which several may share."""
        return self._storage.manifests.all()

    def _renew(self) -> None:
        """Read documents again that have no stored passages, because an earlier version of this program added them."""
        for document in (d for d in self._stored_documents if not self._storage.passage_store.holds(d.id)):
            try:
                self.ingest(self.pdf(document.id).read_bytes(), document.name)
            except (LibraryError, OSError) as error:
                log.warning("%s has to be added again: %s", document.name, error)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._lock, self._storage.writing():
            yield

    def _current_passages(self) -> LoadedPassages:
        """The passages of all documents; they are loaded again only after a change."""
        with self._lock:
            version, titles = self.version, tuple(document.title for document in self._stored_documents)
            if (version, titles) != (self._content.version, self._content.titles):
                self._content = self._load_passages(version, titles)
            return self._content

    def _passages(self, document: Document) -> tuple[Passage, ...]:
        try:
            return self._storage.passage_store.passages(document)
        except LibraryError as error:  # just removed, or lost; the other documents stay usable
            log.warning("%s", error)
            return ()

    def _load_passages(self, version: str, titles: tuple[str, ...]) -> LoadedPassages:
        """Load all passages. Those of an unchanged document are the same objects as before."""
        before, by_document = self._content.by_document, {}
        for document in self.documents():
            key = (*document.content, document.title)
            by_document[key] = before[key] if key in before else self._passages(document)
        passages = tuple(p for document_passages in by_document.values() for p in document_passages)
        by_id = {p.id: p for p in passages}
        return LoadedPassages(version=version, titles=titles, passages=passages, by_id=by_id, by_document=by_document)


def load_sample(library: Library, progress: Listener | None = None) -> tuple[IngestionOutcome, ...]:
    """Add the chapters of data/sample that the library does not hold yet."""
    results = []
    for entry in _entries():
        labels = {key: entry[key] for key in ("class_number", "subject", "chapter")}
        data = (SAMPLE / entry["file"]).read_bytes()
        results.append(library.ingest(data, entry["file"], **labels, progress=progress))
    return tuple(results)


def library_documents(home: Path) -> tuple[Document, ...]:
    """The documents of the library in `home`, without opening it; the sample chapters if it was never used."""
    documents = Manifests(home / "documents").all()
    if documents or (home / SAMPLE_MARK).exists():
        return with_unique_names(documents)
    fields = ("class_number", "subject", "chapter")
    return tuple(
        Document(id="", name=e["file"], pages=0, passages=0, added="", **{f: e[f] for f in fields}) for e in _entries()
    )


def only_sample(library: Library) -> bool:
    """True if every document of the library is a sample chapter, or if it has none."""
    return {d.name for d in library.documents()} <= sample_names()


def sample_names() -> frozenset[str]:
    """The names of the sample chapters."""
    return frozenset(entry["file"] for entry in _entries())


def _entries() -> list[dict[str, Any]]:
    return json.loads((SAMPLE / "library.json").read_text("utf-8"))
