"""The Python door: seed A's own interface, over the same checks as everything else."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from core.case import Case, Question, Round, Scope, Trace
from core.chain import REASONS, REFUSAL, CheckResult, verdict
from core.chain.check_results import ordered
from core.checks import validated
from core.graph.signals import measure
from core.models.profile import load
from core.presets import preset
from core.retrieval.contexts import contexts_of
from core.retrieval.retriever import found_in
from core.text.answer_sentences import given_draft
from core.text.given_answer import require_answer
from core.thresholds import Preset

Chunk = Any
"""A text, a mapping with "text", or a Document of LangChain or LlamaIndex (core/retrieval/contexts.py)."""


class RejectionReason(Enum):
    """Why an answer is rejected, in seed A's words."""

    LOW_CONFIDENCE = "low_confidence"
    INSUFFICIENT_CONTEXT = "insufficient_context"
    MISSING_CITATIONS = "missing_citations"
    INVALID_CITATIONS = "invalid_citations"
    OFF_TOPIC = "off_topic"
    LOW_GROUNDING = "low_grounding"
    HALLUCINATION_DETECTED = "hallucination_detected"
    MULTIPLE_ISSUES = "multiple_issues"


_IN_SEED_AS_WORDS = {
    "model_failure": "multiple_issues", "outside_scope": "off_topic", "unreadable_citations": "invalid_citations",
}  # fmt: skip
"""Reasons that seed A has no word for, as what it calls them: to it another class or subject is off topic too."""


@dataclass
class SafetyThresholds:
    """Seed A's thresholds, with its names and defaults. Out of bounds is refused when they are used."""

    min_retrieval_confidence: float = 0.6
    min_similarity_score: float = 0.5
    min_rerank_score: float = 0.5
    min_chunks_required: int = 1
    min_total_context_length: int = 100
    require_citations: bool = True
    min_citation_coverage: float = 0.8
    min_grounding_score: float = 0.7
    max_topic_mismatch_score: float = 0.3

    def preset(self) -> Preset:
        """Seed A's preset with these values; ThresholdError in one sentence when one is out of bounds."""
        named = {key: getattr(self, key.split(".")[1]) for key in _KEYS}
        modes = {} if self.require_citations else {"citations": "off"}
        return validated(preset("seed_a").with_values(named, modes))


_KEYS = (
    "retrieval_confidence.min_retrieval_confidence", "context_sufficiency.min_similarity_score",
    "context_sufficiency.min_rerank_score", "context_sufficiency.min_chunks_required",
    "context_sufficiency.min_total_context_length", "citations.min_citation_coverage",
    "grounding.min_grounding_score", "topic_relevance.max_topic_mismatch_score",
)  # fmt: skip


@dataclass
class SafetyCheckResult:
    """Seed A's result. `confidence_score` is the evidence confidence / 100: how good the passages are."""

    should_reject: bool
    rejection_reason: RejectionReason | None
    confidence_score: float
    passed_checks: list[str]
    failed_checks: list[str]
    explanation: str
    diagnostic_info: dict[str, Any] = field(default_factory=dict)


class SafetyMechanism:
    """Decides whether a query, its chunks and an answer are safe. Models are loaded at the first use.

    models: those of `core.models.profile.load`; None takes the bundled ones.
    """

    def __init__(self, thresholds: SafetyThresholds | None = None, models: Any = None) -> None:
        self.preset = (thresholds or SafetyThresholds()).preset()
        self._models = models

    def should_reject_query(
        self,
        query: str,
        retrieved_chunks: Sequence[Chunk],
        generated_answer: str | None = None,
        class_number: int | None = None,
        subject: str | None = None,
    ) -> SafetyCheckResult:
        """Judge an answer against chunks; without an answer, only what was retrieved. NoAnswerError for an empty one.

        Chunks are texts, Documents of LangChain or LlamaIndex, or mappings with "text" and optional "score",
        "document", "page", "class_number", "subject"; scores that are missing are measured. CaseError when a chunk
        cannot be read.
        """
        if generated_answer is not None:
            require_answer(generated_answer)
        scope, contexts = Scope(class_number=class_number, subject=subject or ""), contexts_of(retrieved_chunks)
        question = Question(query=query, scope=scope, answer=generated_answer, contexts=contexts)
        models = self._models or load()
        found = found_in(query, scope, contexts, models)
        case = Case(question=question, query=query, evidence=found.evidence, closest=found.closest)
        if generated_answer is not None:
            case = replace(case, draft=given_draft(question))
        measured = measure("first", case, models)
        return _result(measured, self.preset, judged=generated_answer is not None)


def check_safety(
    query: str,
    retrieved_chunks: Sequence[Chunk],
    generated_answer: str | None = None,
    class_number: int | None = None,
    subject: str | None = None,
    thresholds: SafetyThresholds | None = None,
) -> SafetyCheckResult:
    """Seed A's convenience: one call, default thresholds unless others are given."""
    mechanism = SafetyMechanism(thresholds)
    return mechanism.should_reject_query(query, retrieved_chunks, generated_answer, class_number, subject)


def get_safe_answer(
    query: str,
    retrieved_chunks: Sequence[Chunk],
    generated_answer: str,
    class_number: int | None = None,
    subject: str | None = None,
    thresholds: SafetyThresholds | None = None,
) -> str:
    """The answer itself when it is safe, else seed A's refusal. NoAnswerError for an answer that is None or empty."""
    require_answer(generated_answer)
    result = check_safety(query, retrieved_chunks, generated_answer, class_number, subject, thresholds)
    return REFUSAL if result.should_reject else generated_answer


def _result(measured: Round, under: Preset, *, judged: bool) -> SafetyCheckResult:
    found = verdict(Trace(question=measured.case.question, rounds=(measured,)), under)
    seen = {n: c for n, c in found.checks.items() if judged or c.stage == "query"}
    blocking = [c for c in seen.values() if c.blocks]
    reason = _reason(blocking)
    return SafetyCheckResult(
        should_reject=bool(blocking),
        rejection_reason=reason,
        confidence_score=(found.confidence or 0.0) / 100,
        passed_checks=[n for n, c in seen.items() if c.state == "passed" and c.mode == "blocks"],
        failed_checks=[c.name for c in blocking],
        explanation=_explanation(blocking),
        diagnostic_info={n: _diagnosis(c) for n, c in seen.items()},
    )


def _reason(blocking: list[CheckResult]) -> RejectionReason | None:
    """The primary reason; MULTIPLE_ISSUES when a query check and an answer check both block."""
    if not blocking:
        return None
    if len({c.stage for c in blocking}) > 1:
        return RejectionReason.MULTIPLE_ISSUES
    first = _first(blocking).reason
    return RejectionReason(_IN_SEED_AS_WORDS.get(first, first))


def _explanation(blocking: list[CheckResult]) -> str:
    if not blocking:
        return "Every check passed."
    first = _first(blocking)
    return f"{REASONS[first.reason]} {first.why}"


def _first(blocking: list[CheckResult]) -> CheckResult:
    """The check that gives the primary reason."""
    return next(c for reason in ordered({c.reason for c in blocking}) for c in blocking if c.reason == reason)


def _diagnosis(check: CheckResult) -> dict[str, Any]:
    """One check for seed A's debug output. "passed" is None for what neither passed nor stands in the way."""
    return {
        "passed": False if check.blocks else True if check.state == "passed" else None,
        "state": check.state,
        "mode": check.mode,
        "value": check.value,
        "limit": check.limit,
        "margin": check.margin,
        "details": check.why,
    }
