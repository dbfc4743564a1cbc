"""A verdict in the seeds' own fields: seed C's abstention, seed D's message metadata and guardrail log."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from core.chain import CheckResult, Verdict
from core.chain.display_rounding import decimals_for
from core.chain.judged_sentences import cited_page
from core.chain.messages import MESSAGES
from core.check import Bound, Check
from core.settings.domains import Domain
from core.thresholds import Preset

ABSTENTION = MESSAGES["abstain"]
"""What seed C says instead of an answer."""

Reason = Literal["low_retrieval_score", "no_score_gap", "not_grounded", "hedging_detected"]
INTEREST, GROUNDING = "interest", "fact_grounding"


@dataclass(frozen=True, kw_only=True)
class AbstentionResult:
    """Seed C's own fields. `confidence` is how sure the layer is of what it says, in [0, 1]; `details` as it says it.

    Numbers in `details` have three decimals as in the seed, and more where three would contradict the decision.
    """

    should_abstain: bool
    reason: Reason | None
    confidence: float
    details: str


@dataclass(frozen=True, kw_only=True)
class _Layer:
    """One of seed C's layers: its check, the reason that it gives, how sure it is of it, and what it says of it."""

    check: str
    reason: Reason
    sure: Callable[[CheckResult], float]
    told: Callable[[CheckResult, Verdict], str]


def _top_score(result: CheckResult, verdict: Verdict) -> str:
    if not verdict.round.case.evidence:
        return "No documents retrieved"
    return f"Top score {_drawn(result)} below threshold {result.limit:g}"


def _not_entailed(result: CheckResult, verdict: Verdict) -> str:
    label = "contradiction" if any(s.label == "contradiction" for s in verdict.sentences) else "neutral"
    return f"Answer not entailed by context ({label}: {_drawn(result)}). {result.why}"


def _drawn(result: CheckResult) -> str:
    return f"{result.value:.{decimals_for(result.value, (result.limit,), 3)}f}"


_LAYERS = (
    _Layer(
        check="retrieval_score", reason="low_retrieval_score",
        sure=lambda result: 1.0 - (result.value or 0.0), told=_top_score,
    ),
    _Layer(
        check="score_gap", reason="no_score_gap", sure=lambda _: 0.7,
        told=lambda result, _: f"Score gap {_drawn(result)} indicates uncertainty",
    ),
    _Layer(
        check="entailment", reason="not_grounded", sure=lambda result: result.value or 0.0, told=_not_entailed,
    ),
    _Layer(
        check="hedging", reason="hedging_detected", sure=lambda _: 0.8,
        told=lambda result, _: f"Hedging pattern detected: {result.why}",
    ),
)  # fmt: skip
"""Seed C's layers in its order."""


def abstention(verdict: Verdict) -> AbstentionResult:
    """The first of seed C's layers that forbids an answer, whatever the other checks say."""
    for layer in _LAYERS:
        result = verdict.checks[layer.check]
        if result.state == "failed" or result.cause == "error":
            details = layer.told(result, verdict) if result.state == "failed" else result.why
            return AbstentionResult(
                should_abstain=True, reason=layer.reason, confidence=layer.sure(result), details=details
            )
    return AbstentionResult(should_abstain=False, reason=None, confidence=1.0, details="")


def metadata(verdict: Verdict, preset: Preset, house: Domain) -> dict[str, Any]:
    """What seed D keeps with every message. Fields of stage 2 are null when it did not run.

    `originalMessage` is the answer that was judged, when something else goes out.
    """
    facts = _fact_grounding(verdict, preset) or {}
    draft = verdict.round.case.draft
    judged = draft.text if draft else ""
    return {
        "companyInterest": _company_interest(verdict, preset, house),
        "confidence": facts.get("score"),
        "confidenceTier": facts.get("tier"),
        "confidenceBreakdown": facts.get("breakdown"),
        "confidenceDetails": facts.get("details"),
        "documentsUsed": facts.get("documentsUsed", []),
        "recheckAttempted": _rechecks(verdict) > 0,
        "recheckCount": _rechecks(verdict),
        "originalMessage": judged if judged and judged != verdict.answer else None,
    }


def log_entry(verdict: Verdict, preset: Preset, house: Domain, timestamp: str) -> dict[str, Any]:
    """One entry of seed D's guardrailLog. timestamp: when it was decided, in ISO format."""
    return {
        "timestamp": timestamp,
        "companyInterest": _company_interest(verdict, preset, house),
        "factGrounding": _fact_grounding(verdict, preset),
    }


def _company_interest(verdict: Verdict, preset: Preset, house: Domain) -> dict[str, Any] | None:
    """Stage 1; None when it did not run."""
    result, found = verdict.checks[INTEREST], _measured(verdict, INTEREST)
    if found is None or result.state == "not_run":
        return None
    check = Check.registry[INTEREST]
    violation = next(iter(check.violations(found, check.bind(preset))), "none")
    opinion = verdict.round.case.opinion
    return {
        "passed": result.state == "passed",
        "violationType": violation,
        "severity": (opinion and opinion.on(violation)[0]) or house.severity.get(violation, "none"),
        "shouldBlock": result.blocks,
        "requiresFactCheck": bool(found.needs_fact_check),
        "reasoning": result.why,
    }


def _fact_grounding(verdict: Verdict, preset: Preset) -> dict[str, Any] | None:
    """Stage 2; None when it was skipped or did not run."""
    result, found = verdict.checks[GROUNDING], _measured(verdict, GROUNDING)
    if found is None or result.state == "not_run":
        return None
    check = Check.registry[GROUNDING]
    parts = {name: _number(value) for name, value in check.parts(found).items()}
    return {
        "score": result.value,
        "tier": check.tier_of(result.value, check.bind(preset)),
        "breakdown": parts,
        "documentsUsed": _documents(verdict, found),
        "recheckAttempted": _rechecks(verdict) > 0,
        "recheckCount": _rechecks(verdict),
        "details": f"{result.state.capitalize()}. {result.why}",
    }


def _measured(verdict: Verdict, name: str) -> Bound | None:
    signals = verdict.round.signals.get(name)
    return Bound(**signals) if signals is not None else None


def _documents(verdict: Verdict, found: Bound) -> list[dict[str, Any]]:
    """The passages that stage 2 read for what the answer states."""
    read = ((found.considered > 0) & (found.read > 0) & (found.claims > 0)[:, None]).any(0)
    used = [(n, verdict.round.case.evidence[n]) for n in np.flatnonzero(read)]
    pages = [cited_page(verdict.round, n, verdict.sentences) for n, _ in used]
    return [
        {"document": e.passage.document, "page": page, "similarity": e.cosine}
        for (_, e), page in zip(used, pages, strict=True)
    ]


def _rechecks(verdict: Verdict) -> int:
    return verdict.steps.count("recheck")


def _number(value: Any) -> float | None:
    """A number as it is, null where there is none."""
    return None if np.isnan(value) else float(value)
