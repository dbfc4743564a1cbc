"""Seed C's result, as a view of a verdict: abstain or not, why, how surely."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from core.chain import CheckResult, Verdict
from core.chain.messages import MESSAGES
from core.chain.number_format import decimals_for

ABSTENTION = MESSAGES["abstain"]
"""What seed C says instead of an answer."""

Reason = Literal["low_retrieval_score", "no_score_gap", "not_grounded", "hedging_detected"]


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
