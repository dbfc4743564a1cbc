"""The reply to one question: one schema for the command line, the service, the graph node, the journal and the page.

`Reply` is made from the verdict. The records of source documents C (abstention) and D (metadata, logs) are views of it.
"""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from core.case import Trace
from core.checks.fact_grounding import Tier
from core.decide import Route, Verdict, confidence_of, offered_questions
from core.decide.evidence import Band
from core.decide.judged_sentences import Abstention, JudgedSentence
from core.reply.document_records import Documents, Record, records
from core.settings.domains import Domain, domain
from core.text.questions import Kind, plan_of
from core.thresholds import Mode, Preset
from core.words import REASONS

_REASON = "Why the judged answer does not go out as it is: " + ", ".join(REASONS)
Known = Annotated[str | None, AfterValidator(lambda text: text or None)]
"""A text; null instead of an empty one."""


class CheckReply(Record):
    state: Literal["passed", "failed", "not_run"] = Field(description="What it found.")
    cause: Literal["not applicable", "off", "error"] | None = Field(description="Why it did not run.")
    mode: Mode = Field(description="Whether it may stop an answer.")
    value: float | None = Field(description="What was measured; null when it did not run.")
    limit: float | None = Field(description="What the value was held against.")
    margin: float | None = Field(description="How far on the safe side of the limit; from 0 on it passes.")


class Nli(Record):
    label: str | None = Field(description="What the passages say of the sentence; null when nobody was asked.")
    entailment: float | None = Field(description="P(they say it).")
    neutral: float | None = Field(description="P(they say neither).")
    contradiction: float | None = Field(description="P(they contradict it).")


class SentenceReply(Record):
    text: str = Field(description="The sentence.")
    citations: list[int] = Field(description="The numbers of its passages, from 1.")
    attributed: bool = Field(description="True when we found these passages and the answer did not name them.")
    nli: Nli = Field(description="What the language model for inference says of it.")
    supported: bool = Field(description="True when it may go out.")
    source: str = Field(description="What the passages say of it, word for word; empty where nothing was read.")
    abstains: bool = Field(description="True when it only says that there is no answer.")

    @model_validator(mode="before")
    @classmethod
    def _gather_label(cls, value: Any) -> Any:
        if not isinstance(value, JudgedSentence):
            return value
        return {name: value if name == "nli" else getattr(value, name) for name in cls.model_fields}


class PassageReply(Record):
    document: str = Field(description="Where it stands.")
    page: int | None = Field(description="Its page, from 1; null where nobody knows.")
    page_label: Known = Field(description="The number that is printed on that page; null where nobody knows.")
    cosine: float = Field(description="Raw cosine with the question, -1 to 1.")
    related: float = Field(description="P(it is about the topic).")
    hybrid: float = Field(description="P(it answers), from meaning and words.")
    answers: float = Field(description="P(it answers), from the reranker.")
    text: str = Field(description="The passage.")


class RoundReply(Record):
    name: str = Field(description="first, refined 1, refined 2, corrected or rechecked.")
    of: Known = Field(description="The round that it goes out from.")
    query: str = Field(description="What was searched for.")
    confidence: float | None = Field(description="Evidence confidence of this round, 0 to 100; null: the search broke.")


class ChangeReply(Record):
    done: str = Field(description="What became of the sentence.")
    before: str = Field(description="The sentence as it was.")
    after: Known = Field(description="The sentence as it goes out; null when it does not.")
    why: Known = Field(description="Why it was changed.")
    confidence: float | None = Field(description="P(the passages say the new one).")


class Decision(Record):
    route: Route = Field(description="Where the chain ended.")
    steps: list[str] = Field(description="The decision path.")
    answered: bool = Field(description="True when the user gets an answer, whole or in part.")
    answer: str = Field(description="What the user gets.")
    confidence: float | None = Field(
        description="Evidence confidence, 0 to 100: how good the passages are; null where the search broke."
    )
    band: Band | None = Field(description="What that confidence allows; null without one.")
    tier: Tier | None = Field(description="Tier of stage 2; null when it did not run.")
    primary_reason: str | None = Field(description=_REASON)
    abstention: Abstention | None = Field(
        description="Whether an answer that says that there is none is right; null for any other answer."
    )
    failed: list[str] = Field(description="The checks that failed.")


class QuestionReply(Record):
    """The plan of the answer, as the wording of the question suggests it."""

    kind: Kind | Literal["several"] = Field(description="What is asked for; several where each part has its own plan.")
    things: list[str] = Field(description="What it is asked of: a term, both sides of a difference, or the parts.")
    count: int = Field(description="How many items or parts are asked for; 0 where it is not said.")
    needs: list[str] = Field(description="What a full answer holds, in plain words.")


class PartReply(Documents, Decision):
    query: str = Field(description="This part of the question.")
    question: QuestionReply = Field(description="What this part asks, and what a full answer needs.")


class Reply(Documents, Decision):
    """The verdict on one question."""

    id: str | int | None = Field(default=None, description="As it came.")
    kind: str = Field(description="The kind of turn: question, small_talk, about_last_turn or tool_result.")
    understood: Known = Field(description="What a follow-up, or a question with words around it, was understood as.")
    question: QuestionReply | None = Field(
        description="What is asked, and what a full answer needs; null for a turn that asks nothing of the library."
    )
    delivered: bool = Field(description="True when the judged text goes out whole.")
    judged: str = Field(description="The text under check.")
    writer: str | None = Field(description='Who wrote it; "given" for an answer of the caller, null where none is.')
    takeovers: list[str] = Field(description="Why another writer than the chosen one wrote, each reason once.")
    checks: dict[str, CheckReply] = Field(description="What each check says, by name.")
    sentences: list[SentenceReply] = Field(description="The judged answer, sentence by sentence.")
    passages: list[PassageReply] = Field(description="What it was held against, the best first.")
    suggestions: list[str] = Field(description="Better questions, where this one gets no answer.")
    rounds: list[RoundReply] = Field(description="Every search and rewriting on the way.")
    changes: list[ChangeReply] = Field(description="What became of each sentence, when something goes out.")
    delivered_checks: dict[str, CheckReply] = Field(description="The answer checks made anew over what goes out.")
    parts: list[PartReply] = Field(description="What became of each part of a question that asks several things.")
    seconds: float = Field(description="How long it took, the wait included.")

    def row(self) -> dict[str, Any]:
        """The reply as JSON. Numbers are not rounded; missing values are null."""
        return self.model_dump()


REPLY_KEYS = tuple(field.alias or name for name, field in Reply.model_fields.items())
"""The keys of a reply as JSON."""


def reply_of(
    trace: Trace, verdict: Verdict, preset: Preset, own_domain: Domain | None = None, at: datetime | None = None
) -> Reply:
    """The reply for one verdict, without the id that a caller may have given.

    own_domain: the domain whose assistant decided; None for the default one. at: when it was decided; None for now.
    """
    draft, delivery = verdict.round.case.draft, verdict.delivery
    own_domain, at = own_domain or domain(), at or datetime.now(UTC)
    return Reply(
        **_outcome(verdict), **records(verdict, preset, own_domain, at),
        kind=trace.rounds[0].case.kind, understood=trace.question.understood, question=_plan(trace),
        delivered=verdict.route == "deliver", judged=draft.text if draft else "",
        writer=draft.writer if draft else None, takeovers=trace.takeovers, checks=verdict.checks,
        sentences=verdict.sentences, passages=[_passage(verdict, n) for n in range(len(verdict.round.case.evidence))],
        suggestions=offered_questions(trace, verdict),
        rounds=[
            RoundReply(name=r.name, of=r.of, query=r.case.query, confidence=confidence_of(r)) for r in trace.rounds
        ],
        changes=verdict.changes, delivered_checks=delivery.checks if delivery else {},
        parts=[_part(part, preset, own_domain, at) for part in verdict.parts], seconds=trace.seconds,
    )  # fmt: skip


def _outcome(verdict: Verdict) -> dict[str, Any]:
    return {name: getattr(verdict, name) for name in Decision.model_fields}


def _part(part: Verdict, preset: Preset, own_domain: Domain, at: datetime) -> PartReply:
    query = part.round.case.question.query
    return PartReply(
        **_outcome(part), **records(part, preset, own_domain, at), query=query, question=_plan_of(query)
    )  # fmt: skip


def _plan(trace: Trace) -> QuestionReply | None:
    """What a full answer needs; None for a turn that asks nothing of the library."""
    if trace.rounds[0].case.kind != "question":
        return None
    if not trace.parts:
        return _plan_of(trace.question.standalone)
    parts = [part.question.query for part in trace.parts]
    return QuestionReply(kind="several", things=parts, count=len(parts), needs=["an answer to each part"])


def _plan_of(query: str) -> QuestionReply:
    plan = plan_of(query)
    return QuestionReply(kind=plan.kind, things=plan.things, count=plan.count, needs=plan.wants)


def _passage(verdict: Verdict, index: int) -> PassageReply:
    evidence, page = verdict.round.case.evidence[index], verdict.page_of(index)
    passage = evidence.passage
    return PassageReply(
        document=passage.name, page=page or None, page_label=passage.label(page), text=passage.text,
        cosine=evidence.cosine, related=evidence.related, hybrid=evidence.hybrid, answers=evidence.answers,
    )  # fmt: skip
