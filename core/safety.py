"""The Python interface: the API that source document A describes, built on the project's checks."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Any

from core.case import Case, Question, Round, Scope, Trace
from core.checks import all_thresholds, validate_preset
from core.decide import REFUSAL, overall_confidence, verdict
from core.graph.rounds import blend_hybrid_score, measure
from core.models.profile import load
from core.presets import preset as built_in_preset
from core.presets.by_class import ClassLimits, for_scope
from core.reply.document_records import primary_check, rejection_reason
from core.retrieval.contexts import contexts_of
from core.retrieval.retriever import search_contexts
from core.settings import Settings
from core.text.answer_sentences import given_draft
from core.text.given_answer import require_answer
from core.thresholds import Preset
from core.words import REASONS

log = logging.getLogger(__name__)

Chunk = Any
"""A text, a mapping with "text", or a Document of LangChain or LlamaIndex (core/retrieval/contexts.py)."""


class RejectionReason(Enum):
    """The reason why an answer is rejected, by the names that source document A uses."""

    LOW_CONFIDENCE = "low_confidence"
    INSUFFICIENT_CONTEXT = "insufficient_context"
    MISSING_CITATIONS = "missing_citations"
    INVALID_CITATIONS = "invalid_citations"
    OFF_TOPIC = "off_topic"
    LOW_GROUNDING = "low_grounding"
    HALLUCINATION_DETECTED = "hallucination_detected"
    MULTIPLE_ISSUES = "multiple_issues"


@dataclass
class SafetyThresholds:
    """The thresholds of source document A, with its names and defaults. `preset` checks their bounds.

    min_citation_coverage: the share of the sentences that must have a mark of their own, 0.8 for four of five.
    """

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
        """Return the preset of source document A with these values. Raises ThresholdError if one is out of bounds."""
        own = {field.name for field in fields(self)}
        limits = {key: getattr(self, name) for key in all_thresholds() if (name := key.partition(".")[2]) in own}
        modes = {} if self.require_citations else {"citations": "off"}
        return validate_preset(built_in_preset("seed_a").with_values(limits, modes))


@dataclass
class SafetyCheckResult:
    """The result type of source document A.

    confidence_score: confidence in the answer as a whole, 0 to 1: the lower of the evidence confidence and of the
    probability that the passages support its worst sentence; without an answer, the evidence confidence.
    evidence_confidence: how good the best passage is, 0 to 1.
    """

    should_reject: bool
    rejection_reason: RejectionReason | None
    confidence_score: float
    passed_checks: list[str]
    failed_checks: list[str]
    explanation: str
    diagnostic_info: dict[str, Any] = field(default_factory=dict)
    evidence_confidence: float = 0.0


class SafetyMechanism:
    """Decides whether a query, its chunks and an answer are safe. Models are loaded on first use.

    models: the object that `core.models.profile.load` returns; None loads the bundled models. settings: the settings of
    the measurement, such as hedging patterns that are added or switched off. by_class: limits for classes and subjects
    (core.presets.by_class); they apply if the call names such a class or subject.
    """

    def __init__(
        self,
        thresholds: SafetyThresholds | None = None,
        models: Any = None,
        settings: Settings | None = None,
        by_class: Sequence[ClassLimits] = (),
    ) -> None:
        self.preset, self.by_class = (thresholds or SafetyThresholds()).preset(), tuple(by_class)
        self._models, self.settings = models, settings or Settings()

    def should_reject_query(
        self,
        query: str,
        retrieved_chunks: Sequence[Chunk],
        generated_answer: str | None = None,
        class_number: int | None = None,
        subject: str | None = None,
    ) -> SafetyCheckResult:
        """Judge an answer against chunks; without an answer, judge the retrieval only.

        A chunk is a text, a Document of LangChain or LlamaIndex, or a mapping with "text" and optionally "score",
        "document", "page", "class_number" and "subject". Missing scores are measured.

        Raises NoAnswerError if the answer is empty, and CaseError if a chunk cannot be read.
        """
        if generated_answer is not None:
            require_answer(generated_answer)
        scope, contexts = Scope(class_number=class_number, subject=subject or ""), contexts_of(retrieved_chunks)
        question = Question(query=query, scope=scope, answer=generated_answer, contexts=contexts)
        models = self._models or load()
        retrieval = blend_hybrid_score(search_contexts(query, scope, contexts, models), self.settings.hybrid_share)
        case = Case(question=question, query=query, evidence=retrieval.evidence, closest=retrieval.closest)
        if generated_answer is not None:
            case = replace(case, draft=given_draft(question))
        measured_round = measure("first", case, models, self.settings)
        preset = for_scope(self.preset, scope, self.by_class)
        result = _result(measured_round, preset, has_answer=generated_answer is not None)
        if result.rejection_reason is None:
            log.info("Query accepted: %r. Confidence: %.2f", query, result.confidence_score)
        else:
            reason = result.rejection_reason.value
            log.warning("Query rejected: %r. Reason: %s. Explanation: %s", query, reason, result.explanation)
        return result


def check_safety(
    query: str,
    retrieved_chunks: Sequence[Chunk],
    generated_answer: str | None = None,
    class_number: int | None = None,
    subject: str | None = None,
    thresholds: SafetyThresholds | None = None,
) -> SafetyCheckResult:
    """Judge one answer in one call, with the default thresholds unless others are passed."""
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
    """Return the answer if it is safe, else the refusal text. Raises NoAnswerError if the answer is None or empty."""
    require_answer(generated_answer)
    result = check_safety(query, retrieved_chunks, generated_answer, class_number, subject, thresholds)
    return REFUSAL if result.should_reject else generated_answer


def _result(measured_round: Round, preset: Preset, *, has_answer: bool) -> SafetyCheckResult:
    """Convert the verdict on one round; without an answer only the query checks count. In the diagnostic information
    "passed" is None for a check that neither passed nor blocks."""
    outcome = verdict(Trace(question=measured_round.case.question, rounds=(measured_round,)), preset)
    checks = {n: c for n, c in outcome.checks.items() if has_answer or c.stage == "query"}
    blocking, reason, explanation = [c for c in checks.values() if c.blocks], None, "Every check passed."
    if blocking:
        primary = primary_check(blocking, outcome, preset)
        explanation = f"{REASONS[primary.reason].sentence} {primary.why}"
        reason = RejectionReason(rejection_reason(replace(outcome, checks=checks), preset))
    numbers = ("state", "mode", "value", "limit", "margin")
    return SafetyCheckResult(
        should_reject=bool(blocking), rejection_reason=reason, confidence_score=overall_confidence(outcome),
        evidence_confidence=(outcome.confidence or 0.0) / 100,
        passed_checks=[n for n, c in checks.items() if c.state == "passed" and c.mode == "blocks"],
        failed_checks=[c.name for c in blocking], explanation=explanation,
        diagnostic_info={
            name: {
                "passed": False if c.blocks else True if c.state == "passed" else None,
                **{number: getattr(c, number) for number in numbers}, "details": c.why,
            }
            for name, c in checks.items()
        },
    )  # fmt: skip
