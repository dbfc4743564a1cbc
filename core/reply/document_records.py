"""The records of source documents A (rejection), C (abstention) and D (metadata, logs): views of a verdict in their own
names.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal, get_args

import numpy as np
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from core.check import Bound, Check
from core.checks import check_of
from core.checks.fact_grounding import Tier
from core.decide import CheckResult, Verdict, overall_confidence
from core.decide.check_results import sort_reasons
from core.decide.routes import LAYERS
from core.reply.display_rounding import decimals_for
from core.settings.domains import Domain
from core.text.hedges import is_filler, pattern_in
from core.thresholds import Preset

INTEREST, FACT_GROUNDING = "interest", "fact_grounding"
LayerReason = Literal["low_retrieval_score", "no_score_gap", "not_grounded", "hedging_detected"]


class Record(BaseModel):
    """A part of the reply, read from an object of the chain with the same attributes; it has no additional fields."""

    model_config = ConfigDict(
        extra="forbid", from_attributes=True, validate_by_name=True, serialize_by_alias=True, defer_build=True
    )


class OfSeedD(Record):
    """Uses the field names of source document D in JSON."""

    model_config = ConfigDict(alias_generator=to_camel)


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


DocumentsUsed = Annotated[list[DocumentUsed], Field(description="What stage 2 read.")]
RecheckAttempted = Annotated[bool, Field(description="Whether stage 2 looked again with more passages.")]
RecheckCount = Annotated[int, Field(description="How often stage 2 looked again.")]
Stage1 = Annotated[CompanyInterest | None, Field(description="Stage 1; null when it did not run.")]


class FactGrounding(OfSeedD):
    score: float | None = Field(description="Stage 2's score, 0 to 1.")
    tier: Tier = Field(description="Its tier.")
    breakdown: Breakdown = Field(description="The parts of the score.")
    documents_used: DocumentsUsed
    recheck_attempted: RecheckAttempted
    recheck_count: RecheckCount
    details: str = Field(description="What it found, in a sentence.")


class ConfidenceEntry(FactGrounding):
    """One entry of source document D's log of its second stage."""

    timestamp: str = Field(description="When it was decided, ISO 8601 in UTC.")


class Metadata(OfSeedD):
    """Source document D's record of a message. The fields of stage 2 are null when it did not run."""

    company_interest: Stage1
    confidence: float | None = Field(description="Stage 2's score.")
    confidence_tier: Tier | None = Field(description="Its tier.")
    confidence_breakdown: Breakdown | None = Field(description="The parts of the score.")
    confidence_details: str | None = Field(description="What it found, in a sentence.")
    documents_used: DocumentsUsed
    recheck_attempted: RecheckAttempted
    recheck_count: RecheckCount
    original_message: str | None = Field(description="The judged answer, when something else goes out.")


class AbstentionResult(OfSeedD):
    """The result of the three layers of source document C."""

    should_abstain: bool = Field(description="Whether one of them forbids the answer.")
    reason: LayerReason | None = Field(description="Which one; null when none does.")
    confidence: float = Field(description="How sure that layer is, 0 to 1.")
    details: str | None = Field(description="What it found; null when none forbids the answer.")


class LogEntry(OfSeedD):
    """One entry of source document D's guardrail log."""

    timestamp: str = Field(description="When it was decided, ISO 8601 in UTC.")
    company_interest: Stage1
    fact_grounding: FactGrounding | None = Field(description="Stage 2; null when it did not run.")


class Documents(Record):
    """The record of a decision in the words of the source documents A, C and D."""

    rejection_reason: str | None = Field(
        description="Why the judged answer does not go out as it is, in source document A's words: multiple_issues "
        "where several of its conditions fail; null for an answer that goes out."
    )
    overall_confidence: float = Field(
        description="Confidence in the judged answer, 0 to 1: the lower of evidence and least supported sentence."
    )
    abstained: bool = Field(description="Whether nothing is answered because of a layer of source document C.")
    abstention_reason: LayerReason | None = Field(alias="abstentionReason", description="Which layer; null for none.")
    original_answer: str | None = Field(
        alias="originalAnswer", description="The answer that is kept back; null for none."
    )
    abstention_result: AbstentionResult = Field(
        alias="abstentionResult", description="What the layers of source document C find, whether they block or not."
    )
    metadata: Metadata = Field(description="What source document D keeps with the message.")
    guardrail_log: list[LogEntry] = Field(
        alias="guardrailLog", description="Source document D's log of this decision, an entry for each part."
    )
    confidence_log: list[ConfidenceEntry] = Field(
        alias="confidenceLog", description="Its log of stage 2 alone; empty when stage 2 did not run."
    )


MULTIPLE_ISSUES = "multiple_issues"
"""Source document A's reason where two or more of its conditions fail."""
_TRIGGERS = {
    "retrieval_confidence": "search", "context_sufficiency": "search", "topic_relevance": "search",
    "citations": "citations", "grounding": "grounding",
}  # fmt: skip
"""The checks that source document A calls triggers, each with the group in which it is counted."""
_SOURCE_A_REASONS = {
    "model_failure": MULTIPLE_ISSUES, "outside_scope": "off_topic", "unreadable_citations": "invalid_citations",
}  # fmt: skip
"""Reasons that source document A does not define, each with the term of A that comes nearest."""


def rejection_reason(verdict: Verdict, preset: Preset) -> str | None:
    """The reason why an answer does not go out as it is, by its name in source document A if that document has such a
    reason; None for an answer that goes out.

    "multiple_issues" if two or more of the document's conditions for rejection fail. Its three conditions on the search
    count as one, because they read the same scores: a search without a match fails all three. Without an answer,
    conditions on the answer do not count.
    """
    if verdict.route == "deliver":
        return None
    is_written = bool(verdict.round.case.sentences)
    blocking = [c for c in verdict.checks.values() if c.blocks and (is_written or c.stage == "query")]
    if len({_TRIGGERS[c.name] for c in blocking if c.name in _TRIGGERS}) > 1:
        return MULTIPLE_ISSUES
    blocking = [c for c in blocking if c.name in _TRIGGERS] or blocking
    reason = primary_check(blocking, verdict, preset).reason if blocking else verdict.primary_reason
    return _SOURCE_A_REASONS.get(reason, reason)


def primary_check(blocking: list[CheckResult], verdict: Verdict, preset: Preset) -> CheckResult:
    """The blocking check with the most important reason.

    If `context_sufficiency` fails although the passages are many and long enough, so that only their scores are too
    low, a failed check with the reason low_confidence goes first: to source document A, context is insufficient only if
    there are too few passages or characters.
    """
    by_reason = {c.reason: c for c in reversed(blocking)}
    first = by_reason[sort_reasons(by_reason)[0]]
    if first.name == "context_sufficiency" and "low_confidence" in by_reason:
        limits = check_of(first.name).bind(preset)
        lengths = [len(p.text) for p in verdict.round.case.passages]
        if len(lengths) >= limits.min_chunks_required and sum(lengths) >= limits.min_total_context_length:
            return by_reason["low_confidence"]
    return first


_REASON_OF_LAYER: Mapping[str, LayerReason] = dict(zip(LAYERS, get_args(LayerReason), strict=True))
"""The reason to abstain if a layer of source document C fails, by its check."""


def abstention(verdict: Verdict, layers: Sequence[str] = LAYERS) -> AbstentionResult:
    """The result of the first of the layers of source document C that forbids an answer; other checks are ignored.

    Filler states nothing that passages could say: where they leave open only filler, layer 3 names its pattern.
    """
    failed = [name for name in layers if name in verdict.failed]
    if "hedging" in failed and all(s.label in (None, "entailment") or is_filler(s.text) for s in verdict.sentences):
        failed = [n for n in failed if n != "entailment"]
    if not failed:
        return AbstentionResult(should_abstain=False, reason=None, confidence=1.0, details=None)
    result = verdict.checks[failed[0]]
    confidence, details = _layer(result, verdict)
    return AbstentionResult(
        should_abstain=True, reason=_REASON_OF_LAYER[failed[0]], confidence=confidence,
        details=details if result.state == "failed" else result.why,
    )  # fmt: skip


def _layer(result: CheckResult, verdict: Verdict) -> tuple[float, str]:
    """How sure a layer is, 0 to 1, and what it found.

    Numbers have three decimals as in the document, or more where three would contradict the decision.
    """
    value = result.value or 0.0
    text = f"{value:.{decimals_for(value, (result.limit or 0.0,), 3)}f}"
    if result.name == "retrieval_score":
        has_evidence = bool(verdict.round.case.evidence)
        details = f"Top score {text} below threshold {result.limit or 0.0:g}"
        return 1.0 - value, details if has_evidence else "No documents retrieved"
    if result.name == "score_gap":
        return 0.7, f"Score gap {text} indicates uncertainty"
    if result.name == "entailment":
        label = "contradiction" if any(s.label == "contradiction" for s in verdict.sentences) else "neutral"
        return value, f"Answer not entailed by context ({label}: {text}). {result.why}"
    # A pattern of the user, or an abstention in other words, is shown by the sentence in which it was found.
    return 0.8, f"Hedging pattern detected: {pattern_in(result.sentence) or f'{result.why} {result.sentence}'.strip()}"


def records(verdict: Verdict, preset: Preset, own_domain: Domain, at: datetime) -> dict[str, Any]:
    """The fields of a reply that source documents A, C and D name.

    C: `abstained`, `abstention_reason` and `original_answer` say whether nothing is answered because of a layer of C;
    `abstention_result` is what the layers found, whether they block or not. D: the confidence log holds only the
    records of stage 2; of a question in parts, both logs have an entry for each part.
    """
    draft, kept_back = verdict.round.case.draft, abstention(verdict, verdict.abstaining_layers)
    time = at.isoformat(timespec="milliseconds")
    stages = [(_stage_1(one, preset, own_domain), _stage_2(one)) for one in verdict.parts or (verdict,)]
    return {
        "rejection_reason": rejection_reason(verdict, preset), "overall_confidence": overall_confidence(verdict),
        "abstained": verdict.abstained, "abstention_reason": kept_back.reason,
        "original_answer": draft.text if verdict.abstained and draft and draft.text else None,
        "abstention_result": abstention(verdict), "metadata": metadata(verdict, preset, own_domain),
        "guardrail_log": [LogEntry(timestamp=time, company_interest=a, fact_grounding=b) for a, b in stages],
        "confidence_log": [ConfidenceEntry(timestamp=time, **dict(stage_2)) for _, stage_2 in stages if stage_2],
    }  # fmt: skip


def metadata(verdict: Verdict, preset: Preset, own_domain: Domain) -> Metadata:
    """The message metadata of source document D. For a question in parts, each stage is that of the part which it
    hinders most.
    """
    stage_2 = _stage_2(_hindered_part(verdict, FACT_GROUNDING))
    stage_1, draft = _stage_1(_hindered_part(verdict, INTEREST), preset, own_domain), verdict.round.case.draft
    answer = draft.text if draft else ""
    return Metadata(
        company_interest=stage_1, confidence=stage_2 and stage_2.score,
        confidence_tier=stage_2 and stage_2.tier, confidence_breakdown=stage_2 and stage_2.breakdown,
        confidence_details=stage_2 and stage_2.details, documents_used=stage_2.documents_used if stage_2 else [],
        **_rechecks(verdict), original_message=answer if answer and answer != verdict.answer else None,
    )  # fmt: skip


def _hindered_part(verdict: Verdict, check: str) -> Verdict:
    """The part of a question whose result of a check stands for the whole; the verdict itself without parts."""
    return next((part for part in verdict.parts if part.checks[check] is verdict.checks[check]), verdict)


def _stage_1(verdict: Verdict, preset: Preset, own_domain: Domain) -> CompanyInterest | None:
    """The record of stage 1; None if it did not run."""
    result, check = verdict.checks[INTEREST], Check.registry[INTEREST]
    if INTEREST not in verdict.round.signals or result.state == "not_run":
        return None
    signals = Bound(**verdict.round.signals[INTEREST])
    violation = next(iter(check.violations(signals, check.bind(preset))), "none")
    opinion = verdict.round.case.opinion
    return CompanyInterest(
        passed=result.state == "passed", violation_type=violation, should_block=result.blocks,
        severity=(opinion and opinion.on(violation)[0]) or own_domain.severity.get(violation, "none"),
        requires_fact_check=bool(signals.needs_fact_check), reasoning=result.why,
    )  # fmt: skip


def _stage_2(verdict: Verdict) -> FactGrounding | None:
    """The record of stage 2; None if it did not run, or was skipped because stage 1 blocks."""
    result, check = verdict.checks[FACT_GROUNDING], Check.registry[FACT_GROUNDING]
    is_measured = FACT_GROUNDING in verdict.round.signals
    if not is_measured or result.state == "not_run" or verdict.checks[INTEREST].blocks:
        return None
    signals = Bound(**verdict.round.signals[FACT_GROUNDING])
    parts = {name: None if np.isnan(value) else float(value) for name, value in check.parts(signals).items()}
    # Stage 2 read these passages for the claims of the answer.
    was_read = ((signals.considered > 0) & (signals.read > 0) & (signals.claims > 0)[:, None]).any(0)
    sources = [(verdict.page_of(n), verdict.round.case.evidence[n]) for n in np.flatnonzero(was_read)]
    return FactGrounding(
        score=result.value, tier=verdict.tier, breakdown=parts,
        documents_used=[DocumentUsed(document=e.passage.document, page=n, similarity=e.cosine) for n, e in sources],
        **_rechecks(verdict), details=f"{result.state.capitalize()}. {result.why}",
    )  # fmt: skip


def _rechecks(verdict: Verdict) -> dict[str, Any]:
    count = sum(one.steps.count("recheck") for one in verdict.parts or (verdict,))
    return {"recheck_attempted": count > 0, "recheck_count": count}
