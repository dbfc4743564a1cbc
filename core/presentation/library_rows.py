"""Words and rows of the Library page, for educators: the documents as a table, and a name of its own for each."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from core.book_titles import book, book_title
from core.library import Document
from core.library.documents import loss_sentences
from core.words import count_of


def document_columns(documents: Sequence[Document]) -> dict[str, list[Any]]:
    """The table of these documents, column by column, a cell for each document; None where nothing is known."""
    return {
        "Title": [d.title or book_title(d.name) for d in documents], "Class": [d.class_number for d in documents],
        "Subject": [d.subject or None for d in documents], "Chapter": [d.chapter or None for d in documents],
        "Pages": [d.pages for d in documents], "Text quality": [_read_percentage(d) for d in documents],
        "Could not be read": ["; ".join(loss_sentences(d.losses)) or ("—" if d.sentences else None) for d in documents],
        "Added": [f"{datetime.fromisoformat(d.added).astimezone():%d %b %Y %H:%M}" for d in documents],
        "Passages": [d.passages for d in documents], "File": [d.name for d in documents],
    }  # fmt: skip


def distinct_names(documents: Sequence[Document]) -> dict[str, str]:
    """A name for each document, by its id: title and chapter, with class, subject or file where several share one."""
    names = {d.id: book(d) for d in documents}
    for more in (lambda d: ", ".join(_class_and_subject(d)), lambda d: d.name):
        count = Counter(names.values())
        names = {
            d.id: f"{names[d.id]} · {more(d)}" if count[names[d.id]] > 1 and more(d) else names[d.id] for d in documents
        }
    return names


def details(document: Document) -> str:
    """Class, subject and size of a document, as far as known."""
    texts = [*_class_and_subject(document), count_of(document.pages, "page"), count_of(document.passages, "passage")]
    if document.sentences:
        well_read = document.sentences - document.broken
        texts.append(f"{well_read} of {count_of(document.sentences, 'sentence')} read well")
    if document.hidden:
        texts.append(f"{count_of(document.hidden, 'invisible letter')} left out")
    return " · ".join(texts)


def loss_texts(document: Document) -> list[str]:
    """Sentences on what the pages of a document show and the library could not read."""
    return [f"{sentence[0].upper()}{sentence[1:]}." for sentence in loss_sentences(document.losses)]


def _read_percentage(document: Document) -> float | None:
    """The percentage of a document that was read well; None if its sentences were never counted.

    A page without text counts as the mean number of sentences of the others, any other loss as one sentence.
    """
    if not document.sentences:
        return None
    blank = sum(loss.kind == "no text" for loss in document.losses)
    mean = document.sentences / max(1, document.pages - blank)
    unread = blank * max(1.0, mean) + len(document.losses) - blank
    return 100 * (document.sentences - document.broken) / (document.sentences + unread)


def _class_and_subject(document: Document) -> list[str]:
    parts = (f"class {document.class_number}" if document.class_number else "", document.subject)
    return [part for part in parts if part]
