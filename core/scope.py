"""Does a passage lie where a question may look?"""

from core.case import Passage, Scope


def in_scope(passage: Passage, scope: Scope) -> bool:
    """True when class, subject, document and pages allow it; a page range wants any one of its sentences."""
    if scope.class_number is not None and passage.class_number != scope.class_number:
        return False
    if scope.subject and folded(passage.subject) != folded(scope.subject):
        return False
    if scope.documents and document_key(passage.document) not in {document_key(d) for d in scope.documents}:
        return False
    return not scope.pages or any(low <= page <= high for low, high in scope.pages for page in passage.pages)


def folded(subject: str) -> str:
    """A subject as it is compared: "social  science" is "Social Science"."""
    return " ".join(subject.casefold().split())


def document_key(name: str) -> str:
    """A document's name as it is compared: its ending may be left out."""
    return folded(name).removesuffix(".pdf")
