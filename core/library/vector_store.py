"""The vectors of passages in Chroma: one collection with cosine distance for one embedder.

It is in the library's own folder, or on a server that many machines use.
"""

from collections.abc import Sequence
from heapq import nlargest
from pathlib import Path
from urllib.parse import urlsplit

import chromadb
import httpx
import numpy as np
from chromadb.api import ClientAPI
from chromadb.api.client import SharedSystemClient
from chromadb.config import Settings
from chromadb.errors import ChromaError, InternalError

from core.library.documents import LibraryError
from core.library.index_location import NAME

__all__ = ["ChromaError", "Collection", "Hits", "TransportError", "require_same", "unreachable"]
TransportError = httpx.TransportError
_SEARCH_BREADTH = 256  # neighbours that a search visits: far more than it returns, so that it misses none
_MAX_IDS = 10_000  # ids in one request: Chroma's database accepts at most 32,766
_MAX_VECTORS = 1000  # vectors in one request to a server, which accepts at most 40 MB

Hits = list[tuple[str, float]]


class Collection:
    """An open collection with its index loaded. In a folder it sees changes by other processes only when opened again.

    server: address of the Chroma server that holds it as `name`, "" for one in `folder`. Opening raises LibraryError
    if the server does not answer; later calls raise TransportError.
    """

    def __init__(self, folder: Path, embedder: str, server: str = "", name: str = NAME) -> None:
        self._name, self._most = name, _MAX_VECTORS if server else None
        self._client = _client_of(server) if server else _client(str(folder.resolve()))
        try:
            self._rows = self._client.get_or_create_collection(
                name,
                configuration={"hnsw": {"space": "cosine", "ef_search": _SEARCH_BREADTH}},
                embedding_function=None,
                metadata={"embedder": embedder},
            )
            # Chroma keeps the settings of the creation of a collection.
            space = (self._rows.configuration.get("hnsw") or {}).get("space")
            if space != "cosine":
                raise LibraryError(
                    f"The collection in {folder} uses the distance {space}, not cosine; choose another --home, or "
                    "delete the collection."
                )
            require_same((self._rows.metadata or {}).get("embedder"), embedder, folder.parent)
            self._most = self._most or self._client.get_max_batch_size()
            self.count()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._client.close()

    def drop(self) -> None:
        """Delete the whole collection from its server."""
        self._client.delete_collection(self._name)

    def count(self) -> int:
        return self._rows.count()

    def ids(self) -> list[str]:
        return self._rows.get(include=[])["ids"]

    def add(self, document_id: str, ids: Sequence[str], vectors: np.ndarray) -> None:
        """Add passages of a document. vectors: (ids, d), unit vectors."""
        for start in range(0, len(ids), self._most):
            batch = list(ids[start : start + self._most])
            metadatas_ = [{"document_id": document_id}] * len(batch)
            self._rows.add(ids=batch, embeddings=vectors[start : start + self._most], metadatas=metadatas_)

    def remove(self, document_id: str) -> None:
        """Delete all passages of a document, if there are any."""
        self._rows.delete(where={"document_id": document_id})

    def vectors(self, ids: list[str]) -> np.ndarray:
        """The stored vectors of these passages in this order: (ids, d), float32. Raises InternalError if one is
        missing.
        """
        vectors_by_id: dict[str, Sequence[float]] = {}
        for start in range(0, len(ids), _MAX_IDS):
            rows = self._rows.get(ids=ids[start : start + _MAX_IDS], include=["embeddings"])
            vectors_by_id |= zip(rows["ids"], rows["embeddings"], strict=True)
        if len(vectors_by_id) < len(set(ids)):
            raise InternalError(f"it lacks {len(set(ids)) - len(vectors_by_id)} vectors")
        return np.asarray([vectors_by_id[id_] for id_ in ids], dtype=np.float32)

    def nearest(self, vector: np.ndarray, k: int, ids: list[str] | None) -> Hits:
        """(ids, cosines) of the `k` passages with the highest cosine to `vector`, best first; fewer if there are no
        more. ids: the passages to search, None for all.
        """
        if ids is None:
            return self._query(vector, k, None)
        parts = [self._query(vector, k, ids[start : start + _MAX_IDS]) for start in range(0, len(ids), _MAX_IDS)]
        return nlargest(k, (hit for part in parts for hit in part), key=lambda hit: hit[1])

    def _query(self, vector: np.ndarray, k: int, ids: list[str] | None) -> Hits:
        result = self._rows.query(query_embeddings=vector[None], n_results=k, ids=ids, include=["distances"])
        cosines = np.clip(1 - np.asarray(result["distances"][0], dtype=float), -1, 1)
        return list(zip(result["ids"][0], cosines.tolist(), strict=True))


def require_same(old_embedder: str | None, embedder: str, home: Path) -> None:
    """Raise LibraryError if a library was built with another embedder: vectors of two models cannot be compared."""
    if old_embedder != embedder:
        raise LibraryError(
            f"The library in {home} was built with other embeddings ({old_embedder}, now {embedder}); "
            "choose another --home, or delete that folder and ingest the files again."
        )


def _client(path: str) -> ClientAPI:
    try:
        return chromadb.PersistentClient(path=path, settings=Settings(anonymized_telemetry=False))
    except BaseException:  # otherwise Chroma would return the client that failed to start
        SharedSystemClient._identifier_to_system.pop(path, None)
        raise


def unreachable(server: str) -> LibraryError:
    """The error for a server that does not answer."""
    return LibraryError(
        f"The Chroma server at {server} does not answer; start it with chroma run and ask again: all is as before then."
    )


def _client_of(server: str) -> ClientAPI:
    """Connect to a Chroma server. The client requests its version at once. Raises LibraryError if it does
    not answer.
    """
    url = urlsplit(server)
    try:
        return chromadb.HttpClient(
            host=url.hostname, port=url.port or (443 if url.scheme == "https" else 8000), ssl=url.scheme == "https",
            settings=Settings(anonymized_telemetry=False),
        )  # fmt: skip
    except (ValueError, httpx.TransportError) as error:  # raised for a server that is not there
        raise unreachable(server) from error
