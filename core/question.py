"""What is asked, before anything is retrieved: the question, where it may look, what was said and came with it."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

MAX_QUERY = 2_000
"""Longest question, in characters."""


class CaseError(ValueError):
    """A case was described in a way that cannot be read; the message says what is wrong and what is allowed."""


NO_ANSWER = "no answer to judge"
"""The state of a row, or of a request, that has a field for the answer to judge, and no answer in it."""


class NoAnswerError(CaseError):
    """A question came with a field for the answer to judge, and there is no answer in it. Its state is NO_ANSWER."""


@dataclass(frozen=True, kw_only=True)
class Scope:
    """Where a question may look. Empty means everywhere; page ranges include both ends."""

    class_number: int | None = None
    subject: str = ""
    documents: tuple[str, ...] = ()
    pages: tuple[tuple[int, int], ...] = ()

    @property
    def named(self) -> bool:
        """True when a person named documents or pages, which seed B trusts more than a free search."""
        return bool(self.documents or self.pages)


ROLES = ("user", "assistant", "tool")
"""Who may have said a turn of a conversation."""


@dataclass(frozen=True, kw_only=True)
class Turn:
    """An earlier turn of the conversation; role is one of ROLES."""

    role: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Context:
    """A text that somebody else's search found for a question; what is not known of it is empty.

    page: counted from 1, 0 where it is not known. score: what that search gives it, in [-1, 1]; it then stands for all
    four scales. None is measured.
    """

    text: str
    document: str = ""
    page: int = 0
    score: float | None = None
    class_number: int | None = None
    subject: str = ""


@dataclass(frozen=True, kw_only=True)
class Question:
    """What was asked, before anything was retrieved. `answer` is a given answer to judge, else None.

    contexts: what another search found, which is then read in place of the library; None where ours searches.
    understood: what a follow-up asks in the light of what went before, "" where the question stands by itself.
    """

    query: str
    scope: Scope = Scope()
    history: tuple[Turn, ...] = ()
    tool_results: tuple[str, ...] = ()
    answer: str | None = None
    citations: tuple[tuple[int, ...], ...] | None = None
    attribute: bool = False
    contexts: tuple[Context, ...] | None = None
    understood: str = ""

    @property
    def standalone(self) -> str:
        """The question as it can be asked of a library that heard nothing of what went before."""
        return self.understood or self.query


def folded(subject: str) -> str:
    """A subject as it is compared: "social  science" is "Social Science"."""
    return " ".join(subject.casefold().split())


def file_and_place(name: str) -> tuple[str, str]:
    """The name of a document in two: that of its file, and " (class 7)" or the like, which follows where the library
    holds several files of one name; "" where nothing follows."""
    file, bracket, place = name.rpartition(" (") if name.endswith(")") else (name, "", "")
    return (file, bracket + place) if file else (name, "")


@lru_cache(maxsize=4096)
def _document_keys(name: str) -> tuple[str, str]:
    """The name of a document and the name of its file as they are compared: the ending .pdf is left out."""
    file, place = file_and_place(folded(name))
    file = file.removesuffix(".pdf")
    return file + place, file


def names_document(name: str, document: str) -> bool:
    """True when a person who writes `name` means the document that the library calls `document`.

    The ending .pdf may be left out. The name of a file means every document whose file has that name:
    "chapter1.pdf" means "chapter1.pdf (class 7)" and "chapter1.pdf (class 8)".
    """
    return _document_keys(name)[0] in _document_keys(document)


def unknown_documents(names: Iterable[str], held: Iterable[str]) -> list[str]:
    """Those of `names` that mean no document of `held`, in their order."""
    known = {key for document in held for key in _document_keys(document)}
    return [name for name in names if _document_keys(name)[0] not in known]
