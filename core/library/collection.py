"""The passages in Chroma: one collection, in cosine space, for one embedder."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import chromadb
import numpy as np
from chromadb.config import Settings

from core.case import Passage
from core.library.documents import Document
from core.library.errors import LibraryError

NAME = "passages"
_SEARCHED = 256  # neighbours that a search looks at: far more than it returns, so that it misses none


class Collection:
    """An open collection. It sees what other processes write only when opened anew."""

    def __init__(self, folder: Path, embedder: str) -> None:
        self._client = chromadb.PersistentClient(
            path=str(folder.resolve()), settings=Settings(anonymized_telemetry=False)
        )
        self._rows = self._client.get_or_create_collection(
            NAME,
            configuration={"hnsw": {"space": "cosine", "ef_search": _SEARCHED}},
            embedding_function=None,
            metadata={"embedder": embedder},
        )
        try:
            self._verify(folder, embedder)
        except LibraryError:
            self.close()
            raise

    def _verify(self, folder: Path, embedder: str) -> None:
        """Chroma keeps the settings with which a collection was made, whatever it is opened with."""
        space = (self._rows.configuration.get("hnsw") or {}).get("space")
        if space != "cosine":
            raise LibraryError(
                f"The collection in {folder} measures {space}, not cosine; choose another --home, or delete "
                "that folder and ingest the files again."
            )
        known = (self._rows.metadata or {}).get("embedder")
        if known != embedder:
            raise LibraryError(
                f"The library in {folder.parent} was built with other embeddings ({known}, now {embedder}); "
                "choose another --home, or delete that folder and ingest the files again."
            )

    def close(self) -> None:
        self._client.close()

    def ids(self) -> list[str]:
        return self._rows.get(include=[])["ids"]

    def add(self, document_id: str, passages: Sequence[Passage], vectors: np.ndarray) -> None:
        """vectors: (passages, d), of length 1."""
        most = self._client.get_max_batch_size()
        for start in range(0, len(passages), most):
            batch = passages[start : start + most]
            self._rows.add(
                ids=[p.id for p in batch],
                embeddings=vectors[start : start + most],
                documents=[p.text for p in batch],
                metadatas=[_stored(document_id, p) for p in batch],
            )

    def remove(self, document_id: str) -> None:
        """All passages of a document; none is fine."""
        self._rows.delete(where={"document_id": document_id})

    def passages(self, documents: Mapping[str, Document]) -> list[Passage]:
        """Every passage of these documents, in no particular order."""
        rows = self._rows.get(include=["metadatas"])
        return [
            _restored(id_, stored, documents[stored["document_id"]])
            for id_, stored in zip(rows["ids"], rows["metadatas"], strict=True)
            if stored["document_id"] in documents
        ]

    def vectors(self, ids: list[str]) -> np.ndarray:
        """The stored vectors of these passages, in this order: (ids, d), float32."""
        rows = self._rows.get(ids=ids, include=["embeddings"])
        found = dict(zip(rows["ids"], rows["embeddings"], strict=True))
        return np.asarray([found[id_] for id_ in ids], dtype=np.float32)

    def nearest(self, vector: np.ndarray, k: int, ids: list[str] | None) -> list[tuple[str, float]]:
        """The `k` nearest, or fewer where there are no more, among `ids` (None: all), with their cosines."""
        found = self._rows.query(query_embeddings=vector[None], n_results=k, ids=ids, include=["distances"])
        cosines = np.clip(1 - np.asarray(found["distances"][0], dtype=float), -1, 1)
        return list(zip(found["ids"][0], cosines.tolist(), strict=True))


def _stored(document_id: str, passage: Passage) -> dict[str, Any]:
    """What cannot be had from the manifest; class, subject and chapter are there, and only there."""
    return {
        "document_id": document_id, "section": passage.section, "page": passage.page,
        "sentences": json.dumps(passage.sentences), "pages": json.dumps(passage.pages),
    }  # fmt: skip


def _restored(id_: str, stored: Mapping[str, Any], document: Document) -> Passage:
    return Passage(
        id=id_,
        sentences=tuple(json.loads(stored["sentences"])),
        pages=tuple(json.loads(stored["pages"])),
        document=document.name,
        class_number=document.class_number,
        subject=document.subject,
        chapter=document.chapter,
        section=stored["section"],
    )
