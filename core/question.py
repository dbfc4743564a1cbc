"""What is asked, before anything is retrieved: the question, where it may look, what was said and came with it."""

from dataclasses import dataclass

MAX_QUERY = 2_000
"""Longest question, in characters."""


class CaseError(ValueError):
    """A case was described in a way that cannot be read; the message says what is wrong and what is allowed."""


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


def document_key(name: str) -> str:
    """A document's name as it is compared: its ending may be left out."""
    return folded(name).removesuffix(".pdf")
