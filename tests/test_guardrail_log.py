"""Seed D's message metadata and guardrail log, in its own fields."""

import pytest

from core.domains import domain
from core.guardrail_log import log_entry, metadata
from core.presets import preset, with_settings
from tests.shop import TERMS, judged, shop_case

SEED_D, SHOP = preset("seed_d"), domain("shop")
POLICY = "Our return policy allows returns within 30 days."


def of(models, case, under=SEED_D):
    return metadata(judged(models, case, under), under, SHOP)


def test_a_claim_that_is_borne_out_has_both_stages(models):
    found = of(models, shop_case("what's your return policy?", POLICY))
    assert found["companyInterest"] == {
        "passed": True, "violationType": "none", "severity": "none", "shouldBlock": False, "requiresFactCheck": True,
        "reasoning": "What it states needs a fact check.",
    }  # fmt: skip
    assert found["confidenceTier"] == "high" and found["confidence"] >= 0.8
    assert set(found["confidenceBreakdown"]) == {"grounding", "retrieval", "certainty"}
    assert found["confidenceBreakdown"]["certainty"] is None and found["confidenceBreakdown"]["grounding"] > 0.9
    assert found["documentsUsed"][0]["similarity"] == pytest.approx(0.7)
    assert (found["recheckAttempted"], found["recheckCount"], found["originalMessage"]) == (False, 0, None)


def test_a_blocked_answer_is_kept_as_the_original_message(models):
    found = of(models, shop_case("what's your return policy?", POLICY, terms=TERMS[1:]))
    stage = found["companyInterest"]
    assert (stage["passed"], stage["violationType"], stage["severity"]) == (False, "fabricated_policy", "high")
    assert stage["shouldBlock"] and "rule" in stage["reasoning"] and found["originalMessage"] == POLICY


def test_talk_has_no_second_stage(models):
    found = of(models, shop_case("hi", "Hello! How can I help you today?"))
    assert not found["companyInterest"]["requiresFactCheck"]
    assert found["confidence"] is found["confidenceTier"] is None and found["documentsUsed"] == []


def test_a_log_entry_has_the_fields_of_the_seed(models):
    verdict = judged(models, shop_case("what are your business hours?", "We operate 9am-5pm."), SEED_D)
    entry = log_entry(verdict, SEED_D, SHOP, "2025-11-23T12:00:00Z")
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
