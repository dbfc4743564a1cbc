"""The fields of a reply, as its OpenAPI describes them: the row of `judge`, with the records of documents C and D."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from core.chain.document_records import Reason as AbstentionReason
from core.chain.facts import Band
from core.chain.judged_sentences import Abstention
from core.chain.routing import Route
from core.checks.fact_grounding import Tier
from core.graph.steps import NODES
from core.service.request_schema import Limits, Modes
from core.text.question_plan import Kind
from core.thresholds import Mode
from core.words import REASONS

_REASON = "Why the judged answer does not go out as it is: " + ", ".join(REASONS)


class Row(BaseModel):
    """A row of the reply, without additional fields: a test compares every reply with its model."""

    model_config = ConfigDict(extra="forbid")


class OfSeedD(Row):
    """Uses the field names of source document D in JSON."""

    model_config = ConfigDict(alias_generator=to_camel)


class CheckOut(Row):
    state: Literal["passed", "failed", "not_run"] = Field(description="What it found.")
    cause: Literal["not applicable", "off", "error"] | None = Field(description="Why it did not run.")
    mode: Mode = Field(description="Whether it may stop an answer.")
    value: float | None = Field(description="What was measured; null when it did not run.")
    limit: float | None = Field(description="What the value was held against.")
    margin: float | None = Field(description="How far on the safe side of the limit; from 0 on it passes.")


class Nli(Row):
    label: str | None = Field(description="What the passages say of the sentence; null when nobody was asked.")
    entailment: float | None = Field(description="P(they say it).")
    neutral: float | None = Field(description="P(they say neither).")
    contradiction: float | None = Field(description="P(they contradict it).")


class SentenceOut(Row):
    text: str = Field(description="The sentence.")
    citations: list[int] = Field(description="The numbers of its passages, from 1.")
    attributed: bool = Field(description="True when we found these passages and the answer did not name them.")
    nli: Nli = Field(description="What the language model for inference says of it.")
    supported: bool = Field(description="True when it may go out.")
    source: str = Field(description="What the passages say of it, word for word; empty where nothing was read.")
    abstains: bool = Field(description="True when it only says that there is no answer.")


class PassageOut(Row):
    document: str = Field(description="Where it stands.")
    page: int | None = Field(description="Its page, from 1; null where nobody knows.")
    page_label: str | None = Field(description="The number that is printed on that page; null where nobody knows.")
    cosine: float = Field(description="Raw cosine with the question, -1 to 1.")
    related: float = Field(description="P(it is about the topic).")
    hybrid: float = Field(description="P(it answers), from meaning and words.")
    answers: float = Field(description="P(it answers), from the reranker.")
    text: str = Field(description="The passage.")


class RoundOut(Row):
    name: str = Field(description="first, refined 1, refined 2, corrected or rechecked.")
    of: str | None = Field(description="The round that it goes out from.")
    query: str = Field(description="What was searched for.")
    confidence: float | None = Field(description="Evidence confidence of this round, 0 to 100; null: the search broke.")


class ChangeOut(Row):
    done: str = Field(description="What became of the sentence.")
    before: str = Field(description="The sentence as it was.")
    after: str | None = Field(description="The sentence as it goes out; null when it does not.")
    why: str | None = Field(description="Why it was changed.")
    confidence: float | None = Field(description="P(the passages say the new one).")


class Outcome(Row):
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


class QuestionOut(Row):
    """The plan of the answer, as the wording of the question suggests it."""

    kind: Kind | Literal["several"] = Field(description="What is asked for; several where each part has its own plan.")
    things: list[str] = Field(description="What it is asked of: a term, both sides of a difference, or the parts.")
    count: int = Field(description="How many items or parts are asked for; 0 where it is not said.")
    unit: str = Field(description="What a number counts, or the unit that it is asked in; empty where not said.")
    needs: list[str] = Field(description="What a full answer holds, in plain words.")


class PartOut(Outcome):
    query: str = Field(description="This part of the question.")
    question: QuestionOut = Field(description="What this part asks, and what a full answer needs.")


class CompanyInterest(OfSeedD):
    passed: bool = Field(description="Whether the answer is in scope.")
    violation_type: str = Field(description="What it does against the interest of the house, none otherwise.")
    severity: str = Field(description="How bad that is.")
    should_block: bool = Field(description="Whether it is stopped.")
    requires_fact_check: bool = Field(description="Whether it states something that stage 2 has to check.")
    reasoning: str = Field(description="Why, in a sentence.")


class DocumentUsed(OfSeedD):
    document: str = Field(description="Its name.")
    page: int = Field(description="Its page, 0 where nobody knows.")
    similarity: float = Field(description="Its cosine with the question.")


class Breakdown(OfSeedD):
    grounding: float | None = Field(description="Share that the passages support.")
    retrieval: float | None = Field(description="Mean cosine of the passages used.")
    certainty: float | None = Field(description="How sure the answer sounds.")


class FactGrounding(OfSeedD):
    score: float | None = Field(description="Stage 2's score, 0 to 1.")
    tier: Tier = Field(description="Its tier.")
    breakdown: Breakdown = Field(description="The parts of the score.")
    documents_used: list[DocumentUsed] = Field(description="What stage 2 read.")
    recheck_attempted: bool = Field(description="Whether it looked again with more passages.")
    recheck_count: int = Field(description="How often.")
    details: str = Field(description="What it found, in a sentence.")


class ConfidenceEntry(FactGrounding):
    """One entry of source document D's log of its second stage."""

    timestamp: str = Field(description="When it was decided, ISO 8601 in UTC.")


class Metadata(OfSeedD):
    """Source document D's record of a message."""

    company_interest: CompanyInterest | None = Field(description="Stage 1; null when it did not run.")
    confidence: float | None = Field(description="Stage 2's score; null when it did not run.")
    confidence_tier: Tier | None = Field(description="Its tier.")
    confidence_breakdown: Breakdown | None = Field(description="The parts of the score.")
    confidence_details: str | None = Field(description="What it found, in a sentence.")
    documents_used: list[DocumentUsed] = Field(description="What stage 2 read.")
    recheck_attempted: bool = Field(description="Whether it looked again with more passages.")
    recheck_count: int = Field(description="How often.")
    original_message: str | None = Field(description="The judged answer, when something else goes out.")


class AbstentionResult(OfSeedD):
    """The result of the three layers of source document C."""

    should_abstain: bool = Field(description="Whether one of them forbids the answer.")
    reason: AbstentionReason | None = Field(description="Which one; null when none does.")
    confidence: float = Field(description="How sure that layer is, 0 to 1.")
    details: str | None = Field(description="What it found; null when none forbids the answer.")


class LogEntry(OfSeedD):
    """One entry of source document D's guardrail log."""

    timestamp: str = Field(description="When it was decided, ISO 8601 in UTC.")
    company_interest: CompanyInterest | None = Field(description="Stage 1; null when it did not run.")
    fact_grounding: FactGrounding | None = Field(description="Stage 2; null when it did not run.")


class Reply(Outcome):
    """The verdict on one question."""

    id: str | int | None = Field(description="As it came.")
    kind: str = Field(description="The kind of turn: question, small_talk, about_last_turn or tool_result.")
    understood: str | None = Field(description="What a follow-up was understood as.")
    question: QuestionOut | None = Field(
        description="What is asked, and what a full answer needs; null for a turn that asks nothing of the library."
    )
    delivered: bool = Field(description="True when the judged text goes out whole.")
    judged: str = Field(description="The text under check.")
    writer: str | None = Field(description='Who wrote it; "given" for an answer of the caller, null where none is.')
    takeovers: list[str] = Field(description="Why another writer than the chosen one wrote, each reason once.")
    checks: dict[str, CheckOut] = Field(description="What each check says, by name.")
    sentences: list[SentenceOut] = Field(description="The judged answer, sentence by sentence.")
    passages: list[PassageOut] = Field(description="What it was held against, the best first.")
    suggestions: list[str] = Field(description="Better questions, where this one gets no answer.")
    rounds: list[RoundOut] = Field(description="Every search and rewriting on the way.")
    changes: list[ChangeOut] = Field(description="What became of each sentence, when something goes out.")
    delivered_checks: dict[str, CheckOut] = Field(description="The answer checks made anew over what goes out.")
    parts: list[PartOut] = Field(description="What became of each part of a question that asks several things.")
    seconds: float = Field(description="How long it took, the wait included.")
    abstained: bool = Field(description="Whether a layer of source document C keeps the judged answer back.")
    abstention_reason: AbstentionReason | None = Field(
        alias="abstentionReason", description="Which layer; null for none."
    )
    original_answer: str | None = Field(
        alias="originalAnswer", description="The answer that is kept back; null for none."
    )
    abstention_result: AbstentionResult = Field(
        alias="abstentionResult", description="What the layers of source document C find, whether they block or not."
    )
    metadata: Metadata = Field(description="What source document D keeps with the message.")
    guardrail_log: list[LogEntry] = Field(alias="guardrailLog", description="Source document D's log of this decision.")
    confidence_log: list[ConfidenceEntry] = Field(
        alias="confidenceLog", description="Its log of stage 2 alone; empty when stage 2 did not run."
    )


class Waiting(Row):
    """The question waits while another one is processed; sent repeatedly."""

    place: int = Field(description="The place in line, from 1.")
    seconds: float | None = Field(description="Until its turn, by how long the last ones took; null: nobody knows yet.")


class Stage(Row):
    """A step of the chain begins or has ended."""

    step: Literal[NODES] = Field(description="Which step.")
    state: Literal["begins", "done"] = Field(description="Whether it begins or is done.")
    round: str = Field(description="The round that it measures.")
    part: int | None = Field(description="The part of the question, from 0; null for the whole.")
    query: str | None = Field(description="What was searched for; null until it is done.")
    confidence: float | None = Field(
        description="Evidence confidence of the round; null until it is done, or where the search broke."
    )
    failed: list[str] = Field(description="The checks that fail on it; empty until it is done.")


class Problem(Row):
    """RFC 9457: what is wrong, in one sentence."""

    type: str = Field(default="about:blank", description="Always about:blank: the status says it.")
    title: str = Field(description="The name of the status.")
    status: int = Field(description="The HTTP status.")
    detail: str = Field(description="What is wrong, which value, what is allowed, what to do.")
    state: Literal["no answer to judge"] | None = Field(
        default=None, description="Only there when the field answer came without an answer in it."
    )


class PresetOut(Row):
    name: str = Field(description="Its name.")
    help: str = Field(description="What it is for.")
    thresholds: Limits = Field(description="All its limits.")
    modes: Modes = Field(description="What each check does.")


class Health(Row):
    status: Literal["ok"] = Field(description="ok; a problem otherwise.")
    documents: int = Field(description="Documents in the library.")
    in_line: int = Field(description="Questions that are worked on or wait.")
