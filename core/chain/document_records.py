"""Builds the row that every output gives for a verdict, with the records of source documents C (abstention) and D
(metadata, logs).
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

import numpy as np

from core.case import Trace
from core.chain import CheckResult, Verdict
from core.chain.display_rounding import decimals_for
from core.chain.serialization import verdict_row
from core.check import Bound, Check
from core.settings.domains import Domain
from core.text.hedges import pattern_in
from core.thresholds import Preset

Reason = Literal["low_retrieval_score", "no_score_gap", "not_grounded", "hedging_detected"]
RECORDS = (
    "abstained", "abstentionReason", "originalAnswer", "abstentionResult", "metadata", "guardrailLog", "confidenceLog",
)  # fmt: skip
"""The names of the records of source documents C and D in every output."""
INTEREST, FACT_GROUNDING = "interest", "fact_grounding"


@dataclass(frozen=True, kw_only=True)
class AbstentionResult:
    """The result type of source document C, which decides in layers, each of which is one check.

    should_abstain: True if a layer forbids the answer. reason: the reason of that layer; None if no layer does.
    confidence: how sure the deciding layer is, in [0, 1]. details: the explanation of that layer. Its numbers have
    three decimals as in the document, or more where three would contradict the decision.
    """

    should_abstain: bool
    reason: Reason | None
    confidence: float
    details: str


@dataclass(frozen=True, kw_only=True)
class _Layer:
    """One layer of source document C. check: the name of its check. reason: the reason if the check fails. confidence,
    details: functions that give the confidence, 0 to 1, and the explanation for a failed check.
    """

    check: str
    reason: Reason
    confidence: Callable[[CheckResult], float]
    details: Callable[[CheckResult, Verdict], str]


def _top_score(result: CheckResult, verdict: Verdict) -> str:
    if not verdict.round.case.evidence:
        return "No documents retrieved"
    return f"Top score {_value_text(result)} below threshold {result.limit:g}"


def _claims_without_entailment(result: CheckResult, verdict: Verdict) -> str:
    label = "contradiction" if any(s.label == "contradiction" for s in verdict.sentences) else "neutral"
    return f"Answer not entailed by context ({label}: {_value_text(result)}). {result.why}"


def _pattern(verdict: Verdict) -> str:
    """The first hedging pattern of source document C that the judged answer matches; the check's explanation if it
    matches only patterns that were added later.
    """
    patterns = (pattern_in(sentence.text) for sentence in verdict.sentences)
    return next((p for p in patterns if p), verdict.checks["hedging"].why)


def _value_text(result: CheckResult) -> str:
    return f"{result.value:.{decimals_for(result.value, (result.limit,), 3)}f}"


_LAYERS = (
    _Layer(
        check="retrieval_score", reason="low_retrieval_score",
        confidence=lambda result: 1.0 - (result.value or 0.0), details=_top_score,
    ),
    _Layer(
        check="score_gap", reason="no_score_gap", confidence=lambda _: 0.7,
        details=lambda result, _: f"Score gap {_value_text(result)} indicates uncertainty",
    ),
    _Layer(
        check="entailment", reason="not_grounded", confidence=lambda result: result.value or 0.0,
        details=_claims_without_entailment,
    ),
    _Layer(
        check="hedging", reason="hedging_detected", confidence=lambda _: 0.8,
        details=lambda _, verdict: f"Hedging pattern detected: {_pattern(verdict)}",
    ),
)  # fmt: skip
"""The layers of source document C, in its order."""


def abstention(verdict: Verdict) -> AbstentionResult:
    """The result of the first layer that forbids an answer. If no layer does, a result with `should_abstain` False.
    Checks that are no layer are ignored.
    """
    for layer in _LAYERS:
        result = verdict.checks[layer.check]
        if result.state == "failed" or result.cause == "error":
            details = layer.details(result, verdict) if result.state == "failed" else result.why
            return AbstentionResult(
                should_abstain=True, reason=layer.reason, confidence=layer.confidence(result), details=details
            )
    return AbstentionResult(should_abstain=False, reason=None, confidence=1.0, details="")


def full_row(
    trace: Trace, verdict: Verdict, preset: Preset, domain: Domain, at: datetime | None = None
) -> dict[str, Any]:
    """The row of one verdict with the records of all source documents: the one schema of every output.

    at: when it was decided; None for now.
    """
    return {**verdict_row(trace, verdict), **records(verdict, preset, domain, at)}


def records(verdict: Verdict, preset: Preset, domain: Domain, at: datetime | None = None) -> dict[str, Any]:
    """The results of source documents C and D for one verdict, under the names that these documents use.

    C: `abstentionResult` is the decision of the layers of C. `abstained`, `abstentionReason` and `originalAnswer` say
    whether this decision kept the answer from being delivered as it is. D: `metadata`, `guardrailLog` and
    `confidenceLog`; `confidenceLog` holds only the record of stage 2, and is empty if stage 2 did not run.
    """
    timestamp = (at or datetime.now(UTC)).isoformat(timespec="milliseconds")
    result, draft = abstention(verdict), verdict.round.case.draft
    is_abstention = result.should_abstain and verdict.route != "deliver"
    log = log_entry(verdict, preset, domain, timestamp)
    stage_2 = log["factGrounding"]
    return {
        "abstained": is_abstention,
        "abstentionReason": result.reason if is_abstention else None,
        "originalAnswer": draft.text if is_abstention and draft else None,
        "abstentionResult": {
            "shouldAbstain": result.should_abstain, "reason": result.reason, "confidence": result.confidence,
            "details": result.details or None,
        },
        "metadata": metadata(verdict, preset, domain),
        "guardrailLog": [log],
        "confidenceLog": [{"timestamp": timestamp, **stage_2}] if stage_2 else [],
    }  # fmt: skip


def metadata(verdict: Verdict, preset: Preset, domain: Domain) -> dict[str, Any]:
    """The message metadata of source document D. Fields of stage 2 are null if it did not run.

    `originalMessage` is the judged answer if something else is delivered.
    """
    facts = _fact_grounding(verdict, preset) or {}
    draft = verdict.round.case.draft
    answer = draft.text if draft else ""
    return {
        "companyInterest": _company_interest(verdict, preset, domain),
        "confidence": facts.get("score"),
        "confidenceTier": facts.get("tier"),
        "confidenceBreakdown": facts.get("breakdown"),
        "confidenceDetails": facts.get("details"),
        "documentsUsed": facts.get("documentsUsed", []),
        "recheckAttempted": _rechecks(verdict) > 0,
        "recheckCount": _rechecks(verdict),
        "originalMessage": answer if answer and answer != verdict.answer else None,
    }


def log_entry(verdict: Verdict, preset: Preset, domain: Domain, timestamp: str) -> dict[str, Any]:
    """One entry of source document D's guardrail log. timestamp: time of the decision in ISO format, such as
    "2026-11-22T10:00:00".
    """
    return {
        "timestamp": timestamp,
        "companyInterest": _company_interest(verdict, preset, domain),
        "factGrounding": _fact_grounding(verdict, preset),
    }


def _company_interest(verdict: Verdict, preset: Preset, domain: Domain) -> dict[str, Any] | None:
    """The record of stage 1; None if it did not run."""
    result, signals = verdict.checks[INTEREST], _signals_of(verdict, INTEREST)
    if signals is None or result.state == "not_run":
        return None
    check = Check.registry[INTEREST]
    violation = next(iter(check.violations(signals, check.bind(preset))), "none")
    opinion = verdict.round.case.opinion
    return {
        "passed": result.state == "passed",
        "violationType": violation,
        "severity": (opinion and opinion.on(violation)[0]) or domain.severity.get(violation, "none"),
        "shouldBlock": result.blocks,
        "requiresFactCheck": bool(signals.needs_fact_check),
        "reasoning": result.why,
    }


def _fact_grounding(verdict: Verdict, preset: Preset) -> dict[str, Any] | None:
    """The record of stage 2; None if it did not run, or was skipped because stage 1 blocks."""
    result, signals = verdict.checks[FACT_GROUNDING], _signals_of(verdict, FACT_GROUNDING)
    if signals is None or result.state == "not_run" or verdict.checks[INTEREST].blocks:
        return None
    check = Check.registry[FACT_GROUNDING]
    parts = {name: None if np.isnan(value) else float(value) for name, value in check.parts(signals).items()}
    # Stage 2 read these passages for the claims of the answer.
    was_read = ((signals.considered > 0) & (signals.read > 0) & (signals.claims > 0)[:, None]).any(0)
    sources = [(n, verdict.round.case.evidence[n]) for n in np.flatnonzero(was_read)]
    pages = [verdict.page_of(n) for n, _ in sources]
    documents = [
        {"document": e.passage.document, "page": page, "similarity": e.cosine}
        for (_, e), page in zip(sources, pages, strict=True)
    ]
    return {
        "score": result.value,
        "tier": check.tier_of(result.value, check.bind(preset)),
        "breakdown": parts,
        "documentsUsed": documents,
        "recheckAttempted": _rechecks(verdict) > 0,
        "recheckCount": _rechecks(verdict),
        "details": f"{result.state.capitalize()}. {result.why}",
    }


def _signals_of(verdict: Verdict, name: str) -> Bound | None:
    signals = verdict.round.signals.get(name)
    return Bound(**signals) if signals is not None else None


def _rechecks(verdict: Verdict) -> int:
    return verdict.steps.count("recheck")
