"""Documents whose files have the same name: which one a new file replaces, and what each of them is called."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from core.library.documents import Document, LibraryError, Textbook, textbook
from core.question import folded


def named_apart(documents: Sequence[Document]) -> tuple[Document, ...]:
    """`documents`, each with a name of its own: class and subject follow the name of a file that several share.

    "chapter1.pdf" of class 7 is then called "chapter1.pdf (class 7)". This name stands in lists, citations and scopes.
    """
    count = Counter(document.name.casefold() for document in documents)
    return tuple(
        replace(d, name=d.name + (in_brackets(d) or " (class not known)")) if count[d.name.casefold()] > 1 else d
        for d in documents
    )


def predecessors(documents: Sequence[Document], file: str, name: str, place: Textbook) -> tuple[Document, ...]:
    """The documents that a file replaces: those with its bytes, and the one with its name, class and subject.

    file: the digest of its bytes. documents: as they are stored, each under the name of its file.
    """
    return tuple(d for d in documents if d.file == file or (_same_name(d, name) and _same_place(d, place)))


def revised(
    documents: Sequence[Document], file: str, name: str, class_number: int | None, subject: str | None
) -> Document | None:
    """The document of which the file seems to be another version; None for a file that is new.

    It has the same bytes; else the same name, and the class and subject that a person gives. None for a class or a
    subject means that the person gives none. LibraryError when several documents fit.
    """
    if same := [d for d in documents if d.file == file]:
        return same[-1]
    alike = [
        d for d in documents
        if _same_name(d, name)
        and class_number in (None, d.class_number)
        and (subject is None or folded(subject) == folded(d.subject))
    ]  # fmt: skip
    if len(alike) > 1:
        alike = [d for d in alike if _same_place(d, textbook(name))] or alike
    if len(alike) > 1:
        held = ", ".join(document.name for document in named_apart(alike))
        raise LibraryError(
            f"{name} could be a new version of {held}; give its class and subject, so that it replaces the right one."
        )
    return alike[0] if alike else None


def in_brackets(document: Document) -> str:
    """Class and subject as they follow a name: " (class 7, Science)"; "" where neither is known.

    Brackets within the subject are left out: they would end those around it.
    """
    subject = " ".join(document.subject.replace("(", " ").replace(")", " ").split())
    known = (f"class {document.class_number}" if document.class_number else "", subject)
    place = ", ".join(part for part in known if part)
    return f" ({place})" if place else ""


def require_own_place(documents: Sequence[Document], amended: Document) -> None:
    """LibraryError when another document has the name, the class and the subject of `amended`."""
    for other in documents:
        if other.id != amended.id and _same_name(other, amended.name) and _same_place(other, amended):
            raise LibraryError(
                f"The library holds another {other.name}{in_brackets(other)}; give this one a different class or "
                "subject, or remove the other one first."
            )


def _same_name(document: Document, name: str) -> bool:
    """Case does not tell files apart on every system."""
    return document.name.casefold() == name.casefold()


def _same_place(document: Document, place: Textbook | Document) -> bool:
    return document.class_number == place.class_number and folded(document.subject) == folded(place.subject)
