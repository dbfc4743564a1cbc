"""The library: stores PDFs, and gives their passages to searches; no reader sees a half-finished change.

It can also load the sample chapters of this project, so that a new library is not empty.
"""

import json
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from core.case import Passage, Scope, in_scope
from core.library.chapter_titles import tidy_title
from core.library.documents import (
    SAMPLE_MARK,
    Cancelled,
    Document,
    LibraryError,
    file_digest,
    in_brackets,
    is_place_of,
    previous_version,
    safe_name,
    textbook,
    version_of,
    with_unique_names,
)
from core.library.ingestion import Embedder, IngestionOutcome, Listener, prepare, settings_of, tidy_textbook
from core.library.passages import WORDS, SentenceRects
from core.library.pdf_reader import picture_of
from core.library.store import Store, documents_in
from core.pdf.page import PageRect
from core.pdf.sandbox import LIMITS, Limits
from core.platform.access import require

log = logging.getLogger(__name__)
SAMPLE = Path(__file__).parents[2] / "data" / "sample"
EVERYWHERE = Scope()
PICTURES = 16_000_000
"""Memory for the pictures of pages that a shelf keeps, those used last, in bytes."""


class Shelf:
    """The documents under one folder, for reading: no model and no index is opened, so the first screen can show pages.

    Threads may share it; other processes may write to the same folder.
    """

    def __init__(self, home: Path, *, limits: Limits = LIMITS) -> None:
        self.home, self.limits = Path(home), limits
        self._lock = threading.RLock()
        self._pictures: OrderedDict[tuple[object, ...], bytes] = OrderedDict()
        self._pictures_lock = threading.Lock()  # a change of the library takes `_lock` for seconds
        self._passages: dict[tuple[object, ...], tuple[Passage, ...]] = {}
        self._loaded: tuple[tuple[Document, ...], tuple[Passage, ...], dict[str, Passage]] = (), (), {}
        self.database = Store(self.home)

    @property
    def version(self) -> str:
        """A digest that changes whenever the content does, in any process."""
        return version_of(self.database.documents())

    def documents(self) -> tuple[Document, ...]:
        """All documents in the order in which they were added. No two have the same name."""
        return with_unique_names(self.database.documents())

    def document(self, id_: str) -> Document:
        """The document with this id. Raises LibraryError if there is none."""
        for document in self.documents():
            if document.id == id_:
                return document
        raise LibraryError(f"The library holds no document {id_!r}; the table of documents lists all that it holds.")

    def pdf(self, id_: str) -> bytes:
        """The bytes of a document's PDF."""
        return self.database.pdf(self.document(id_).id)

    def passages(self) -> tuple[Passage, ...]:
        """Every passage, in the order of documents and pages. The same objects are returned until the
        library changes."""
        return self._load()[0]

    def passage(self, id_: str) -> Passage:
        """The passage with this id. Raises LibraryError if there is none."""
        by_id = self._load()[1]
        if id_ not in by_id:
            raise LibraryError(f"The library holds no passage {id_!r}; its document was removed.")
        return by_id[id_]

    def sentence_rects(self, passage_id: str) -> tuple[SentenceRects, ...]:
        """The positions of a passage's sentences on their pages: one entry per sentence."""
        return self.database.sentence_rects(self.passage(passage_id).id)

    def raw_page(self, document_id: str, page: int) -> str:
        """The text of a page, counted from 1, as the file has it, before any cleaning."""
        return self.database.page_text(self._document_with(document_id, page).id, page)

    def picture(self, document_id: str, page: int, marks: Sequence[PageRect] = (), width: int = 900) -> bytes:
        """PNG of a page, counted from 1, `width` pixels wide. Those of the rectangles `marks` that lie on the page are
        highlighted.
        """
        document = self._document_with(document_id, page)
        rectangles = tuple(tuple(mark[1:]) for mark in marks if mark[0] == page)
        key = document.id, page, rectangles, width
        drawn = self._pictures.get(key)
        if drawn is None:
            drawn = picture_of(self.database.pdf(document.id), document, page, rectangles, width, self.limits)
        with self._pictures_lock:  # it is the one used last now; those that were not used for longest go
            self._pictures[key] = drawn
            self._pictures.move_to_end(key)
            while sum(map(len, self._pictures.values())) > PICTURES:
                self._pictures.popitem(last=False)
        return drawn

    def _document_with(self, id_: str, page: int) -> Document:
        """The document with this id. Raises LibraryError for a page that it does not have."""
        document = self.document(id_)
        if not 1 <= page <= document.pages:
            raise LibraryError(f"{document.name} has the pages 1 to {document.pages}, got {page}.")
        return document

    def _load(self) -> tuple[tuple[Passage, ...], dict[str, Passage]]:
        """All passages, and each by its id. Those of an unchanged document are the same objects as before."""
        with self._lock:
            documents = self.documents()
            if documents != self._loaded[0]:
                keys = {(*d.content, d.title): d for d in documents}
                self._passages = {key: self._passages.get(key) or self.database.passages(d) for key, d in keys.items()}
                passages = tuple(p for of_document in self._passages.values() for p in of_document)
                self._loaded = documents, passages, {p.id: p for p in passages}
            return self._loaded[1:]


class Library(Shelf):
    """A shelf whose documents can be searched and changed.

    Use only one `Library` for a folder in a process: Chroma would share its state between several.
    """

    def __init__(self, home: Path, embedder: Embedder, *, words: int = WORDS, limits: Limits = LIMITS) -> None:
        # The import of Chroma takes seconds, and the first screen needs none.
        from core.library.vector_index import VectorIndex

        super().__init__(home, limits=limits)
        self.embedder, self.words = embedder, words
        for document in self.database.documents():
            if document.embedder != embedder.digest:
                raise LibraryError(  # vectors of two models cannot be compared
                    f"The library in {self.home} was built with other embeddings ({document.embedder}, now "
                    f"{embedder.digest}); choose another --home, or move library.sqlite3 out of the folder and add its "
                    "books again."
                )
        self.index = VectorIndex(self.home, self.database, embedder.digest)
        self.index.update()

    def vectors(self, ids: list[str]) -> np.ndarray:
        """The unit vectors of these passages in this order: (ids, d), float32."""
        return self.database.vectors([self.passage(id_).id for id_ in ids])

    def nearest(self, vector: np.ndarray, k: int, scope: Scope = EVERYWHERE) -> list[tuple[Passage, float]]:
        """The `k` passages in scope with the highest cosine to `vector`, best first; fewer if there are no more.

        Exercises are left out.
        """
        with self._lock:
            passages, by_id = self._load()
            ids = [p.id for p in passages if p.tells and (scope == EVERYWHERE or in_scope(p, scope))]
            if not ids:
                return []
            hits = self.index.nearest(np.asarray(vector, np.float32), k, None if scope == EVERYWHERE else ids)
            return [(by_id[id_], cosine) for id_, cosine in hits if id_ in by_id]  # one may be added or removed now

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
        name, file, settings = safe_name(name), file_digest(data), settings_of(self.words)

        def check_cancelled() -> None:
            if cancelled and cancelled():
                raise Cancelled(f"{name} was cancelled; nothing of it was kept.")

        if document := self._find_document(file, settings):
            return IngestionOutcome(document=document, added=False)
        known = previous_version(self.database.documents(), file, name, class_number, subject) or textbook(name)
        given = {"class_number": class_number, "subject": subject, "chapter": chapter}
        book = tidy_textbook(name, **{key: getattr(known, key) if v is None else v for key, v in given.items()})
        ready = prepare(
            data, name, book, embedder=self.embedder, words=self.words, limits=self.limits, progress=progress,
            check_cancelled=check_cancelled,
        )  # fmt: skip
        with self._changing():
            if existing := self._find_document(file, settings):  # another session may have been faster
                return IngestionOutcome(document=existing, added=False)
            check_cancelled()
            old = {d.id for d in self.database.documents() if d.file == file or is_place_of(d, name, book)}
            replaced = [d for d in self.documents() if d.id in old]
            for id_ in old:
                self.database.remove(id_)
            document = replace(ready.document, added=datetime.now(UTC).isoformat())
            self.database.add(replace(ready, document=document), data)
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
        with self._changing():
            name = self.document(document_id).name
            documents = self.database.documents()
            document = next(d for d in documents if d.id == document_id)
            book = tidy_textbook(name, class_number, subject, chapter)
            for other in documents:
                if other.id != document_id and is_place_of(other, document.name, book):
                    raise LibraryError(
                        f"The library holds another {other.name}{in_brackets(other)}; give this one a different class "
                        "or subject, or remove the other one first."
                    )
            title = document.title if title is None else tidy_title(title)
            self.database.replace(replace(document, **book._asdict(), title=title))
        return self.document(document_id)

    def remove(self, id_: str) -> None:
        """Remove a document with its passages and its PDF."""
        require("library")
        with self._changing():
            self.database.remove(self.document(id_).id)

    def close(self) -> None:
        """Close the files of the library. It opens them again if it is used after that."""
        with self._lock:
            self.index.close()
            self.database.close()

    def _find_document(self, file: str, settings: dict[str, int]) -> Document | None:
        """The document with these bytes and settings, or None."""
        return next((d for d in self.documents() if d.file == file and d.settings == settings), None)

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """A change that is stored as a whole, or not at all. What is stored is confirmed, whatever becomes of the
        index: the next search puts it in order, and says why if it cannot.
        """
        with self._lock:
            with self.database.writing():
                yield
            try:
                self.index.update()
            except LibraryError as error:
                log.warning("The index is put in order at the next search: %s", error)


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
    documents = documents_in(home)
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
