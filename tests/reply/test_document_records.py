"""A verdict in the fields of seed C and of seed D."""

from datetime import UTC, datetime

import pytest

from core.decide import verdict
from core.decide.messages import MESSAGES
from core.presets import preset, with_settings
from core.reply.document_records import abstention, metadata, records
from core.settings.domains import domain
from tests.support.cases import SUPPORTED
from tests.support.shop import TERMS, shop_case, shop_verdict
from tests.support.traces import trace_of

SEED_D, SHOP = preset("seed_d"), domain("shop")
NOW = datetime(2026, 1, 2, tzinfo=UTC)
POLICY = "Our return policy allows returns within 30 days."


def result_of(make_case, models, answer=SUPPORTED, scores=(0.9, 0.7)):
    once = with_settings(preset("seed_c"), ["confidence.refine_rounds=0"])
    return abstention(verdict(trace_of(models, make_case(answer, scores)), once))


def test_a_supported_answer_is_not_abstained_from(make_case, models):
    result = result_of(make_case, models)
    assert (result.should_abstain, result.reason, result.confidence) == (False, None, 1.0) and not result.details


@pytest.mark.parametrize(("scores", "reason", "confidence", "details"), [
    ((), "low_retrieval_score", 1.0, "No documents retrieved"),
    ((0.2, 0.1), "low_retrieval_score", 0.8, "Top score 0.200 below threshold 0.3"),
    ((0.29999, 0.1), "low_retrieval_score", 0.70001, "Top score 0.29999 below threshold 0.3"),
    ((0.4, 0.35), "no_score_gap", 0.7, "Score gap 0.050 indicates uncertainty"),
])  # fmt: skip
def test_layer_1_retrieval(make_case, models, scores, reason, confidence, details):
    """Three decimals as in the seed; more where three would say that the limit was reached. It comes before the others."""
    result = result_of(make_case, models, "Perhaps bananas.", scores)
    assert result.should_abstain and result.reason == reason and result.confidence == pytest.approx(confidence)
    assert result.details == details


@pytest.mark.parametrize("scores", [(0.3, 0.1), (0.4, 0.3), (0.5, 0.49), (0.45,)])
def test_layer_1_passes_at_its_limits_and_where_the_gap_is_not_asked(make_case, models, scores):
    assert not result_of(make_case, models, scores=scores).should_abstain


def test_layer_2_what_the_passages_contradict_or_leave_open(make_case, models):
    for answer, label in (
        ("An arithmetic progression is not a list of numbers.", "contradiction: 0.900"),
        ("Perhaps bankers everywhere love such clever schemes.", "neutral: 0.950"),
    ):
        result = result_of(make_case, models, answer)
        assert result.reason == "not_grounded"
        assert result.details.startswith(f"Answer not entailed by context ({label}). The book ")


def test_layer_3_decides_when_the_others_pass(make_case, models):
    result = result_of(make_case, models, "Perhaps an arithmetic progression is a list of numbers.")
    assert (result.reason, result.confidence) == ("hedging_detected", 0.8)
    assert result.details == r"Hedging pattern detected: \bI (?:think|believe|guess)\b|\b(?:maybe|possibly|perhaps)\b"


def test_a_refusal_of_the_seed_alone_speaks_in_its_own_sentence(make_case, models):
    once = with_settings(preset("seed_c"), ["confidence.refine_rounds=0"])
    found = verdict(trace_of(models, make_case(scores=(0.2, 0.1))), once)
    assert (found.route, found.answer) == ("refuse", MESSAGES["abstain"])
    assert MESSAGES["abstain"] == "I don't have enough information to answer this question."


def of(models, case, under=SEED_D):
    return metadata(shop_verdict(models, case, under), under, SHOP).model_dump()


def test_a_claim_that_is_borne_out_has_both_stages(models):
    found = of(models, shop_case("what's your return policy?", POLICY))
    assert found["companyInterest"] == {
        "passed": True, "violationType": "none", "severity": "none", "shouldBlock": False, "requiresFactCheck": True,
        "reasoning": "The answer states something that needs a fact check.",
    }  # fmt: skip
    assert found["confidenceTier"] == "high" and found["confidence"] >= 0.8
    assert set(found["confidenceBreakdown"]) == {"grounding", "retrieval", "certainty"}
    assert found["confidenceBreakdown"]["certainty"] is None and found["confidenceBreakdown"]["grounding"] > 0.9
    assert found["documentsUsed"][0]["similarity"] == pytest.approx(0.7)
    assert (found["recheckAttempted"], found["recheckCount"], found["originalMessage"]) == (False, 0, None)


def test_a_blocked_answer_is_kept_as_the_original_message(models):
    verdict = shop_verdict(models, shop_case("what's your return policy?", POLICY, terms=TERMS[1:]), SEED_D)
    found = metadata(verdict, SEED_D, SHOP).model_dump()
    stage = found["companyInterest"]
    assert (stage["passed"], stage["violationType"], stage["severity"]) == (False, "fabricated_policy", "high")
    assert stage["shouldBlock"] and "rule" in stage["reasoning"] and found["originalMessage"] == POLICY
    assert verdict.tier is found["confidence"] is found["confidenceTier"] is None  # there is no second stage
    logs = records(verdict, SEED_D, SHOP, NOW)
    assert logs["confidence_log"] == [] and logs["guardrail_log"][0].model_dump()["factGrounding"] is None


def test_talk_has_no_second_stage(models):
    found = of(models, shop_case("hi", "Hello! How can I help you today?"))
    assert not found["companyInterest"]["requiresFactCheck"]
    assert found["confidence"] is found["confidenceTier"] is None and found["documentsUsed"] == []


def test_a_log_entry_has_the_fields_of_the_seed(models):
    verdict = shop_verdict(models, shop_case("what are your business hours?", "We operate 9am-5pm."), SEED_D)
    (log,) = records(verdict, SEED_D, SHOP, NOW)["guardrail_log"]
    entry = log.model_dump()
    assert list(entry) == ["timestamp", "companyInterest", "factGrounding"]
    assert set(entry["factGrounding"]) == {
        "score", "tier", "breakdown", "documentsUsed", "recheckAttempted", "recheckCount", "details",
    }  # fmt: skip
    assert entry["factGrounding"]["tier"] == "low" and entry["factGrounding"]["details"].startswith("Failed.")


def test_in_test_mode_a_violation_is_logged_and_does_not_block(models):
    watching = with_settings(SEED_D, ["interest.mode=watches"])
    found = of(models, shop_case("what's your return policy?", POLICY, terms=TERMS[1:]), watching)
    assert found["companyInterest"]["violationType"] == "fabricated_policy"
    assert not found["companyInterest"]["shouldBlock"]
    off = with_settings(SEED_D, ["interest.mode=off", "fact_grounding.mode=off"])
    assert of(models, shop_case("hi", POLICY), off)["companyInterest"] is None
