"""The records of source documents C (abstention) and D (metadata, logs), as views of a verdict in their own names."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from core.check import Bound, Check
from core.checks.fact_grounding import Tier
from core.decide import CheckResult, Verdict
from core.reply.display_rounding import decimals_for
from core.settings.domains import Domain
from core.text.hedges import pattern_in
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
    """Source document D's record of a message. What is of stage 2 is null when it did not run."""

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


_LAYERS: Mapping[str, LayerReason] = {
    "retrieval_score": "low_retrieval_score", "score_gap": "no_score_gap", "entailment": "not_grounded",
    "hedging": "hedging_detected",
}  # fmt: skip
"""The layers of source document C in its order: the check of each, and the reason to abstain if it fails."""


def abstention(verdict: Verdict) -> AbstentionResult:
    """The result of the first layer of source document C that forbids an answer; other checks are ignored."""
    for check, reason in _LAYERS.items():
        result = verdict.checks[check]
        if result.state == "failed" or result.cause == "error":
            confidence, details = _layer(result, verdict)
            return AbstentionResult(
                should_abstain=True, reason=reason, confidence=confidence,
                details=details if result.state == "failed" else result.why,
            )  # fmt: skip
    return AbstentionResult(should_abstain=False, reason=None, confidence=1.0, details=None)


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
    patterns = filter(None, (pattern_in(sentence.text) for sentence in verdict.sentences))
    return 0.8, f"Hedging pattern detected: {next(patterns, result.why)}"


def records(verdict: Verdict, preset: Preset, house: Domain, at: datetime | None = None) -> dict[str, Any]:
    """The fields of a reply that source documents C and D name.

    C: `abstained`, `abstention_reason` and `original_answer` say whether a layer of C kept the answer from being
    delivered as it is; `abstention_result` is what the layers found, whether they block or not. D: the confidence log
    holds only the record of stage 2.
    """
    result, draft = abstention(verdict), verdict.round.case.draft
    is_kept_back = result.should_abstain and verdict.route != "deliver"
    about, stage_2 = metadata(verdict, preset, house), _stage_2(verdict)
    time = (at or datetime.now(UTC)).isoformat(timespec="milliseconds")
    entry = LogEntry(timestamp=time, company_interest=about.company_interest, fact_grounding=stage_2)
    return {
        "abstained": is_kept_back, "abstention_reason": result.reason if is_kept_back else None,
        "original_answer": draft.text if is_kept_back and draft else None, "abstention_result": result,
        "metadata": about, "guardrail_log": [entry],
        "confidence_log": [ConfidenceEntry(timestamp=time, **dict(stage_2))] if stage_2 else [],
    }  # fmt: skip


def metadata(verdict: Verdict, preset: Preset, house: Domain) -> Metadata:
    """The message metadata of source document D."""
    stage_2, draft = _stage_2(verdict), verdict.round.case.draft
    answer = draft.text if draft else ""
    return Metadata(
        company_interest=_stage_1(verdict, preset, house), confidence=stage_2 and stage_2.score,
        confidence_tier=stage_2 and stage_2.tier, confidence_breakdown=stage_2 and stage_2.breakdown,
        confidence_details=stage_2 and stage_2.details, documents_used=stage_2.documents_used if stage_2 else [],
        **_rechecks(verdict), original_message=answer if answer and answer != verdict.answer else None,
    )  # fmt: skip


def _stage_1(verdict: Verdict, preset: Preset, house: Domain) -> CompanyInterest | None:
    """The record of stage 1; None if it did not run."""
    result, signals = verdict.checks[INTEREST], _signals_of(verdict, INTEREST)
    if signals is None or result.state == "not_run":
        return None
    check = Check.registry[INTEREST]
    violation = next(iter(check.violations(signals, check.bind(preset))), "none")
    opinion = verdict.round.case.opinion
    return CompanyInterest(
        passed=result.state == "passed", violation_type=violation, should_block=result.blocks,
        severity=(opinion and opinion.on(violation)[0]) or house.severity.get(violation, "none"),
        requires_fact_check=bool(signals.needs_fact_check), reasoning=result.why,
    )  # fmt: skip


def _stage_2(verdict: Verdict) -> FactGrounding | None:
    """The record of stage 2; None if it did not run, or was skipped because stage 1 blocks."""
    result, signals = verdict.checks[FACT_GROUNDING], _signals_of(verdict, FACT_GROUNDING)
    if signals is None or result.state == "not_run" or verdict.checks[INTEREST].blocks:
        return None
    check = Check.registry[FACT_GROUNDING]
    parts = {name: None if np.isnan(value) else float(value) for name, value in check.parts(signals).items()}
    # Stage 2 read these passages for the claims of the answer.
    was_read = ((signals.considered > 0) & (signals.read > 0) & (signals.claims > 0)[:, None]).any(0)
    sources = [(verdict.round.case.evidence[n], verdict.page_of(n)) for n in np.flatnonzero(was_read)]
    return FactGrounding(
        score=result.value, tier=verdict.tier, breakdown=parts,
        documents_used=[
            DocumentUsed(document=e.passage.document, page=page, similarity=e.cosine) for e, page in sources
        ],
        **_rechecks(verdict), details=f"{result.state.capitalize()}. {result.why}",
    )  # fmt: skip


def _signals_of(verdict: Verdict, name: str) -> Bound | None:
    signals = verdict.round.signals.get(name)
    return Bound(**signals) if signals is not None else None


def _rechecks(verdict: Verdict) -> dict[str, Any]:
    count = verdict.steps.count("recheck")
    return {"recheck_attempted": count > 0, "recheck_count": count}
