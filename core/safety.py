"""The Python door: seed A's own interface, over the same checks as everything else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from numbers import Real
from typing import Any

from core.case import Case, CaseError, Closest, Evidence, Passage, Question, Round, Scope, Trace
from core.chain import REASONS, REFUSAL, CheckResult, verdict
from core.chain.check_results import ordered
from core.checks import validated
from core.measure.signals import measure
from core.models.profile import load
from core.presets import preset
from core.retrieval.scoring import score_passages
from core.scope import in_scope
from core.text.answer_sentences import given_draft
from core.text.words import sentences
from core.thresholds import Preset

Chunk = str | Mapping[str, Any]


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


_IN_SEED_AS_WORDS = {"model_failure": "multiple_issues", "outside_scope": "off_topic"}
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
        """Judge an answer against chunks; without an answer, only what was retrieved.

        Chunks are texts, or mappings with "text" and optional "score", "document", "page", "class_number", "subject";
        scores that are missing are measured. CaseError when a chunk cannot be read.
        """
        scope = Scope(class_number=class_number, subject=subject or "")
        question = Question(query=query, scope=scope, answer=generated_answer)
        models = self._models or load()
        evidence = _evidence(query, retrieved_chunks, models)
        case = Case(question=question, query=query, evidence=evidence, closest=_closest(evidence, scope))
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
    """The answer itself when it is safe, else seed A's refusal."""
    result = check_safety(query, retrieved_chunks, generated_answer, class_number, subject, thresholds)
    return REFUSAL if result.should_reject else generated_answer


def _result(measured: Round, under: Preset, *, judged: bool) -> SafetyCheckResult:
    found = verdict(Trace(question=measured.case.question, rounds=(measured,)), _first_round_only(under))
    seen = {n: c for n, c in found.checks.items() if judged or c.stage == "query"}
    blocking = [c for c in seen.values() if c.blocks]
    reason = _reason(blocking)
    return SafetyCheckResult(
        should_reject=bool(blocking),
        rejection_reason=reason,
        confidence_score=found.confidence / 100,
        passed_checks=[n for n, c in seen.items() if c.state == "passed" and c.mode == "blocks"],
        failed_checks=[c.name for c in blocking],
        explanation=_explanation(blocking),
        diagnostic_info={n: _diagnosis(c) for n, c in seen.items()},
    )


def _first_round_only(under: Preset) -> Preset:
    """Given chunks cannot be searched again, so no refinement is asked for."""
    return under.with_values({"confidence.refine_rounds": 0})


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


def _evidence(query: str, chunks: Sequence[Chunk], models: Any) -> tuple[Evidence, ...]:
    passages = [_passage(n, chunk) for n, chunk in enumerate(chunks)]
    scores = [c.get("score") if isinstance(c, Mapping) else None for c in chunks]
    measured = score_passages(query, passages, models)
    return tuple(e if s is None else _scored(e, s) for e, s in zip(measured, scores, strict=True))


def _scored(evidence: Evidence, score: Any) -> Evidence:
    """A chunk's own score stands for every scale: its source says nothing more."""
    if not isinstance(score, Real) or isinstance(score, bool) or not -1 - 1e-6 <= score <= 1 + 1e-6:
        raise CaseError(f"The score of a chunk must be a number from -1 to 1, got {score!r}.")
    s = min(max(float(score), 0.0), 1.0)  # a cosine may lie below 0 or a rounding above 1
    return replace(evidence, cosine=s, related=s, hybrid=s, answers=s)


def _passage(number: int, chunk: Chunk) -> Passage:
    row = {"text": chunk} if isinstance(chunk, str) else chunk
    if not isinstance(row, Mapping) or not isinstance(row.get("text"), str) or not row["text"].strip():
        raise CaseError(f'Chunk {number + 1} must be a text, or a mapping with "text"; got {chunk!r:.80}.')
    found = tuple(sentences(row["text"]))
    page = row.get("page") or 0
    return Passage(
        id=f"given:{number}", sentences=found, pages=(page,) * len(found), document=row.get("document") or "",
        class_number=row.get("class_number"), subject=row.get("subject") or "",
    )  # fmt: skip


def _closest(evidence: tuple[Evidence, ...], scope: Scope) -> Closest | None:
    """The chunks are the whole library here."""
    if not evidence:
        return None
    top = max(evidence, key=lambda e: e.cosine)
    asked = max((e.cosine for e in evidence if in_scope(_as_asked(e.passage, scope), scope)), default=0.0)
    return Closest(cosine=top.cosine, asked=asked, class_number=top.passage.class_number, subject=top.passage.subject)


def _as_asked(passage: Passage, scope: Scope) -> Passage:
    """A chunk that does not say its class or subject is taken at the caller's word."""
    known = {"class_number": passage.class_number or scope.class_number, "subject": passage.subject or scope.subject}
    return replace(passage, **known)
