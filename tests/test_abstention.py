"""Seed C's layers and reasons, in its own order."""

import pytest

from core.abstention import ABSTENTION, abstention
from core.chain import verdict
from core.presets import preset, with_settings
from tests.chain.test_steps import trace_of

SUPPORTED = "An arithmetic progression is a list of numbers."


def result_of(make_case, models, answer=SUPPORTED, scores=(0.9, 0.7)):
    once = with_settings(preset("seed_c"), ["confidence.refine_rounds=0"])
    return abstention(verdict(trace_of(models, make_case(answer, scores)), once))


def test_a_supported_answer_is_not_abstained_from(make_case, models):
    result = result_of(make_case, models)
    assert (result.should_abstain, result.reason, result.confidence) == (False, None, 1.0)


@pytest.mark.parametrize(("scores", "reason", "confidence", "details"), [
    ((), "low_retrieval_score", 1.0, "No documents retrieved"),
    ((0.2, 0.1), "low_retrieval_score", 0.8, "Top score 0.200 below threshold 0.3"),
    ((0.29999, 0.1), "low_retrieval_score", 0.70001, "Top score 0.29999 below threshold 0.3"),
    ((0.4, 0.35), "no_score_gap", 0.7, "Score gap 0.050 indicates uncertainty"),
])  # fmt: skip
def test_layer_1_retrieval(make_case, models, scores, reason, confidence, details):
    """Three decimals as in the seed; more where three would say that the limit was reached."""
    result = result_of(make_case, models, scores=scores)
    assert result.should_abstain and result.reason == reason and result.confidence == pytest.approx(confidence)
    assert result.details == details


@pytest.mark.parametrize("scores", [(0.3, 0.1), (0.4, 0.3), (0.5, 0.49), (0.45,)])
def test_layer_1_passes_at_its_limits_and_where_the_gap_is_not_asked(make_case, models, scores):
    assert not result_of(make_case, models, scores=scores).should_abstain


def test_layer_2_what_the_passages_contradict_or_leave_open(make_case, models):
    for answer, label in (
        ("An arithmetic progression is not a list of numbers.", "contradiction: 0.900"),
        ("Bankers everywhere love such clever schemes.", "neutral: 0.950"),
    ):
        result = result_of(make_case, models, answer)
        assert result.reason == "not_grounded"
        assert result.details.startswith(f"Answer not entailed by context ({label}). The passages ")


def test_layer_3_decides_when_the_others_pass(make_case, models):
    result = result_of(make_case, models, "Perhaps an arithmetic progression is a list of numbers.")
    assert (result.reason, result.confidence) == ("hedging_detected", 0.8)
    assert result.details == "Hedging pattern detected: Sentence 1 hedges or fills."


def test_a_refusal_of_the_seed_alone_speaks_in_its_own_sentence(make_case, models):
    once = with_settings(preset("seed_c"), ["confidence.refine_rounds=0"])
    found = verdict(trace_of(models, make_case(scores=(0.2, 0.1))), once)
    assert (found.route, found.answer) == ("refuse", ABSTENTION)
    assert ABSTENTION == "I don't have enough information to answer this question."
