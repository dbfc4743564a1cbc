"""Documents whose files share a name: which of them a new file replaces, and what distinguishes their names."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from core.library.documents import Document, LibraryError, Textbook, textbook
from core.question import fold_subject


def with_unique_names(documents: Sequence[Document]) -> tuple[Document, ...]:
    """Return `documents` with unique names: if several share a file name, class and subject are added to it.

    "chapter1.pdf" of class 7 becomes "chapter1.pdf (class 7)". Lists, citations and scopes use this name.
    """
    count = Counter(document.name.casefold() for document in documents)
    return tuple(
        replace(d, name=d.name + (in_brackets(d) or " (class not known)")) if count[d.name.casefold()] > 1 else d
        for d in documents
    )


def predecessors(documents: Sequence[Document], file: str, name: str, book: Textbook) -> tuple[Document, ...]:
    """The documents that a file replaces: those with its bytes, and the one with its name, class and subject.

    file: digest of its bytes. documents: as stored, each under its file name.
    """
    return tuple(d for d in documents if d.file == file or (_same_name(d, name) and _same_class_and_subject(d, book)))


def previous_version(
    documents: Sequence[Document], file: str, name: str, class_number: int | None, subject: str | None
) -> Document | None:
    """The document of which a file is a new version; None for a new file.

    That is the document with the same bytes (`file` is their digest). If there is none, it is the document with the
    same name, class and subject; a class or subject of None is not compared. Raises LibraryError if several documents
    fit.
    """
    if same := [d for d in documents if d.file == file]:
        return same[-1]
    matches = [
        d for d in documents
        if _same_name(d, name)
        and class_number in (None, d.class_number)
        and (subject is None or fold_subject(subject) == fold_subject(d.subject))
    ]  # fmt: skip
    if len(matches) > 1:
        matches = [d for d in matches if _same_class_and_subject(d, textbook(name))] or matches
    if len(matches) > 1:
        names = ", ".join(document.name for document in with_unique_names(matches))
        raise LibraryError(
            f"{name} could be a new version of {names}; give its class and subject, so that it replaces the right one."
        )
    return matches[0] if matches else None


def in_brackets(document: Document) -> str:
    """Class and subject to append to a name: " (class 7, Science)"; "" if neither is known.

    Brackets in the subject are removed, so that they do not end the outer ones.
    """
    subject = " ".join(document.subject.replace("(", " ").replace(")", " ").split())
    names = (f"class {document.class_number}" if document.class_number else "", subject)
    parts = ", ".join(part for part in names if part)
    return f" ({parts})" if parts else ""


def require_unique_location(documents: Sequence[Document], new_document: Document) -> None:
    """Raise LibraryError if another document has the name, class and subject of `new_document`."""
    for other in documents:
        if (
            other.id != new_document.id
            and _same_name(other, new_document.name)
            and _same_class_and_subject(other, new_document)
        ):
            raise LibraryError(
                f"The library holds another {other.name}{in_brackets(other)}; give this one a different class or "
                "subject, or remove the other one first."
            )


def _same_name(document: Document, name: str) -> bool:
    """True if the document's name is `name`, ignoring case, which some file systems ignore too."""
    return document.name.casefold() == name.casefold()


def _same_class_and_subject(document: Document, book: Textbook | Document) -> bool:
    return document.class_number == book.class_number and fold_subject(document.subject) == fold_subject(book.subject)
