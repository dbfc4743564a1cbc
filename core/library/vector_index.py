"""Chroma's index of a library: texts and vectors of all passages that can be evidence, with cosine distance.

It is made from the library's file, which is the truth, and put in order before a search whenever the two differ. It
lies in the folder `chroma` of the home, or on a Chroma server that many machines use.
"""

import json
import logging
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from heapq import nlargest
from pathlib import Path
from urllib.parse import urlsplit

import chromadb
import httpx
import numpy as np
from chromadb.api import ClientAPI
from chromadb.api.client import SharedSystemClient
from chromadb.config import Settings
from chromadb.errors import ChromaError, NotFoundError
from filelock import FileLock, Timeout

from core.library.documents import LibraryError
from core.library.store import Store, requested_server
from core.platform.atomic_write import require_room

NAME = "passages"
_SEARCH_BREADTH = 256  # neighbours that a search visits: far more than it returns, so that it misses none
_MAX_IDS = 10_000  # ids in one request: Chroma's database accepts at most 32,766
_MAX_VECTORS = 1000  # vectors in one request: a server accepts at most 40 MB
_PATIENCE = 600  # seconds that a process waits for the lock; building a large index takes a minute

Hits = list[tuple[str, float]]
log = logging.getLogger(__name__)


class VectorIndex:
    """The index of one library. Not safe across threads: the library locks it.

    A Chroma folder breaks if two processes use it at once, or if a process is killed while Chroma saves its files. So
    one process uses it at a time, and the library's file records how many passages of each document the index holds.
    The record is cleared while the index is changed; an index without one is built anew.
    """

    def __init__(self, home: Path, store: Store, embedder: str) -> None:
        self._home, self._folder, self._store, self._embedder = home, home / "chroma", store, embedder
        self._server = requested_server()
        self._record_name = f"index {self._server}"
        self._lock = FileLock(home / "chroma.lock")
        self._client: ClientAPI | None = None
        self._rows: chromadb.Collection | None = None
        self._changes, self._held = -1, {}  # of the library when the index was last in order, and what it held then
        self.was_built = False
        """True if this object has built the index of a library with documents from the start."""

    def close(self) -> None:
        if self._client:
            self._client.close()
        self._client = self._rows = None

    def nearest(self, vector: np.ndarray, k: int, ids: list[str] | None) -> Hits:
        """(id, cosine) of the `k` passages with the highest cosine to `vector`, best first; fewer if there are no more.

        ids: the passages to search, None for all.
        """
        with self._in_use(is_shared=bool(self._server)):
            self.update()
            try:
                return self._nearest(vector, k, ids)
            except ChromaError as error:
                log.warning("The index in %s has broken and is built anew: %s", self._folder, error)
                self.build()
                return self._nearest(vector, k, ids)

    def update(self) -> None:
        """Make the open index that of the documents now, so that the next search need not. It is opened again if
        another process has changed it.
        """
        changes = self._store.changes()
        if self._rows is not None and changes == self._changes:
            return
        with self._in_use():
            # For each document that the index holds, the number of its passages there; None if that is not known.
            held = json.loads(self._store.state(self._record_name) or "null")
            if held != self._held:
                self.close()
            try:
                is_whole = held is not None and self._change(held)
            except (ChromaError, OSError) as error:
                log.warning("The index in %s cannot be opened and is built anew: %s", self._folder, error)
                is_whole = False
            if is_whole:
                self._changes = changes
            else:
                self.build()

    def build(self) -> None:
        """Build the index anew."""
        with self._in_use():
            require_room(self._home)  # on a full disk an index that cannot be opened may well be whole
            changes = self._store.changes()
            self._record(None)
            self.close()
            if self._server:
                with closing(self._new_client()) as client, suppress(NotFoundError):
                    client.delete_collection(self._name)
            else:
                shutil.rmtree(self._folder, ignore_errors=True)
            self._change({})
            self._record(self._held)
            self._changes, self.was_built = changes, bool(self._held)

    def is_true(self) -> bool:
        """True if the index holds the stored vector of every passage that can be evidence."""
        with self._in_use():
            self.update()
            for id_ in self._held:
                ids, _, vectors = self._store.evidence(id_)
                found = self._rows.get(ids=ids, include=["embeddings"])
                vector_by_id = dict(zip(found["ids"], found["embeddings"], strict=True))
                if not all(
                    np.allclose(vector_by_id.get(i, np.nan), v, atol=1e-5) for i, v in zip(ids, vectors, strict=True)
                ):
                    return False
            return True

    def _nearest(self, vector: np.ndarray, k: int, ids: list[str] | None) -> Hits:
        parts = [None] if ids is None else [ids[n : n + _MAX_IDS] for n in range(0, len(ids), _MAX_IDS)]
        hits: Hits = []
        for part in parts:
            found = self._rows.query(query_embeddings=vector[None], n_results=k, ids=part, include=["distances"])
            cosines = np.clip(1 - np.asarray(found["distances"][0], dtype=float), -1, 1)
            hits += zip(found["ids"][0], cosines.tolist(), strict=True)
        return nlargest(k, hits, key=lambda hit: hit[1])

    def _change(self, held: dict[str, int]) -> bool:
        """Open the index, and remove and add the documents that differ. held: the number of passages that the index
        holds of each.

        Returns False if the index does not compare by cosine, or has another number of passages at the end.
        """
        if self._rows is None:
            self._client = self._new_client()
            self._rows = self._client.get_or_create_collection(
                self._name, embedding_function=None, metadata={"embedder": self._embedder},
                configuration={"hnsw": {"space": "cosine", "ef_search": _SEARCH_BREADTH}},
            )  # fmt: skip
            if (self._rows.configuration.get("hnsw") or {}).get("space") != "cosine":
                return False  # Chroma keeps the space in which a collection was created
        wanted = self._store.evidence_counts()
        if held.keys() != wanted.keys():
            self._record(None)
            for id_ in held.keys() - wanted.keys():
                self._rows.delete(where={"document_id": id_})
            held = {id_: held[id_] if id_ in held else self._add(id_) for id_ in wanted}
            self._rows.count()  # a read makes Chroma save its index now, while no other process reads
            self._record(held)
        self._held = held
        return self._rows.count() == sum(held.values())

    def _add(self, id_: str) -> int:
        """Add the passages of a document; returns their number."""
        ids, texts, vectors = self._store.evidence(id_)
        for start in range(0, len(ids), _MAX_VECTORS):
            part = slice(start, start + _MAX_VECTORS)
            about = [{"document_id": id_}] * len(ids[part])
            self._rows.add(ids=ids[part], documents=texts[part], embeddings=vectors[part], metadatas=about)
        return len(ids)

    @property
    def _name(self) -> str:
        """The name of the collection; on a server it is that of one library."""
        return f"{NAME}-{self._store.state('identity')}" if self._server else NAME

    def _record(self, held: dict[str, int] | None) -> None:
        self._store.set_state(self._record_name, json.dumps(held))

    @contextmanager
    def _in_use(self, *, is_shared: bool = False) -> Iterator[None]:
        """Keep other processes out, unless `is_shared`. Raises LibraryError in one sentence if one holds the lock for
        too long, and if the index cannot be used.
        """
        with self._store.raising_library_errors():
            try:
                with nullcontext() if is_shared else self._lock.acquire(timeout=_PATIENCE):
                    yield
            except Timeout:
                raise LibraryError(
                    f"The library in {self._home} has been used by another process for {_PATIENCE} s; end that process."
                ) from None
            except httpx.TransportError as error:
                raise LibraryError(
                    f"The Chroma server at {self._server} does not answer; start it with chroma run and ask again; "
                    "nothing is lost."
                ) from error
            except ChromaError as error:
                raise OSError(str(error)) from error

    def _new_client(self) -> ClientAPI:
        """A client of the server, whose version it requests at once, or of the folder."""
        settings = Settings(anonymized_telemetry=False)
        if self._server:
            url = urlsplit(self._server)
            is_encrypted = url.scheme == "https"
            try:
                return chromadb.HttpClient(
                    host=url.hostname, port=url.port or (443 if is_encrypted else 8000), ssl=is_encrypted,
                    settings=settings,
                )  # fmt: skip
            except ValueError as error:  # raised for a server that is not there
                raise httpx.ConnectError(str(error)) from error
        path = str(self._folder.resolve())
        try:
            return chromadb.PersistentClient(path=path, settings=settings)
        except BaseException:  # otherwise Chroma would return the client that failed to start
            SharedSystemClient._identifier_to_system.pop(path, None)
            raise
