"""The library: PDFs go in, passages come out, and nothing half done is ever seen."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from filelock import FileLock

from core.case import Passage, Scope
from core.library.collection import Collection
from core.library.documents import Document, Manifests, document_id, write_whole
from core.library.embedding import Embedder
from core.library.errors import LibraryError
from core.library.ingestion import Ingested, Prepared, placed, prepared
from core.library.names import safe_name
from core.library.passages import WORDS
from core.library.progress import Listener
from core.scope import in_scope

EVERYWHERE = Scope()


@dataclass(frozen=True, kw_only=True)
class _Content:
    """All passages at one version of the library."""

    version: str
    passages: tuple[Passage, ...] = ()
    by_id: dict[str, Passage]


class Library:
    """The documents under one folder. Threads may share it; other processes may write to the same folder.

    A document is there once its manifest is, which is written last: whatever stops before that is swept away
    when the library is opened. One `Library` a process and folder: Chroma shares its state between several.
    """

    def __init__(self, home: Path, embedder: Embedder, *, words: int = WORDS) -> None:
        self.home, self.embedder, self.words = Path(home), embedder, words
        self._files = self.home / "files"
        try:
            self._files.mkdir(parents=True, exist_ok=True)
            self._manifests = Manifests(self.home / "documents")
        except OSError as error:
            raise LibraryError(f"{home} cannot hold a library ({error.strerror}); choose another --home.") from None
        self._lock = threading.RLock()
        self._between_processes = FileLock(self.home / "library.lock")
        with self._lock, self._between_processes:
            self._open()
            self._sweep()

    @property
    def version(self) -> str:
        """Changes whenever the content does, by whichever process."""
        return self._manifests.version()

    def documents(self) -> tuple[Document, ...]:
        """What the library holds, in the order in which it was added."""
        return self._manifests.all()

    def document(self, id_: str) -> Document:
        for document in self.documents():
            if document.id == id_:
                return document
        raise LibraryError(f"The library holds no document {id_!r}; see the table of documents for those it has.")

    def pdf(self, id_: str) -> Path:
        """The library's own copy of a document."""
        return self._files / f"{self.document(id_).id}.pdf"

    def passages(self) -> tuple[Passage, ...]:
        """Every passage, by document and place; the same objects until the library changes."""
        return self._now().passages

    def passage(self, id_: str) -> Passage:
        try:
            return self._now().by_id[id_]
        except KeyError:
            raise LibraryError(f"The library holds no passage {id_!r}; its document was removed.") from None

    def vectors(self, ids: list[str]) -> np.ndarray:
        """The unit vectors of these passages, in this order: (ids, d), float32."""
        with self._lock:
            known = self._now().by_id
            missing = [id_ for id_ in ids if id_ not in known]
            if missing:
                raise LibraryError(f"The library holds no passage {missing[0]!r}; its document was removed.")
            return self._collection.vectors(ids)

    def nearest(self, vector: np.ndarray, k: int, scope: Scope = EVERYWHERE) -> list[tuple[Passage, float]]:
        """The `k` passages in scope with the highest cosine to `vector`, best first, or all there are."""
        vector = np.asarray(vector, dtype=np.float32)
        if vector.ndim != 1 or k < 1:
            raise LibraryError(f"A search needs one vector and k of at least 1, got {vector.shape} and {k}.")
        with self._lock:
            now = self._now()
            ids = None if scope == EVERYWHERE else [p.id for p in now.passages if in_scope(p, scope)]
            if not now.passages or ids == []:
                return []
            found = self._collection.nearest(vector, k, ids)
        return [(now.by_id[id_], cosine) for id_, cosine in found if id_ in now.by_id]

    def ingest(
        self,
        data: bytes,
        name: str,
        *,
        class_number: int | None = None,
        subject: str | None = None,
        chapter: str | int | None = None,
        progress: Listener | None = None,
    ) -> Ingested:
        """Add a PDF; what is not said of it is taken from its name. The same bytes again change nothing.

        Raises LibraryError for a file that cannot be read; nothing of it is kept then.
        """
        name, known = safe_name(name), self._known(document_id(data))
        if known:
            return Ingested(document=known, added=False)
        place = placed(name, class_number, subject, chapter)
        return self._store(prepared(data, name, place, self.words, self.embedder, progress), data)

    def remove(self, id_: str) -> None:
        """Take a document out, with its passages and its copy."""
        with self._writing():
            self.document(id_)
            self._manifests.remove(id_)
            self._discard(id_)

    def close(self) -> None:
        """Let go of Chroma's files; the library is not used after this."""
        with self._lock:
            self._collection.close()

    def _store(self, ready: Prepared, data: bytes) -> Ingested:
        id_ = ready.document.id
        with self._writing():
            known = self._known(id_)  # another session may have been faster
            if known:
                return Ingested(document=known, added=False)
            try:
                self._collection.add(id_, ready.passages, ready.vectors)
                write_whole(self._files / f"{id_}.pdf", data)
                self._manifests.add(ready.document)
            finally:
                if not self._known(id_):
                    self._discard(id_)
        return Ingested(document=ready.document, added=True)

    def _known(self, id_: str) -> Document | None:
        return next((d for d in self.documents() if d.id == id_), None)

    def _discard(self, id_: str) -> None:
        self._collection.remove(id_)
        (self._files / f"{id_}.pdf").unlink(missing_ok=True)

    def _sweep(self) -> None:
        """Remove what a process that was stopped has left: passages and copies without a manifest."""
        complete = {d.id for d in self.documents()}
        stored = {id_.partition(":")[0] for id_ in self._collection.ids()}
        for id_ in (stored | {path.stem for path in self._files.iterdir()}) - complete:
            self._discard(id_)
        for folder in (self._files, self._manifests.folder):
            for part in folder.glob("*.part"):
                part.unlink()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """The right to write, alone, on a collection that has seen what all others have written."""
        with self._lock, self._between_processes:
            self._collection.close()
            self._open()
            yield
            self._seen = self.version

    def _open(self) -> None:
        self._collection = Collection(self.home / "chroma", self.embedder.digest)
        self._seen = self.version
        self._content = _Content(version="", by_id={})

    def _now(self) -> _Content:
        """The content as it is; read again only after a change."""
        with self._lock:
            version = self.version
            if version != self._seen:  # another process has written
                self._collection.close()
                self._open()
            if version != self._content.version:
                self._content = self._read(version)
            return self._content

    def _read(self, version: str) -> _Content:
        documents = {d.id: d for d in self.documents()}
        order = {id_: place for place, id_ in enumerate(documents)}
        found = self._collection.passages(documents)
        found.sort(key=lambda p: (order[p.id.partition(":")[0]], len(p.id), p.id))
        return _Content(version=version, passages=tuple(found), by_id={p.id: p for p in found})
