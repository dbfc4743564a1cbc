"""What was read of each document: its passages, their places and vectors, and its pages as the file has them."""

import io
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from core.atomic_write import write_whole
from core.case import Passage
from core.library.documents import Document, LibraryError
from core.library.passages import Cut
from core.pdf.page import Page, Place

SentencePlaces = tuple[Place, ...]
_PASSAGES, _PLACES, _PAGES = range(3)
"""The lines of a file. The first is read whenever a library is opened, the others when a page is looked at."""


def document_of(passage_id: str) -> str:
    """The id of the document that a passage belongs to."""
    return passage_id.partition(":")[0]


def marks_of(places: Sequence[Sequence[Place]], sentences: Iterable[int]) -> tuple[Place, ...]:
    """Where these sentences stand, of the places of all; nothing for one whose place is not known."""
    return tuple(tuple(mark) for i in sentences if i < len(places) for mark in places[i])


class PassageStore:
    """The readings in one folder. What a manifest says of a document stands there, and only there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def paths(self, id_: str) -> tuple[Path, Path]:
        """The file of texts and that of vectors."""
        return self.folder / f"{id_}.jsonl", self.folder / f"{id_}.npy"

    def holds(self, id_: str) -> bool:
        return all(path.exists() for path in self.paths(id_))

    def add(self, id_: str, pages: Sequence[Page], cut: Cut, vectors: np.ndarray) -> None:
        """vectors: (passages, d), float32."""
        lines = (
            [_stored(passage) for passage in cut.passages],
            cut.places,
            [{"width": page.width, "height": page.height, "raw": page.raw} for page in pages],
        )
        texts, numbers = self.paths(id_)
        stored = io.BytesIO()
        np.save(stored, vectors, allow_pickle=False)
        write_whole(texts, "\n".join(json.dumps(line) for line in lines).encode())
        write_whole(numbers, stored.getvalue())

    def passages(self, document: Document) -> tuple[Passage, ...]:
        """The passages of a document, in reading order."""
        return tuple(_restored(row, document) for row in self._line(document, _PASSAGES))

    def vectors(self, document: Document) -> np.ndarray:
        """One unit vector a passage: (passages, d), float32."""
        with _expected(document):
            return np.load(self.paths(document.id)[1], allow_pickle=False)

    def places(self, document: Document, place: int) -> tuple[SentencePlaces, ...]:
        """Where the sentences of a passage stand; place: that of the passage in its document."""
        return tuple(tuple(map(tuple, sentence)) for sentence in self._line(document, _PLACES)[place])

    def raw_page(self, document: Document, page: int) -> str:
        """The text of a page, counted from 1, as the file has it."""
        return self._line(document, _PAGES)[page - 1]["raw"]

    def _line(self, document: Document, number: int) -> list[Any]:
        with _expected(document), self.paths(document.id)[0].open("rb") as file:
            for _ in range(number):
                file.readline()
            return json.loads(file.readline())


@contextmanager
def _expected(document: Document) -> Iterator[None]:
    """Says of a file that should be there, and is not, which document it belongs to."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise LibraryError(
            f"What was read of {document.name} is no longer in the library; remove it and add it again."
        ) from error


def _stored(passage: Passage) -> dict[str, Any]:
    return {
        "id": passage.id, "section": passage.section, "sentences": passage.sentences, "pages": passage.pages,
        "kind": passage.kind, "broken": passage.broken,
    }  # fmt: skip


def _restored(row: dict[str, Any], document: Document) -> Passage:
    return Passage(
        id=row["id"], sentences=tuple(row["sentences"]), pages=tuple(row["pages"]), section=row["section"],
        document=document.name, class_number=document.class_number, subject=document.subject,
        chapter=document.chapter, kind=row["kind"],
        broken=tuple(row.get("broken", ())),  # absent in what earlier versions have stored: all of it counts as whole
    )  # fmt: skip
