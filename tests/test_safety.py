"""Seed A's own interface: its usage examples, its five rejections, its names and defaults."""

import re
from dataclasses import asdict

import pytest

from core.case import CaseError
from core.chain import REFUSAL
from core.safety import (
    RejectionReason,
    SafetyCheckResult,
    SafetyMechanism,
    SafetyThresholds,
    check_safety,
    get_safe_answer,
)
from core.thresholds import ThresholdError

QUERY = "What is an arithmetic progression?"
TEXT = (
    "An arithmetic progression is a list of numbers in which each term is obtained by adding a fixed number to the "
    "preceding term. The fixed number is called the common difference of the arithmetic progression."
)
CHUNKS = [
    {"text": TEXT, "score": 0.9, "document": "jemh105.pdf", "page": 3, "class_number": 10, "subject": "Mathematics"}
]
ANSWER = "An arithmetic progression is a list of numbers. The fixed number is called the common difference."


def scored(score):
    return [{**CHUNKS[0], "score": score}]


@pytest.fixture
def mechanism(models):
    return lambda **thresholds: SafetyMechanism(SafetyThresholds(**thresholds), models=models)


@pytest.mark.usefixtures("bundled_models")
def test_basic_usage_of_the_seed_with_the_bundled_models():
    result = check_safety(
        query=QUERY, retrieved_chunks=CHUNKS, generated_answer=ANSWER, class_number=10, subject="Mathematics"
    )
    assert isinstance(result, SafetyCheckResult) and not result.should_reject
    assert result.rejection_reason is None and result.confidence_score == pytest.approx(0.9)
    assert (
        get_safe_answer(
            query=QUERY, retrieved_chunks=CHUNKS, generated_answer=ANSWER, class_number=10, subject="Mathematics"
        )
        == ANSWER
    )


def test_custom_thresholds_of_the_seed(mechanism):
    strict = mechanism(min_retrieval_confidence=0.85, min_chunks_required=3, min_grounding_score=0.9)
    result = strict.should_reject_query(QUERY, CHUNKS, ANSWER)
    assert result.should_reject and result.rejection_reason is RejectionReason.INSUFFICIENT_CONTEXT
    assert "1 of 1 passages" in result.explanation


def test_the_convenience_function_refuses_in_the_seeds_words():
    assert get_safe_answer(QUERY, [], ANSWER) == REFUSAL == "I don't know based on NCERT textbooks."


def test_names_and_defaults_are_the_seeds():
    assert asdict(SafetyThresholds()) == {
        "min_retrieval_confidence": 0.6, "min_similarity_score": 0.5, "min_rerank_score": 0.5, "min_chunks_required": 1,
        "min_total_context_length": 100, "require_citations": True, "min_citation_coverage": 0.8,
        "min_grounding_score": 0.7, "max_topic_mismatch_score": 0.3,
    }  # fmt: skip
    assert {r.value for r in RejectionReason} == {
        "low_confidence", "insufficient_context", "missing_citations", "invalid_citations", "off_topic", "low_grounding",
        "hallucination_detected", "multiple_issues",
    }  # fmt: skip


def test_rejection_1_low_retrieval_confidence(mechanism):
    result = mechanism(min_similarity_score=0.2, min_rerank_score=0.2).should_reject_query(
        "Explain quantum entanglement", scored(0.35)
    )
    assert result.rejection_reason is RejectionReason.LOW_CONFIDENCE
    assert result.failed_checks == ["retrieval_confidence"]


def test_rejection_2_insufficient_context(mechanism):
    result = mechanism().should_reject_query("What is the capital of Mars?", [])
    assert result.rejection_reason is RejectionReason.INSUFFICIENT_CONTEXT and result.confidence_score == 0
    allowed = mechanism(min_chunks_required=0, min_similarity_score=1.0)
    assert "context_sufficiency" in allowed.should_reject_query(QUERY, CHUNKS).passed_checks
    short = mechanism().should_reject_query(QUERY, [{"text": "An AP is a list.", "score": 0.9}])
    assert short.rejection_reason is RejectionReason.INSUFFICIENT_CONTEXT


def test_rejection_3_off_topic(mechanism):
    result = mechanism().should_reject_query("How do I make chocolate chip cookies?", scored(0.25))
    assert "topic_relevance" in result.failed_checks
    alone = mechanism(min_similarity_score=0, min_rerank_score=0, min_retrieval_confidence=0)
    assert alone.should_reject_query("cookies?", scored(0.25)).rejection_reason is RejectionReason.OFF_TOPIC


def test_rejection_4_missing_or_invalid_citations(mechanism):
    half = "An arithmetic progression is a list of numbers [1]. The fixed number is called the common difference."
    assert mechanism().should_reject_query(QUERY, CHUNKS, half).rejection_reason is RejectionReason.MISSING_CITATIONS
    broken = "An arithmetic progression is a list of numbers [4]."
    assert mechanism().should_reject_query(QUERY, CHUNKS, broken).rejection_reason is RejectionReason.INVALID_CITATIONS
    assert not mechanism(require_citations=False).should_reject_query(QUERY, CHUNKS, half).should_reject


def test_rejection_5_low_grounding(mechanism):
    foreign = "An arithmetic progression is a list of numbers [1]. Bankers everywhere love such clever schemes [1]."
    assert mechanism().should_reject_query(QUERY, CHUNKS, foreign).rejection_reason is RejectionReason.LOW_GROUNDING
    invented = "The fixed number is called the common difference 77 of the arithmetic progression [1]."
    assert (
        mechanism().should_reject_query(QUERY, CHUNKS, invented).rejection_reason
        is RejectionReason.HALLUCINATION_DETECTED
    )


def test_a_query_check_and_an_answer_check_together_are_multiple_issues(mechanism):
    result = mechanism().should_reject_query(QUERY, scored(0.2), "Bankers everywhere love such clever schemes.")
    assert result.rejection_reason is RejectionReason.MULTIPLE_ISSUES


def test_a_limit_is_reached_by_its_own_value(mechanism):
    result = mechanism(
        min_similarity_score=0.3, min_rerank_score=0.3, min_retrieval_confidence=0.3
    ).should_reject_query(QUERY, scored(0.3))
    assert not result.should_reject


def test_class_and_subject_are_compared(mechanism):
    assert mechanism().should_reject_query(QUERY, CHUNKS, class_number=10, subject="mathematics").should_reject is False
    assert mechanism().should_reject_query(QUERY, CHUNKS, class_number=9).rejection_reason is RejectionReason.OFF_TOPIC


def test_diagnosis_names_value_limit_margin_and_details(mechanism):
    info = mechanism().should_reject_query(QUERY, CHUNKS, ANSWER).diagnostic_info
    assert set(info["citations"]) == {"passed", "state", "mode", "value", "limit", "margin", "details"}
    assert info["retrieval_confidence"]["margin"] == pytest.approx(0.3)


def test_the_seeds_debug_output_prints_as_failed_only_what_stands_in_the_way(mechanism, capsys):
    """The loop of its troubleshooting, word for word: what only watches or does not apply has not failed."""
    result = mechanism().should_reject_query(QUERY, scored(0.4), "Perhaps a list of numbers [1].")
    for check_name, check_data in result.diagnostic_info.items():
        print(f"\n{check_name}:")
        print(f"  Passed: {check_data.get('passed')}")
        print(f"  Details: {check_data.get('details')}")
    said = dict(re.findall(r"^(\w+):\n  Passed: (\w+)$", capsys.readouterr().out, re.M))
    assert {name for name, passed in said.items() if passed == "False"} == set(result.failed_checks)
    info = result.diagnostic_info
    assert (said["hedging"], info["hedging"]["state"], info["hedging"]["mode"]) == ("None", "failed", "watches")
    assert (said["topic_relevance"], info["topic_relevance"]["mode"]) == ("True", "blocks")
    alone = mechanism().should_reject_query(QUERY, scored(0.9)).diagnostic_info["score_gap"]
    assert (alone["passed"], alone["state"]) == (None, "not_run")


def test_plain_texts_are_chunks_too_and_their_scores_are_measured(mechanism):
    result = mechanism().should_reject_query(QUERY, [TEXT, "Plants are green."], ANSWER)
    assert 0 < result.diagnostic_info["topic_relevance"]["value"] <= 1


@pytest.mark.parametrize(
    "chunk",
    [
        None,
        3,
        {"text": ""},
        {"score": 1.0},
        {"text": TEXT, "score": "high"},
        {"text": TEXT, "score": 2},
        {"text": TEXT, "score": float("nan")},
    ],
)
def test_a_chunk_that_cannot_be_read_is_refused(mechanism, chunk):
    with pytest.raises(CaseError):
        mechanism().should_reject_query(QUERY, [chunk], ANSWER)


def test_an_invention_is_rejected_however_many_true_sentences_stand_beside_it(mechanism):
    true = "An arithmetic progression is a list of numbers [1]. " * 4
    result = mechanism().should_reject_query(QUERY, CHUNKS, true + "In 1789 Napoleon added a fixed number of 57 [1].")
    assert result.rejection_reason is RejectionReason.HALLUCINATION_DETECTED


def test_chunks_that_do_not_say_their_class_are_taken_at_the_callers_word(mechanism):
    result = mechanism().should_reject_query(QUERY, [TEXT], ANSWER, class_number=10, subject="Mathematics")
    assert "topic_relevance" in result.passed_checks


def test_a_score_may_be_any_real_number_about_its_bounds(mechanism):
    import numpy as np

    for score in (np.float32(0.9), 1.0000001, 1):
        assert not mechanism().should_reject_query(QUERY, scored(score), ANSWER).should_reject
    assert mechanism().should_reject_query(QUERY, scored(-0.05), ANSWER).confidence_score == 0


def test_a_threshold_out_of_bounds_is_refused():
    with pytest.raises(ThresholdError, match="min_retrieval_confidence"):
        SafetyMechanism(SafetyThresholds(min_retrieval_confidence=1.5))
