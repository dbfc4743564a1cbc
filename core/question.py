"""A question before retrieval: its text, its scope, and what came with it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from core.errors import UserError

MAX_QUERY = 2_000
"""Maximum length of a question, in characters."""
HINDI = "Hindi"
"""The only language of a question beside English that has replies of its own."""


class CaseError(UserError):
    """A case is described in an unreadable way; the message says what is wrong and what is allowed."""


NO_ANSWER = "no answer to judge"
"""The state of a row or request that has a field for the answer to judge, with no answer in it."""


class NoAnswerError(CaseError):
    """The field for the answer to judge is present but empty. Its state is NO_ANSWER."""


_PAGE_RANGE = re.compile(r"(\d{1,5})(?:\s*[-–]\s*(\d{1,5}))?", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Scope:
    """Where to search. Empty fields mean everywhere; page ranges include both ends."""

    class_number: int | None = None
    subject: str = ""
    documents: tuple[str, ...] = ()
    pages: tuple[tuple[int, int], ...] = ()

    @property
    def named(self) -> bool:
        """True if the user named documents or pages; source document B trusts such a question more."""
        return bool(self.documents or self.pages)

    @property
    def pages_text(self) -> str:
        """The pages as people write them: "3-5, 8"; "" for all pages."""
        return pages_text(first if first == last else (first, last) for first, last in self.pages)

    def in_words(self, titles: Iterable[str]) -> str:
        """Its limits of a search: "class 8, Science, Sound, pages 3-5"; "" for everywhere. titles: of its documents."""
        parts = (
            f"class {self.class_number}" if self.class_number else "", self.subject, ", ".join(titles),
            f"pages {self.pages_text}" if self.pages else "",
        )  # fmt: skip
        return ", ".join(filter(None, parts))


ROLES = ("user", "assistant", "tool")
"""Who may speak in a conversation."""


@dataclass(frozen=True, kw_only=True)
class Turn:
    """An earlier turn of the conversation. role: one of ROLES."""

    role: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Context:
    """A text that another search found for a question; unknown fields are empty.

    page: counted from 1, 0 if unknown.
    score: that search's score in [-1, 1], used for all four scales; None if it is to be measured.
    """

    text: str
    document: str = ""
    page: int = 0
    score: float | None = None
    class_number: int | None = None
    subject: str = ""


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question before retrieval.

    answer: the answer to judge; None if the writer is to answer. citations: the passages, from 1, that each sentence of
    `answer` cites, besides the marks in its text; None for the marks alone. attribute: True to ignore both and let the
    project find the citations. contexts: results of another search, used in place of the library; None to search the
    library. understood: a follow-up question, completed from the conversation, or the question without the words around
    it; "" if it stands as it is.
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
        """The question in a form that needs no conversation: `understood` if it is set, else the question itself."""
        return self.understood or self.query


def read_pages(text: str) -> list[Any]:
    """The pages of a text such as "3-5, 8" as a row holds them: [[3, 5], 8]. A part that is no page stays text."""
    pages: list[Any] = []
    for part in filter(None, map(str.strip, text.split(","))):
        match = _PAGE_RANGE.fullmatch(part)
        ends = [int(end) for end in match.groups() if end] if match else [part]
        pages.append(ends if len(ends) == 2 else ends[0])
    return pages


def page_range(value: Any) -> tuple[int, int]:
    """The first and last page of one entry of a row: a page, [first, last], or either as text. Raises CaseError."""
    (page,) = read_pages(value) if isinstance(value, str) and _PAGE_RANGE.fullmatch(value.strip()) else (value,)
    ends = page if isinstance(page, list) else [page]
    if not (len(ends) in (1, 2) and all(type(end) is int for end in ends) and 1 <= ends[0] <= ends[-1]):
        raise CaseError(f"pages must hold page numbers from 1 or ranges [first, last], got {value!r:.80}.")
    return ends[0], ends[-1]


def pages_text(pages: Iterable[int | Sequence[int] | str]) -> str:
    """Pages and ranges as the text that `read_pages` reads: "3-5, 8"."""
    return ", ".join("-".join(map(str, page)) if isinstance(page, list | tuple) else str(page) for page in pages)


def fold_subject(subject: str) -> str:
    """A subject in the form used for comparison: "social  science" equals "Social Science"."""
    return " ".join(subject.casefold().split())


def file_and_suffix(name: str) -> tuple[str, str]:
    """A document name as its file name and the suffix that tells files of one name apart: " (class 7)", or ""."""
    file, bracket, location = name.rpartition(" (") if name.endswith(")") else (name, "", "")
    return (file, bracket + location) if file else (name, "")


@lru_cache(maxsize=4096)
def _document_keys(name: str) -> tuple[str, str]:
    """The document name and its file name in the form used for comparison, without ".pdf"."""
    file, location = file_and_suffix(fold_subject(name))
    file = file.removesuffix(".pdf")
    return file + location, file


def names_document(name: str, document: str) -> bool:
    """True if a user who writes `name` means the document that the library calls `document`.

    The ending .pdf is optional. A file name means every document with that file name: "chapter1.pdf" means
    "chapter1.pdf (class 7)" and "chapter1.pdf (class 8)".
    """
    return _document_keys(name)[0] in _document_keys(document)


def unknown_documents(names: Iterable[str], library_names: Iterable[str]) -> list[str]:
    """Those of `names` that match no document in `library_names`, in order."""
    known_keys = {key for document in library_names for key in _document_keys(document)}
    return [name for name in names if _document_keys(name)[0] not in known_keys]
