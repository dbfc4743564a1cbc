"""What a question becomes on its way to a verdict: passages, evidence, draft, case, round, trace."""

import hashlib
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

Signals = dict[str, np.ndarray]


class CaseError(ValueError):
    """A case was described in a way that cannot be read; the message says what is wrong and what is allowed."""


@dataclass(frozen=True, kw_only=True)
class Passage:
    """A run of whole sentences of one chapter. `pages` holds, for each sentence, its page counted from 1.

    kind: "text", or "exercise" for what asks and is no evidence.
    """

    id: str
    sentences: tuple[str, ...]
    pages: tuple[int, ...]
    document: str = ""
    class_number: int | None = None
    subject: str = ""
    chapter: str = ""
    section: str = ""
    kind: str = "text"

    @property
    def text(self) -> str:
        return " ".join(self.sentences)

    @property
    def tells(self) -> bool:
        """True for evidence: an exercise only asks."""
        return self.kind != "exercise"

    @property
    def page(self) -> int:
        """The page on which the passage begins."""
        return self.pages[0] if self.pages else 0


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """A passage retrieved for a query, with its scores on the four absolute scales of the design.

    cosine in [-1, 1]; related, hybrid and answers are probabilities. `kept` lists the sentences (their places in
    `passage.sentences`) that bear on the question: what a writer reads and where NLI takes its premises.
    """

    passage: Passage
    cosine: float
    related: float
    hybrid: float
    answers: float
    kept: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Closest:
    """The passage of the whole library that is closest to the query, whatever the scope says.

    `asked` is the cosine of the closest passage of the class and subject that were asked for, 0 without one.
    """

    cosine: float
    asked: float
    class_number: int | None = None
    subject: str = ""


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


@dataclass(frozen=True, kw_only=True)
class Turn:
    """An earlier turn of the conversation; role is user, assistant or tool."""

    role: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """One sentence of an answer. `citations` are the numbers in its marks: 1 is the first passage."""

    text: str
    citations: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Draft:
    """The answer under check. `given` is True for an answer that came from outside, which is never rewritten."""

    text: str
    sentences: tuple[Sentence, ...]
    writer: str
    given: bool = False


@dataclass(frozen=True, kw_only=True)
class Question:
    """What was asked, before anything was retrieved. `answer` is a given answer to judge, else None."""

    query: str
    scope: Scope = Scope()
    history: tuple[Turn, ...] = ()
    tool_results: tuple[str, ...] = ()
    answer: str | None = None
    citations: tuple[tuple[int, ...], ...] | None = None
    attribute: bool = False


@dataclass(frozen=True, kw_only=True)
class Case:
    """All that a check may look at: the question, the query of this round, its evidence and the draft."""

    question: Question
    query: str
    evidence: tuple[Evidence, ...] = ()
    closest: Closest | None = None
    draft: Draft | None = None

    @property
    def passages(self) -> tuple[Passage, ...]:
        return tuple(e.passage for e in self.evidence)

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        return self.draft.sentences if self.draft else ()


@dataclass(frozen=True, kw_only=True)
class Absence:
    """Why a check has no signals. cause: "not applicable" (does not block) or "error" (blocks)."""

    cause: str
    why: str


@dataclass(frozen=True, kw_only=True)
class Round:
    """One pass over a case with everything that was measured on it; no threshold has touched any of it.

    `windows[s][p]` lists the sentences of passage p whose reading gave its label for sentence s.
    """

    name: str
    case: Case
    signals: dict[str, Signals] = field(default_factory=dict)
    absent: dict[str, Absence] = field(default_factory=dict)
    windows: tuple[tuple[tuple[int, ...], ...], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Trace:
    """The rounds of one question. A verdict is a pure function of a trace and a preset."""

    question: Question
    rounds: tuple[Round, ...] = ()
    models: dict[str, str] = field(default_factory=dict)
    suggestions: tuple[str, ...] = ()
    seconds: float = 0.0

    def with_round(self, measured: Round, seconds: float = 0.0) -> "Trace":
        return replace(self, rounds=(*self.rounds, measured), seconds=self.seconds + seconds)

    @property
    def digest(self) -> str:
        """A name for this trace that changes when anything in it does not match; 16 hexadecimal digits."""
        parts = [self.question, [r.name for r in self.rounds], sorted(self.models.items())]
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def evidence_row(evidence: Evidence) -> dict[str, Any]:
    """One passage as the command line, the journal and the page show it."""
    passage = evidence.passage
    return {
        "document": passage.document, "page": passage.page, "cosine": evidence.cosine,
        "related": evidence.related, "hybrid": evidence.hybrid, "answers": evidence.answers, "text": passage.text,
    }  # fmt: skip
