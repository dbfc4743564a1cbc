"""The files of a library, written in an order that leaves a consistent library if the program is killed at any time."""

import json
import logging
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from filelock import FileLock, Timeout

from core.library.documents import LibraryError, Manifests
from core.library.index_location import IndexLocation
from core.library.ingestion import PreparedDocument
from core.library.passages import PassageStore
from core.library.vector_store import ChromaError, Collection, TransportError, require_same, unreachable
from core.platform.atomic_write import require_room, write_whole


class WriteLog:
    """A small file with the number of the last write and whether that is complete. Use it under a lock between
    processes.

    index: the folder of Chroma's index. seen: the number of the last write that this process has loaded, 0 for none.
    """

    def __init__(self, path: Path, index: Path) -> None:
        self._path, self._index = path, index
        self.seen = 0

    @property
    def is_interrupted(self) -> bool:
        """True if the last writer stopped before its write was complete."""
        return self._read_log()["writing"]

    def others_wrote(self) -> bool:
        """True if another process has written since the write `seen`."""
        return self._read_log()["turn"] != self.seen

    def index_is_whole(self) -> bool:
        """True unless the last writer stopped after it had begun to change Chroma's index. The index may be damaged
        then.
        """
        last = self._read_log()
        return not last["writing"] or last["index"] == self._files()

    def follow(self) -> None:
        """Record that this process has loaded the last write."""
        self.seen = self._read_log()["turn"]

    def begin(self) -> None:
        last = self._read_log()
        if not last["writing"]:
            self._write(turn=last["turn"] + 1, writing=True, index=self._files())

    def end(self) -> None:
        self._write(turn=self._read_log()["turn"], writing=False, index=[])
        self.follow()

    def _read_log(self) -> dict[str, Any]:
        try:
            return json.loads(self._path.read_bytes())
        except FileNotFoundError:
            return {"turn": 1, "writing": False, "index": []}
        except ValueError:  # a damaged file: nothing is known about the index
            return {"turn": 1, "writing": True, "index": None}

    def _write(self, **turn: Any) -> None:
        write_whole(self._path, json.dumps(turn).encode())

    def _files(self) -> list[list[Any]]:
        """Name, size and modification time of every index file except Chroma's database, which SQLite keeps
        consistent."""
        files = [(path, path.stat()) for path in sorted(self._index.glob("*/*"))]
        return [[path.name, status.st_size, status.st_mtime_ns] for path, status in files]


log = logging.getLogger(__name__)
Result = TypeVar("Result")

_PATIENCE = 600  # seconds that a process waits for the lock; rebuilding a large index takes a minute


class Storage:
    """Manifests, stored passages and vectors ("readings"), copies of PDFs and the vector collection under one folder.

    A document exists as soon as its manifest does. The manifest is written last and removed first, and it hides the
    documents that the new one replaces. A Chroma folder is damaged if two processes use it at once, or if a process is
    killed while it saves the index. So one process uses it at a time, and it is rebuilt from the readings when it may
    be damaged. A Chroma server can be used by many processes at once. This class is not thread-safe: the library locks
    it.
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
        self._index_location = IndexLocation.recorded(home)
        for document in self.manifests.all():
            require_same(document.embedder or embedder, embedder, home)
        with self._exclusive():
            if (location := IndexLocation.requested(home)) != self._index_location:
                self._move(location)
            self._current_collection()

    def close(self) -> None:
        if self._collection:
            self._collection.close()
        self._collection = None

    def query(self, ask: Callable[[Collection], Result]) -> Result:
        """Return `ask(collection)` for the collection with all complete writes; nobody writes meanwhile.

        If the index is broken, it is opened again and `ask` repeated; if that fails, it is rebuilt from the readings
        and `ask` repeated. With a Chroma server, `ask` needs no lock as long as nobody has written.
        """
        if self._index_location.server and self._collection and not self._has_changed():
            with self._requiring_server(), suppress(ChromaError):  # repaired below
                return ask(self._collection)
        with self._exclusive():
            for repair in (self.close, self.rebuild):
                try:
                    return ask(self._current_collection())
                except ChromaError as error:
                    log.warning("The index in %s has broken: %s", self._chroma, error)
                    require_room(self.home)
                    repair()
            return ask(self._current_collection())

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the exclusive right to write within the block. A write that is not complete at the end of the block is
        undone or finished.
        """
        with self._exclusive():
            self._current_collection()
            self._write_log.begin()
            try:
                yield
                self._end()
            except BaseException:
                self._current_collection()
                raise

    def rebuild(self) -> None:
        """Rebuild the collection from the stored vectors."""
        with self._exclusive():
            self._write_log.begin()
            self.close()
            self._drop(self._index_location)
            self._current_collection()

    def pdf(self, id_: str) -> Path:
        return self._files / f"{id_}.pdf"

    def add(self, ready: PreparedDocument, data: bytes) -> None:
        """Store a document, and remove those that it replaces. data: bytes of its PDF. Call only within `writing`."""
        id_ = ready.document.id
        write_whole(self.pdf(id_), data)
        self.passage_store.add(id_, ready.pages, ready.cut, ready.vectors)
        self._collection.add(id_, [p.id for p in ready.cut.passages], ready.vectors)
        self.manifests.add(ready.document)
        self._finish_replacements()

    def remove(self, id_: str) -> None:
        """Remove a document and everything that belongs to it. Call only within `writing`."""
        self.manifests.remove(id_)
        self._collection.remove(id_)
        for path in (self.pdf(id_), *self.passage_store.paths(id_)):
            path.unlink(missing_ok=True)

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        """Hold the lock that keeps other processes out. Raises LibraryError if it is held too long, or the
        disk fails.
        """
        try:
            with self._requiring_server(), self._lock.acquire(timeout=_PATIENCE):
                yield
        except Timeout:
            raise LibraryError(
                f"The library in {self.home} has been held by another process for {_PATIENCE} s; end that process."
            ) from None
        except (OSError, ChromaError) as error:
            cause = getattr(error, "strerror", None) or str(error)
            raise LibraryError(
                f"The library in {self.home} cannot be used ({cause}); free room on its disk, check that it is "
                "writable, and try again."
            ) from error

    @contextmanager
    def _requiring_server(self) -> Iterator[None]:
        """Raise LibraryError if the server does not answer."""
        try:
            yield
        except TransportError as error:
            raise unreachable(self._index_location.server) from error

    def _has_changed(self) -> bool:
        return self._write_log.is_interrupted or self._write_log.others_wrote()

    def _move(self, new_location: IndexLocation) -> None:
        """Move the vectors to another location: rebuild them there from the stored vectors, then delete them at the old
        location.
        """
        before = self._index_location
        if new_location.server:
            Collection(
                self._chroma, self.embedder, new_location.server, new_location.collection
            ).close()  # raises if the server does not answer
        self._write_log.begin()
        new_location.store(self.home)
        self._index_location = new_location
        self._current_collection()
        self._drop(before)

    def _drop(self, location: IndexLocation) -> None:
        """Delete the vectors at `location`. On a server this needs the server to answer."""
        if not location.server:
            return shutil.rmtree(self._chroma, ignore_errors=True)
        try:
            Collection(self._chroma, self.embedder, location.server, location.collection).drop()
        except (LibraryError, ChromaError, TransportError) as error:
            log.warning("The collection %s stays in %s: %s", location.collection, location.text, error)

    def _current_collection(self) -> Collection:
        """The open collection. It is opened again and repaired if another process has written or was stopped."""
        if self._collection is None or self._has_changed():
            self.close()
            self._index_location = IndexLocation.recorded(self.home)
            if self._write_log.is_interrupted:
                self._tidy()  # first, since the index may need the room on a full disk
            self._collection = self._open(self._write_log.index_is_whole())
            try:
                self._finish_writes()
            except BaseException:  # an index that could not be repaired must not be searched
                self.close()
                raise
        return self._collection

    def _open(self, is_whole: bool) -> Collection:
        """Open the collection on disk, or create one if that is not whole. A collection on a server is always whole."""
        if self._index_location.server:
            return Collection(self._chroma, self.embedder, self._index_location.server, self._index_location.collection)
        if is_whole:
            try:
                return Collection(self._chroma, self.embedder)
            except LibraryError:
                raise
            except Exception as error:  # Chroma raises what its database or its index raises
                require_room(self.home)
                log.warning("The index in %s cannot be opened and is built anew: %s", self._chroma, error)
        shutil.rmtree(self._chroma, ignore_errors=True)
        return Collection(self._chroma, self.embedder)

    def _finish_writes(self) -> None:
        """Finish the work of a process that was stopped: remove documents that have no manifest or are replaced."""
        documents = self.manifests.all()
        in_order = self._collection.count() == sum(d.passages for d in documents) and not self._orphan_files()
        if in_order and not self._write_log.is_interrupted and not self.manifests.replacing():
            return self._write_log.follow()
        self._write_log.begin()
        self._tidy()
        # The collection must hold the vectors of exactly these documents.
        counts = Counter(id_.partition(":")[0] for id_ in self._collection.ids())
        expected = {d.id: d.passages for d in documents}
        for id_ in (id_ for id_ in counts if counts[id_] != expected.get(id_)):
            self._collection.remove(id_)
        for document in (d for d in documents if counts[d.id] != d.passages and self.passage_store.holds(d.id)):
            ids = [p.id for p in self.passage_store.passages(document)]
            self._collection.add(document.id, ids, self.passage_store.vectors(document))
        self._finish_replacements()
        return self._end()

    def _tidy(self) -> None:
        for path in self._orphan_files():
            path.unlink(missing_ok=True)

    def _orphan_files(self) -> set[Path]:
        """Files that belong to no document."""
        expected = {
            path
            for id_ in (d.id for d in self.manifests.all())
            for path in (self.pdf(id_), self.manifests.path(id_), *self.passage_store.paths(id_))
        }
        folders = self._files, self.passage_store.folder, self.manifests.folder
        return {path for folder in folders for path in folder.iterdir() if path.is_file()} - expected

    def _finish_replacements(self) -> None:
        for document in self.manifests.replacing():
            for id_ in document.replaces:
                self.remove(id_)
            self.manifests.add(replace(document, replaces=()))

    def _end(self) -> None:
        self._collection.count()  # a read makes Chroma save its index now, while no other process reads
        self._write_log.end()
