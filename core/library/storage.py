"""What a library keeps on disk, and in which order it is written, so that nothing half done is ever seen."""

import logging
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from filelock import FileLock, Timeout

from core.library.documents import Document, LibraryError, Manifests
from core.library.ingestion import Prepared
from core.library.passage_store import PassageStore
from core.library.vector_store import ChromaError, Collection, IndexPlace, TransportError, require_same, unreachable
from core.library.write_log import WriteLog
from core.platform.atomic_write import require_room, write_whole

log = logging.getLogger(__name__)
Found = TypeVar("Found")

_PATIENCE = 600  # seconds; to build a large index anew takes a minute


class Storage:
    """Manifests, readings, copies of PDFs and the collection of vectors under one folder.

    A document is there once its manifest is, which is written last and removed first; a manifest hides the
    documents that it replaces. Chroma survives neither two processes at once nor one that is killed while it
    saves its index: so it is used by one at a time, and built anew from the readings when it cannot be trusted. A
    Chroma server is asked by all at once. Not safe between threads: the library sees to that.
    """

    def __init__(self, home: Path, embedder: str) -> None:
        self.home, self.embedder = home, embedder
        self._chroma, self._files = home / "chroma", home / "files"
        try:
            self._files.mkdir(parents=True, exist_ok=True)
            self.manifests = Manifests(home / "documents")
            self.passage_store = PassageStore(home / "readings")
        except OSError as error:
            raise LibraryError(f"{home} cannot hold a library ({error.strerror}); choose another --home.") from None
        self._write_log = WriteLog(home / "turns.json", self._chroma)
        self._lock = FileLock(home / "library.lock")
        self._collection: Collection | None = None
        self._place = IndexPlace.stored(home)
        for document in self.manifests.all():
            require_same(document.embedder or embedder, embedder, home)
        with self._alone():
            if (place := IndexPlace.wanted(home)) != self._place:
                self._move(place)
            self._look()

    def close(self) -> None:
        if self._collection:
            self._collection.close()
        self._collection = None

    def asked(self, ask: Callable[[Collection], Found]) -> Found:
        """What `ask` says of the collection as the last writer has left it; nobody writes meanwhile.

        One that has broken since it was opened is opened anew, then made anew from the readings, and asked again. A
        server is asked without waiting for others, as long as nobody has written.
        """
        if self._place.server and self._collection and not self._has_changed():
            with self._reaching(), suppress(ChromaError):  # it is mended below
                return ask(self._collection)
        with self._alone():
            for mend in (self.close, self.rebuild):
                try:
                    return ask(self._look())
                except ChromaError as error:
                    log.warning("The index in %s has broken: %s", self._chroma, error)
                    require_room(self.home)
                    mend()
            return ask(self._look())

    @contextmanager
    def writing(self) -> Iterator[None]:
        """The right to write, alone, on a folder in which nothing is half done, before the block and after it."""
        with self._alone():
            self._look()
            self._write_log.begin()
            try:
                yield
                self._end()
            except BaseException:
                self._look()
                raise

    def rebuild(self) -> None:
        """The collection, made anew from the readings."""
        with self._alone():
            self._write_log.begin()
            self.close()
            self._drop(self._place)
            self._look()

    def pdf(self, id_: str) -> Path:
        return self._files / f"{id_}.pdf"

    def add(self, ready: Prepared, data: bytes) -> None:
        """Store a document, whose PDF is `data`, and take out those that it replaces. Only within `writing`."""
        id_ = ready.document.id
        write_whole(self.pdf(id_), data)
        self.passage_store.add(id_, ready.pages, ready.cut, ready.vectors)
        self._collection.add(id_, [p.id for p in ready.cut.passages], ready.vectors)
        self.manifests.add(ready.document)
        self._finish_replacements()

    def remove(self, id_: str) -> None:
        """Take a document out with all that belongs to it. Only within `writing`."""
        self.manifests.remove(id_)
        self._collection.remove(id_)
        for path in (self.pdf(id_), *self.passage_store.paths(id_)):
            path.unlink(missing_ok=True)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """No other process is within such a block at the same time."""
        try:
            with self._reaching(), self._lock.acquire(timeout=_PATIENCE):
                yield
        except Timeout:
            raise LibraryError(
                f"The library in {self.home} has been held by another process for {_PATIENCE} s; end that process."
            ) from None
        except (OSError, ChromaError) as error:
            raise self._unusable(error) from error

    @contextmanager
    def _reaching(self) -> Iterator[None]:
        """A server that does not answer is said in one sentence, and asked anew the next time."""
        try:
            yield
        except TransportError as error:
            raise unreachable(self._place.server) from error

    def _has_changed(self) -> bool:
        return self._write_log.stopped or self._write_log.others_wrote()

    def _move(self, place: IndexPlace) -> None:
        """From now on the vectors are there, made anew from the readings; where they were nothing stays."""
        before = self._place
        if place.server:
            Collection(self._chroma, self.embedder, place.server, place.collection).close()  # does it answer?
        self._write_log.begin()
        place.store(self.home)
        self._place = place
        self._look()
        self._drop(before)

    def _drop(self, place: IndexPlace) -> None:
        """Take the vectors away from where they are; from a server, if that answers."""
        if not place.server:
            return shutil.rmtree(self._chroma, ignore_errors=True)
        try:
            Collection(self._chroma, self.embedder, place.server, place.collection).drop()
        except (LibraryError, ChromaError, TransportError) as error:
            log.warning("The collection %s stays in %s: %s", place.collection, place.said, error)

    def _look(self) -> Collection:
        """The collection; opened anew, and put in order, when another process has written or one was stopped."""
        if self._collection is None or self._has_changed():
            self.close()
            self._place = IndexPlace.stored(self.home)
            if self._write_log.stopped:
                self._tidy()  # first: on a full disk the index may need the room
            self._collection = self._opened(self._write_log.index_is_whole())
            try:
                self._settle()
            except BaseException:  # an index that could not be put in order is not searched
                self.close()
                raise
        return self._collection

    def _opened(self, whole: bool) -> Collection:
        """The collection as it is on disk, or a new one when that is not whole; in a server it is always whole."""
        if self._place.server:
            return Collection(self._chroma, self.embedder, self._place.server, self._place.collection)
        if whole:
            try:
                return Collection(self._chroma, self.embedder)
            except LibraryError:
                raise
            except Exception as error:  # Chroma raises what its database or its index raises
                require_room(self.home)
                log.warning("The index in %s cannot be opened and is built anew: %s", self._chroma, error)
        shutil.rmtree(self._chroma, ignore_errors=True)
        return Collection(self._chroma, self.embedder)

    def _unusable(self, error: Exception) -> LibraryError:
        why = getattr(error, "strerror", None) or str(error)
        return LibraryError(
            f"The library in {self.home} cannot be used ({why}); free room on its disk, see that it can be written to, "
            "and try again."
        )

    def _settle(self) -> None:
        """Finish what a process that was stopped has begun: take out what has no manifest, or is replaced."""
        documents = self.manifests.all()
        in_order = self._collection.count() == sum(d.passages for d in documents) and not self._left_behind()
        if in_order and not self._write_log.stopped and not self.manifests.replacing():
            return self._write_log.follow()
        self._write_log.begin()
        self._tidy()
        self._reconcile(documents)
        self._finish_replacements()
        return self._end()

    def _tidy(self) -> None:
        for path in self._left_behind():
            path.unlink(missing_ok=True)

    def _left_behind(self) -> set[Path]:
        """Files that belong to no document."""
        kept = {
            path
            for id_ in (d.id for d in self.manifests.all())
            for path in (self.pdf(id_), self.manifests.path(id_), *self.passage_store.paths(id_))
        }
        folders = self._files, self.passage_store.folder, self.manifests.folder
        return {path for folder in folders for path in folder.iterdir() if path.is_file()} - kept

    def _reconcile(self, documents: tuple[Document, ...]) -> None:
        """Make the collection hold the vectors of these documents, and no others."""
        stored = Counter(id_.partition(":")[0] for id_ in self._collection.ids())
        wanted = {d.id: d.passages for d in documents}
        for id_ in (id_ for id_ in stored if stored[id_] != wanted.get(id_)):
            self._collection.remove(id_)
        for document in (d for d in documents if stored[d.id] != d.passages and self.passage_store.holds(d.id)):
            ids = [p.id for p in self.passage_store.passages(document)]
            self._collection.add(document.id, ids, self.passage_store.vectors(document))

    def _finish_replacements(self) -> None:
        for document in self.manifests.replacing():
            for id_ in document.replaces:
                self.remove(id_)
            self.manifests.add(replace(document, replaces=()))

    def _end(self) -> None:
        self._collection.count()  # Chroma saves its index when it is next read: now, and not when others read too
        self._write_log.end()
