"""The data from a question to its verdict: passages, evidence, draft, case, round, trace."""

import hashlib
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Annotated

import numpy as np
from pydantic import PlainSerializer, PlainValidator

from core.judgements import Judgement, Opinion
from core.question import MAX_QUERY, CaseError, Context, Question, Scope, Turn, fold_subject, names_document

__all__ = [
    "MAX_QUERY", "Absence", "Case", "CaseError", "Closest", "Context", "Draft", "Evidence", "Judgement",
    "Opinion", "Passage", "Question", "Round", "Scope", "Sentence", "SentenceFacts", "Signals", "Trace", "Turn",
    "in_scope", "with_marks",
]  # fmt: skip

Signals = dict[
    str, Annotated[np.ndarray, PlainValidator(partial(np.asarray, dtype=float)), PlainSerializer(np.ndarray.tolist)]
]
"""The signals of one check on one case: arrays by the name of the signal. JSON stores them as lists."""


@dataclass(frozen=True, kw_only=True)
class Passage:
    """A run of whole sentences from one chapter.

    pages: the page of each sentence, counted from 1. kind: "text", or "exercise" for text that only poses questions and
    is not evidence. broken: indices of sentences that were not extracted intact; they can be retrieved but are never
    evidence. labels: the printed page number of each sentence, "" if unknown; empty if no page has one.
    title: the title of its chapter; "" if unknown.
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
    title: str = ""

    def label(self, page: int) -> str:
        """The printed number of a page of the passage; "" if unknown."""
        label_by_page = dict(zip(self.pages, self.labels, strict=False))
        anchor = next(((number, int(label)) for number, label in label_by_page.items() if label.isdecimal()), None)
        if page in label_by_page or anchor is None:
            return label_by_page.get(page, "")
        return str(anchor[1] + page - anchor[0])  # a sentence may run on to the next page: count on from the anchor

    @property
    def text(self) -> str:
        return " ".join(self.sentences)

    def around(self, index: int | None) -> str:
        """The section heading, and on a second line the sentence before that at `index`, if there is one."""
        return "\n".join((self.section, *(self.sentences[index - 1 : index] if index else ())))

    @property
    def tells(self) -> bool:
        """True if the passage can be evidence: it is no exercise, and some sentence of it was extracted intact."""
        return self.kind != "exercise" and not (self.broken and len(self.broken) == len(self.sentences))

    @property
    def page(self) -> int:
        """The first page of the passage; 0 if unknown."""
        return self.pages[0] if self.pages else 0

    @property
    def name(self) -> str:
        """Document name, or the passage id for caller-supplied text without one."""
        return self.document or self.id


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """A passage retrieved for a query, with four absolute scores.

    cosine is in [-1, 1]; related, hybrid and answers are probabilities. `kept` holds the indices of the sentences in
    `passage.sentences` that are relevant to the question: writers read them, and NLI takes its premises from them.
    """

    passage: Passage
    cosine: float
    related: float
    hybrid: float
    answers: float
    kept: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Closest:
    """The passage of the whole library that is closest to the query, regardless of the scope.

    cosine: cosine of this passage with the query. class_number, subject: of this passage. asked: cosine of the closest
    passage within the requested class and subject; 0 if there is none.
    """

    cosine: float
    asked: float
    class_number: int | None = None
    subject: str = ""


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """One sentence of an answer. `citations` holds the passage numbers of its citation marks, counted from 1.

    unreadable: number of marks that name no passage in a readable form, such as "[citation needed]". inherited: True if
    the sentence has no mark of its own and got the citations of its paragraph or of the list of sources.
    """

    text: str
    citations: tuple[int, ...] = ()
    unreadable: int = 0
    inherited: bool = False


@dataclass(frozen=True, kw_only=True)
class SentenceFacts:
    """The properties of one sentence of a draft that rules of English find. They are measured once; decisions only read
    them.

    leans: True if it depends on the sentence before it. abstains: True if it belongs to an abstention. asks: True if it
    ends in a question mark. stays: True if a correction leaves it as it is. replacement: the statement of the passages
    that a correction puts in its place; None if it stays or no statement fits. denial: the passage sentence that
    contradicts it, "" if there is none; denial_passage: the number of its passage from 1, or 0.
    """

    leans: bool = False
    abstains: bool = False
    asks: bool = False
    stays: bool = False
    replacement: Sentence | None = None
    denial: str = ""
    denial_passage: int = 0


def with_marks(sentences: tuple[Sentence, ...]) -> str:
    """The sentences as one text, each followed by its marks, such as "[1]"."""
    return " ".join(s.text + "".join(f" [{c}]" for c in s.citations) for s in sentences)


@dataclass(frozen=True, kw_only=True)
class Draft:
    """The answer under check.

    writer: the name of its writer. given: True for an answer that the caller supplied; such an answer is never
    rewritten. certainty: the probability that the writing model itself gives for being right, in [0, 1]; None if it
    gave none. awaited: True if nothing is written yet, because the writer writes only on request. takeover: one
    sentence on why another writer replaced the chosen one; "" if none did.
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
    """Everything that a check may read.

    evidence: the passages found for the query. closest: the closest passage of the library, None if there is none.
    draft: the answer under check, None if there is none.
    """

    question: Question
    query: str
    fetch: str = ""
    """Words that this search added to the query to find more passages, "" for none. Scores compare passages with the
    query alone.
    """
    exhausted: bool = False
    """True if no further search for this question would use a new query."""
    evidence: tuple[Evidence, ...] = ()
    closest: Closest | None = None
    draft: Draft | None = None
    kind: str = "question"
    """The kind of turn: question, small_talk, about_last_turn or tool_result."""
    language: str = ""
    """The question's language if it differs from the books' language; "" if it is the same or cannot be detected."""
    opinion: Opinion | None = None
    """A language model's opinion of the draft for stage 1; None if the built-in rules were used."""
    judgement: Judgement | None = None
    """A language model's judgement whether the passages support each sentence; None if no model was consulted."""
    drafts: tuple[Draft, ...] = ()
    """Further drafts for the same question, by other writers or by the same; () if none was requested."""
    unheard: tuple[tuple[str, str], ...] = ()
    """(check, reason) for each check whose language model could not be consulted."""

    @property
    def passages(self) -> tuple[Passage, ...]:
        return tuple(e.passage for e in self.evidence)

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        return self.draft.sentences if self.draft else ()

    def cited(self, sentence: Sentence) -> tuple[int, ...]:
        """The indices, from 0, of the passages that a sentence cites. Marks without a passage are left out."""
        return tuple(c - 1 for c in sentence.citations if 1 <= c <= len(self.evidence))

    @property
    def may_find_more(self) -> bool:
        """True if another search may help: the library was searched, and a new query is left."""
        return self.question.contexts is None and not self.exhausted

    @property
    def awaits_draft(self) -> bool:
        """True if the draft is written only on request."""
        return self.draft is not None and self.draft.awaited


@dataclass(frozen=True, kw_only=True)
class Absence:
    """Why a check has no signals. cause: "not applicable" (does not block) or "error" (blocks). why: one sentence."""

    cause: str
    why: str


@dataclass(frozen=True, kw_only=True)
class Round:
    """One pass over a case with all its measurements. No threshold has been applied yet.

    of: name of the round that this round corrects or rechecks; "" for none. signals: check name -> signals. absent:
    check name -> why the check has no signals. facts: what each sentence of the draft is. windows: `windows[s][p]`
    holds the indices of the sentences of passage p that decided the NLI label of answer sentence s. seconds: duration
    of the round including its search and its writer; 0 if it was not timed. checking: the part of `seconds` that the
    checks took.
    """

    name: str
    case: Case
    of: str = ""
    signals: dict[str, Signals] = field(default_factory=dict)
    absent: dict[str, Absence] = field(default_factory=dict)
    facts: tuple[SentenceFacts, ...] = ()
    windows: tuple[tuple[tuple[int, ...], ...], ...] = ()
    seconds: float = field(default=0.0, compare=False)
    checking: float = field(default=0.0, compare=False)

    @property
    def broken(self) -> bool:
        """True if nothing could be measured because the search failed."""
        return not self.signals and any(absence.cause == "error" for absence in self.absent.values())

    def flags(self, name: str) -> np.ndarray:
        """One of the yes-or-no facts of every sentence of the draft, such as "leans": bool (sentence,)."""
        return np.array([getattr(facts, name) for facts in self.facts], dtype=bool)


@dataclass(frozen=True, kw_only=True)
class Trace:
    """The rounds of one question. A verdict is a pure function of a trace and a preset.

    models: the identity of the models: the profile, and the digest of each model. suggestions: better questions to ask.
    seconds: duration of all rounds. parts: one trace for each part of a question that asks several things; empty until
    measured. meanings: possible meanings of a vague question in this library. messages: route -> text, for routes for
    which the domain has a text of its own.
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
        """The round with this name and this `of`; None if it was never measured."""
        return next((r for r in self.rounds if (r.name, r.of) == (name, of)), None)

    def with_round(self, measured_round: Round, seconds: float = 0.0) -> "Trace":
        """Return this trace with one more round. A round of the same name whose draft was only awaited is replaced."""
        key = (measured_round.name, measured_round.of)
        if self.round(*key):
            rounds = tuple(measured_round if (r.name, r.of) == key else r for r in self.rounds)
        else:
            rounds = (*self.rounds, measured_round)
        return replace(self, rounds=rounds, seconds=self.seconds + seconds)

    def with_part(self, index: int, part: "Trace") -> "Trace":
        """Return this trace with the part at `index` replaced. The extra seconds of the new part are added."""
        extra_seconds = part.seconds - self.parts[index].seconds
        parts = (*self.parts[:index], part, *self.parts[index + 1 :])
        return replace(self, parts=parts, seconds=self.seconds + extra_seconds)

    @property
    def takeovers(self) -> tuple[str, ...]:
        """Why another writer replaced the chosen one, each reason once; () if the chosen one wrote everything."""
        drafts = [r.case.draft for trace in (self, *self.parts) for r in trace.rounds]
        return tuple(dict.fromkeys(draft.takeover for draft in drafts if draft and draft.takeover))

    @property
    def digest(self) -> str:
        """A hash of the question, models and round names, for detecting a stale trace; 16 hexadecimal digits."""
        names = [(r.name, r.of) if r.of else r.name for r in self.rounds]
        awaited = [f"{r.name} awaited" for r in self.rounds if r.case.awaits_draft]
        content = [self.question, names, sorted(self.models.items()), *awaited, *(part.digest for part in self.parts)]
        return hashlib.sha256(repr(content).encode()).hexdigest()[:16]


def in_scope(passage: Passage, scope: Scope) -> bool:
    """True if class, subject, document and pages allow the passage. One sentence in the page range is enough."""
    if scope.class_number is not None and passage.class_number != scope.class_number:
        return False
    if scope.subject and fold_subject(passage.subject) != fold_subject(scope.subject):
        return False
    if scope.documents and not any(names_document(name, passage.document) for name in scope.documents):
        return False
    return not scope.pages or any(low <= page <= high for low, high in scope.pages for page in passage.pages)
