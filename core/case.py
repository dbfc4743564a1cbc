"""What a question becomes on its way to a verdict: passages, evidence, draft, case, round, trace."""

import hashlib
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Annotated, Any

import numpy as np
from pydantic import PlainSerializer, PlainValidator

from core.judgements import Judgement, Opinion
from core.question import MAX_QUERY, CaseError, Context, Question, Scope, Turn, folded, names_document

__all__ = [
    "MAX_QUERY", "Absence", "Case", "CaseError", "Closest", "Context", "Draft", "Evidence", "Judgement",
    "Opinion", "Passage", "Question", "Round", "Scope", "Sentence", "Signals", "Trace", "Turn", "in_scope",
]  # fmt: skip

Signals = dict[
    str, Annotated[np.ndarray, PlainValidator(partial(np.asarray, dtype=float)), PlainSerializer(np.ndarray.tolist)]
]
"""Numbers by name, as a check measures them; JSON holds them as lists."""


@dataclass(frozen=True, kw_only=True)
class Passage:
    """A run of whole sentences of one chapter. `pages` holds, for each sentence, its page counted from 1.

    kind: "text", or "exercise" for what asks and is no evidence. broken: the places of the sentences that do not stand
    on their page as one run of its letters: they can be found, and are evidence for nothing. labels: for each sentence
    the number that its page is printed with, "" where it is not known; empty where no number is.
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
    broken: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()

    def label(self, page: int) -> str:
        """The number that a page of the passage is printed with, "" where it is not known."""
        known = dict(zip(self.pages, self.labels, strict=False))
        counted = next(((at, int(label)) for at, label in known.items() if label.isdecimal()), None)
        if page in known or counted is None:
            return known.get(page, "")
        return str(counted[1] + page - counted[0])  # where a sentence goes on, the numbers do too

    @property
    def text(self) -> str:
        return " ".join(self.sentences)

    def around(self, place: int | None) -> str:
        """The heading over the sentence at `place` and the sentence before it, a line each: what these name counts as
        named by the sentence. None for a place that nobody knows: the heading alone."""
        return "\n".join((self.section, *(self.sentences[place - 1 : place] if place else ())))

    @property
    def tells(self) -> bool:
        """True for evidence: an exercise only asks, and what was not read well says nothing."""
        return self.kind != "exercise" and not (self.broken and len(self.broken) == len(self.sentences))

    @property
    def page(self) -> int:
        """The page on which the passage begins, 0 where it is not known."""
        return self.pages[0] if self.pages else 0

    @property
    def name(self) -> str:
        """Its document; what it is called itself where a text that came with a question does not say of which it is."""
        return self.document or self.id


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
class Sentence:
    """One sentence of an answer. `citations` are the numbers in its marks: 1 is the first passage.

    unreadable: how many of its marks name no passage that can be read, as "[citation needed]" does.
    """

    text: str
    citations: tuple[int, ...] = ()
    unreadable: int = 0


@dataclass(frozen=True, kw_only=True)
class Draft:
    """The answer under check. `given` is True for an answer that came from outside, which is never rewritten.

    certainty: how sure the model that wrote it says it is, in [0, 1]; None where no model said so. awaited: nothing is
    written yet, since its writer writes only what is asked for. takeover: why this writer wrote in the place of the one
    that was chosen, in one sentence; "" where the chosen one wrote.
    """

    text: str
    sentences: tuple[Sentence, ...]
    writer: str
    given: bool = False
    certainty: float | None = None
    awaited: bool = False
    takeover: str = ""


@dataclass(frozen=True, kw_only=True)
class Case:
    """All that a check may look at: the question, the query of this round, its evidence and the draft."""

    question: Question
    query: str
    fetch: str = ""
    """Words that found more candidates in this search, "" for none; passages are scored by the query alone."""
    exhausted: bool = False
    """True where no further search of this question would ask anything new."""
    evidence: tuple[Evidence, ...] = ()
    closest: Closest | None = None
    draft: Draft | None = None
    kind: str = "question"
    """What kind of turn this is: question, small_talk, about_last_turn or tool_result."""
    language: str = ""
    """The language of the question where the books are in another; "" where it is theirs, or cannot be told."""
    opinion: Opinion | None = None
    """What a language model said of the draft at stage 1; None where the built-in rules looked."""
    judgement: Judgement | None = None
    """What a language model said when it was asked whether the passages say each sentence; None where none was."""
    drafts: tuple[Draft, ...] = ()
    """What the writer of the draft writes when it is asked again; () where it is not."""
    unheard: tuple[tuple[str, str], ...] = ()
    """(check, why) where a language model could not be asked what the check reads."""

    @property
    def passages(self) -> tuple[Passage, ...]:
        return tuple(e.passage for e in self.evidence)

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        return self.draft.sentences if self.draft else ()

    def cited(self, sentence: Sentence) -> tuple[int, ...]:
        """The places, from 0, of the passages that a sentence cites; marks that lead to none are left out."""
        return tuple(c - 1 for c in sentence.citations if 1 <= c <= len(self.evidence))

    @property
    def may_find_more(self) -> bool:
        """True where another search may help: this one found something that was not given, and more can be asked."""
        return bool(self.evidence) and self.question.contexts is None and not self.exhausted

    @property
    def awaits_draft(self) -> bool:
        """True where a draft is written only when somebody asks for it."""
        return self.draft is not None and self.draft.awaited


@dataclass(frozen=True, kw_only=True)
class Absence:
    """Why a check has no signals. cause: "not applicable" (does not block) or "error" (blocks)."""

    cause: str
    why: str


@dataclass(frozen=True, kw_only=True)
class Round:
    """One pass over a case with everything that was measured on it; no threshold has touched any of it.

    `of` names the round that a corrected or rechecked one goes out from. `windows[s][p]` lists the sentences of
    passage p whose reading gave its label for sentence s. `seconds` is how long the round took, with its search and
    its writer, `checking` how much of that the checks took; 0 where nobody kept the time.
    """

    name: str
    case: Case
    of: str = ""
    signals: dict[str, Signals] = field(default_factory=dict)
    absent: dict[str, Absence] = field(default_factory=dict)
    windows: tuple[tuple[tuple[int, ...], ...], ...] = ()
    seconds: float = field(default=0.0, compare=False)
    checking: float = field(default=0.0, compare=False)

    @property
    def broken(self) -> bool:
        """True where nothing could be measured, because the search failed."""
        return not self.signals and any(gone.cause == "error" for gone in self.absent.values())


@dataclass(frozen=True, kw_only=True)
class Trace:
    """The rounds of one question. A verdict is a pure function of a trace and a preset.

    `parts` holds a trace for each part of a question that asks several things, empty until it is measured.
    `suggestions` are better questions to ask, `meanings` what a vague one could mean in this library, `messages`
    what is said on each route where the domain says it in words of its own.
    """

    question: Question
    rounds: tuple[Round, ...] = ()
    models: dict[str, str] = field(default_factory=dict)
    suggestions: tuple[str, ...] = ()
    seconds: float = 0.0
    parts: tuple["Trace", ...] = ()
    meanings: tuple[str, ...] = ()
    messages: dict[str, str] = field(default_factory=dict)

    def round(self, name: str, of: str = "") -> Round | None:
        """The round of this name that goes out from round `of`; None when it was never measured."""
        return next((r for r in self.rounds if (r.name, r.of) == (name, of)), None)

    def with_round(self, measured: Round, seconds: float = 0.0) -> "Trace":
        """This trace with another round; one that was only awaited gives its place to what was written."""
        here = (measured.name, measured.of)
        if self.round(*here):
            rounds = tuple(measured if (r.name, r.of) == here else r for r in self.rounds)
        else:
            rounds = (*self.rounds, measured)
        return replace(self, rounds=rounds, seconds=self.seconds + seconds)

    def with_part(self, place: int, part: "Trace") -> "Trace":
        """This trace with another trace as its part at `place`; what it took longer is counted."""
        longer = part.seconds - self.parts[place].seconds
        parts = (*self.parts[:place], part, *self.parts[place + 1 :])
        return replace(self, parts=parts, seconds=self.seconds + longer)

    @property
    def takeovers(self) -> tuple[str, ...]:
        """Why another writer than the chosen one wrote, each reason once; () where the chosen one wrote all."""
        drafts = [r.case.draft for trace in (self, *self.parts) for r in trace.rounds]
        return tuple(dict.fromkeys(draft.takeover for draft in drafts if draft and draft.takeover))

    @property
    def digest(self) -> str:
        """A name for this trace that changes when anything in it does not match; 16 hexadecimal digits."""
        names = [(r.name, r.of) if r.of else r.name for r in self.rounds]
        about: list[Any] = [self.question, names, sorted(self.models.items())]
        about += [f"{r.name} awaited" for r in self.rounds if r.case.awaits_draft]
        about += [part.digest for part in self.parts]
        return hashlib.sha256(repr(about).encode()).hexdigest()[:16]


def in_scope(passage: Passage, scope: Scope) -> bool:
    """True for a passage that class, subject, document and pages allow; a page range wants any one of its sentences."""
    if scope.class_number is not None and passage.class_number != scope.class_number:
        return False
    if scope.subject and folded(passage.subject) != folded(scope.subject):
        return False
    if scope.documents and not any(names_document(name, passage.document) for name in scope.documents):
        return False
    return not scope.pages or any(low <= page <= high for low, high in scope.pages for page in passage.pages)
