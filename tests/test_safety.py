"""Seed A's own interface: its names, defaults and diagnosis, and what it refuses to read; tests/seeds run its examples."""

from dataclasses import asdict

import pytest

from core.case import CaseError
from core.question import NoAnswerError
from core.safety import (
    RejectionReason,
    SafetyMechanism,
    SafetyThresholds,
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
ANSWER = "An arithmetic progression is a list of numbers [1]. The fixed number is called the common difference [1]."


def scored(score):
    return [{**CHUNKS[0], "score": score}]


@pytest.fixture
def mechanism(models):
    return lambda **thresholds: SafetyMechanism(SafetyThresholds(**thresholds), models=models)


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


def test_where_no_chunk_is_required_none_is_missed(mechanism):
    assert mechanism().should_reject_query("What is the capital of Mars?", []).confidence_score == 0
    allowed = mechanism(min_chunks_required=0, min_similarity_score=1.0)
    assert "context_sufficiency" in allowed.should_reject_query(QUERY, CHUNKS).passed_checks


def test_off_topic_alone_rejects(mechanism):
    alone = mechanism(min_similarity_score=0, min_rerank_score=0, min_retrieval_confidence=0)
    assert alone.should_reject_query("cookies?", scored(0.25)).rejection_reason is RejectionReason.OFF_TOPIC


def test_citations_that_are_not_required_are_not_missed(mechanism):
    half = "An arithmetic progression is a list of numbers [1]. The fixed number is called the common difference."
    assert not mechanism(require_citations=False).should_reject_query(QUERY, CHUNKS, half).should_reject


FIVE = (
    "An arithmetic progression is a list of numbers", "The fixed number is called the common difference",
    "Each term is obtained by adding a fixed number", "It is added to the preceding term",
    "The fixed number is the common difference of the arithmetic progression",
)  # fmt: skip


@pytest.mark.parametrize(("cited", "coverage", "accepted"), [
    (4, 0.8, True), (3, 0.8, False), (4, 0.81, False), (3, 0.6, True), (5, 1.0, True), (4, 1.0, False),
])  # fmt: skip
def test_the_coverage_is_the_share_of_the_sentences_that_have_their_own_mark(mechanism, cited, coverage, accepted):
    answer = " ".join(f"{sentence}{' [1]' if n < cited else ''}." for n, sentence in enumerate(FIVE))
    result = mechanism(min_citation_coverage=coverage).should_reject_query(QUERY, CHUNKS, answer)
    assert result.should_reject is not accepted
    assert accepted or result.rejection_reason is RejectionReason.MISSING_CITATIONS
    assert accepted or result.explanation.endswith("no citation of its own.")
    assert coverage != 0.8 or mechanism().should_reject_query(QUERY, CHUNKS, answer) == result


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


def test_only_what_stands_in_the_way_has_not_passed(mechanism):
    """What only watches or does not apply has not failed."""
    info = mechanism().should_reject_query(QUERY, scored(0.4), "Perhaps a list of numbers [1].").diagnostic_info
    said = {
        name: (info[name]["passed"], info[name]["state"], info[name]["mode"]) for name in ("hedging", "topic_relevance")
    }
    assert said == {"hedging": (None, "failed", "watches"), "topic_relevance": (True, "passed", "blocks")}
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


@pytest.mark.parametrize("answer", ["", "  ", "\n", "\u200b", "...", "[1]"])
def test_an_empty_answer_is_none_to_judge(mechanism, answer):
    with pytest.raises(NoAnswerError, match="There is no answer to judge"):
        mechanism().should_reject_query(QUERY, CHUNKS, answer)
    with pytest.raises(NoAnswerError, match="There is no answer to judge"):
        get_safe_answer(QUERY, CHUNKS, answer)


def test_no_answer_at_all_is_none_to_hand_on(mechanism):
    with pytest.raises(NoAnswerError, match="answer is null"):
        get_safe_answer(QUERY, CHUNKS, None)
    assert not {"citations", "grounding"} & set(mechanism().should_reject_query(QUERY, CHUNKS).diagnostic_info)


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
