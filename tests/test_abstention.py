"""Seed C's layers and reasons, in its own order."""

import pytest

from core.abstention import abstention
from core.chain import verdict
from core.presets import preset, with_settings
from tests.test_chain import trace_of

SUPPORTED = "An arithmetic progression is a list of numbers."


def result_of(make_case, models, answer=SUPPORTED, scores=(0.9, 0.7)):
    once = with_settings(preset("seed_c"), ["confidence.refine_rounds=0"])
    return abstention(verdict(trace_of(models, make_case(answer, scores)), once))


def test_a_supported_answer_is_not_abstained_from(make_case, models):
    result = result_of(make_case, models)
    assert (result.should_abstain, result.reason, result.confidence) == (False, None, 1.0)


@pytest.mark.parametrize(("scores", "reason", "confidence"), [
    ((), "low_retrieval_score", 1.0), ((0.2, 0.1), "low_retrieval_score", 0.8), ((0.4, 0.35), "no_score_gap", 0.7),
])  # fmt: skip
def test_layer_1_retrieval(make_case, models, scores, reason, confidence):
    result = result_of(make_case, models, scores=scores)
    assert result.should_abstain and result.reason == reason and result.confidence == pytest.approx(confidence)


@pytest.mark.parametrize("scores", [(0.3, 0.1), (0.4, 0.3), (0.5, 0.49), (0.45,)])
def test_layer_1_passes_at_its_limits_and_where_the_gap_is_not_asked(make_case, models, scores):
    assert not result_of(make_case, models, scores=scores).should_abstain


def test_layer_2_what_the_passages_contradict_or_leave_open(make_case, models):
    for answer in (
        "An arithmetic progression is not a list of numbers.",
        "Bankers everywhere love such clever schemes.",
    ):
        assert result_of(make_case, models, answer).reason == "not_grounded"


def test_layer_3_decides_when_the_others_pass(make_case, models):
    result = result_of(make_case, models, "Perhaps an arithmetic progression is a list of numbers.")
    assert (result.reason, result.confidence) == ("hedging_detected", 0.8)
