"""One PDF on its way into the library: read, cut into passages, embedded; nothing is stored yet."""

from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from core.case import Passage
from core.library.documents import Document, document_id
from core.library.embedding import Embedder, embedded
from core.library.errors import LibraryError
from core.library.names import Textbook, textbook
from core.library.pages import read_pages
from core.library.passages import READING, passages_of
from core.library.progress import Listener, Pace


@dataclass(frozen=True, kw_only=True)
class Ingested:
    """added is False for a PDF that the library already held; nothing has changed then."""

    document: Document
    added: bool


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """A document that is ready to be stored. vectors: (passages, d), of length 1."""

    document: Document
    passages: tuple[Passage, ...]
    vectors: np.ndarray


def prepared(
    data: bytes, name: str, place: Textbook, words: int, embedder: Embedder, progress: Listener | None
) -> Prepared:
    """Read, cut and embed a PDF; LibraryError when there is nothing in it to read."""
    id_, reading = document_id(data), Pace(progress, name, "reading")
    pages = read_pages(data, name, on_page=lambda page, of: reading.tell(page, of, page / of))
    passages = passages_of(pages, document_id=id_, document=name, textbook=place, words=words)
    if not passages:
        raise LibraryError(f"{name} holds nothing but page numbers and running heads; export it again.")
    vectors = embedded(passages, len(pages), embedder, Pace(progress, name, "embedding"))
    document = Document(
        id=id_, name=name, class_number=place.class_number, subject=place.subject, chapter=place.chapter,
        pages=len(pages), passages=len(passages), added=datetime.now(UTC).isoformat(),
        settings={"words": words, "reading": READING},
    )  # fmt: skip
    return Prepared(document=document, passages=passages, vectors=vectors)


def placed(name: str, class_number: int | None, subject: str | None, chapter: str | int | None) -> Textbook:
    """What a person says of a file, and for the rest what its name says."""
    if class_number is not None and not 1 <= class_number <= 12:
        raise LibraryError(f"The class of {name} must be from 1 to 12, got {class_number}.")
    guess = textbook(name)
    return Textbook(
        class_number=guess.class_number if class_number is None else class_number,
        subject=guess.subject if subject is None else " ".join(subject.split()),
        chapter=guess.chapter if chapter is None else str(chapter).strip(),
    )
