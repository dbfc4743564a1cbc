"""Seed C's result, as a view of a verdict: abstain or not, why, how surely."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from core.chain import CheckResult, Verdict

ABSTENTION = "I don't have enough information to answer this question."
"""What seed C says instead of an answer."""

Reason = Literal["low_retrieval_score", "no_score_gap", "not_grounded", "hedging_detected"]


@dataclass(frozen=True, kw_only=True)
class AbstentionResult:
    """Seed C's own fields. `confidence` is how sure the layer is of what it says, in [0, 1]."""

    should_abstain: bool
    reason: Reason | None
    confidence: float
    details: str


_LAYERS: tuple[tuple[str, Reason, Callable[[CheckResult], float]], ...] = (
    ("retrieval_score", "low_retrieval_score", lambda result: 1.0 - (result.value or 0.0)),
    ("score_gap", "no_score_gap", lambda _: 0.7),
    ("entailment", "not_grounded", lambda result: result.value or 0.0),
    ("hedging", "hedging_detected", lambda _: 0.8),
)
"""Seed C's checks in the order of its layers, the reason that each gives, and how sure it is of it."""


def abstention(verdict: Verdict) -> AbstentionResult:
    """The first of seed C's layers that forbids an answer, whatever the other checks say."""
    for name, reason, sure in _LAYERS:
        result = verdict.checks[name]
        if result.state == "failed" or result.cause == "error":
            return AbstentionResult(should_abstain=True, reason=reason, confidence=sure(result), details=result.why)
    return AbstentionResult(should_abstain=False, reason=None, confidence=1.0, details="")
