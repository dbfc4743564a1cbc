"""Stores what was read of each document: its passages, their positions and vectors, and its raw pages.

Also holds all passages in memory and searches them.
"""

import io
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.case import Passage, Scope, in_scope
from core.library.documents import Document, LibraryError
from core.library.passages import Cut
from core.library.vector_store import Collection
from core.pdf.page import Page, PageRect
from core.platform.atomic_write import write_whole

EVERYWHERE = Scope()
SentenceRects = tuple[PageRect, ...]
_PASSAGES, _PLACES, _PAGES = range(3)
"""Line numbers in a file of readings. The first is read when a library is opened, the others when a page is shown."""


def document_of(passage_id: str) -> str:
    """The document id in a passage id."""
    return passage_id.partition(":")[0]


def marks_of(rects: Sequence[Sequence[PageRect]], sentences: Iterable[int]) -> tuple[PageRect, ...]:
    """The positions of these sentences. rects: of every sentence; a sentence without an entry adds nothing."""
    return tuple(tuple(mark) for i in sentences if i < len(rects) for mark in rects[i])


class PassageStore:
    """The readings in one folder. They repeat nothing that the manifest of a document holds."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def paths(self, id_: str) -> tuple[Path, Path]:
        """The files of a document: texts, and vectors."""
        return self.folder / f"{id_}.jsonl", self.folder / f"{id_}.npy"

    def holds(self, id_: str) -> bool:
        return all(path.exists() for path in self.paths(id_))

    def add(self, id_: str, pages: Sequence[Page], cut: Cut, vectors: np.ndarray) -> None:
        """Store the readings of a document. vectors: (passages, d), float32."""
        lines = (
            [_row_of(passage) for passage in cut.passages],
            cut.rects,
            [{"width": page.width, "height": page.height, "raw": page.raw} for page in pages],
        )
        texts, numbers = self.paths(id_)
        vector_file = io.BytesIO()
        np.save(vector_file, vectors, allow_pickle=False)
        write_whole(texts, "\n".join(json.dumps(line) for line in lines).encode())
        write_whole(numbers, vector_file.getvalue())

    def passages(self, document: Document) -> tuple[Passage, ...]:
        """The passages of a document, in reading order. Raises LibraryError if its readings are missing."""
        return tuple(_passage_of(row, document) for row in self._line(document, _PASSAGES))

    def vectors(self, document: Document) -> np.ndarray:
        """One unit vector per passage: (passages, d), float32. Raises LibraryError if they are missing."""
        with _requiring_readings(document):
            return np.load(self.paths(document.id)[1], allow_pickle=False)

    def sentence_rects(self, document: Document, index: int) -> tuple[SentenceRects, ...]:
        """The positions of the sentences of a passage. place: index of the passage in its document."""
        return tuple(tuple(map(tuple, sentence)) for sentence in self._line(document, _PLACES)[index])

    def raw_page(self, document: Document, page: int) -> str:
        """The text of a page, counted from 1, as the file has it."""
        return self._line(document, _PAGES)[page - 1]["raw"]

    def _line(self, document: Document, number: int) -> list[Any]:
        with _requiring_readings(document), self.paths(document.id)[0].open("rb") as file:
            for _ in range(number):
                file.readline()
            return json.loads(file.readline())


@contextmanager
def _requiring_readings(document: Document) -> Iterator[None]:
    """Turn an error of a missing or damaged file into a LibraryError that names the document."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise LibraryError(
            f"What was read of {document.name} is no longer in the library; remove it and add it again."
        ) from error


def _row_of(passage: Passage) -> dict[str, Any]:
    return {
        "id": passage.id, "section": passage.section, "sentences": passage.sentences, "pages": passage.pages,
        "kind": passage.kind, "broken": passage.broken, "labels": passage.labels,
    }  # fmt: skip


def _passage_of(row: dict[str, Any], document: Document) -> Passage:
    return Passage(
        id=row["id"], sentences=tuple(row["sentences"]), pages=tuple(row["pages"]), section=row["section"],
        document=document.name, class_number=document.class_number, subject=document.subject,
        chapter=document.chapter, kind=row["kind"],
        broken=tuple(row.get("broken", ())),  # absent in earlier versions: all sentences count as whole
        labels=tuple(row.get("labels", ())), title=document.title,
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class LoadedPassages:
    """All passages at one version of the library, also by passage id, and by content and title of their document.

    titles: of the documents, which are no part of the version.
    """

    version: str = ""
    titles: tuple[str, ...] = ()
    passages: tuple[Passage, ...] = ()
    by_id: dict[str, Passage]
    by_document: dict[tuple[object, ...], tuple[Passage, ...]]

    def passage(self, id_: str) -> Passage:
        """The passage with this id. Raises LibraryError if there is none."""
        if id_ not in self.by_id:
            raise LibraryError(f"The library holds no passage {id_!r}; its document was removed.")
        return self.by_id[id_]

    def vectors(self, collection: Collection, ids: list[str]) -> np.ndarray:
        """The unit vectors of these passages in this order: (ids, d), float32.

        Raises LibraryError for an unknown id.
        """
        for id_ in ids:
            self.passage(id_)
        return collection.vectors(ids)

    def nearest(self, collection: Collection, vector: np.ndarray, k: int, scope: Scope) -> list[tuple[Passage, float]]:
        """The `k` passages in scope with the highest cosine to `vector`, best first; fewer if there are no more. No
        exercises.
        """
        if scope == EVERYWHERE:
            return self._nearest_evidence(collection, vector, k) if self.passages else []
        ids = [p.id for p in self.passages if p.tells and in_scope(p, scope)]
        return [(self.by_id[id_], cosine) for id_, cosine in collection.nearest(vector, k, ids)] if ids else []

    def _nearest_evidence(self, collection: Collection, vector: np.ndarray, k: int) -> list[tuple[Passage, float]]:
        """The `k` nearest of all passages, without exercises. The search is widened until enough others are found."""
        limit = k
        while True:
            hits = collection.nearest(vector, limit, None)
            evidence = [
                (self.by_id[id_], cosine) for id_, cosine in hits if id_ in self.by_id and self.by_id[id_].tells
            ]
            if len(evidence) >= k or len(hits) < limit:
                return evidence[:k]
            limit *= 2
