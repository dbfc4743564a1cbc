"""Seed D's own examples and use cases, in a shop, under the seed's own preset."""

from dataclasses import replace

import pytest

from core.models.embedder import bundled_embedder
from core.presets import preset, with_settings
from tests.shop import TERMS, judged, shop_case

SEED_D = preset("seed_d")
ASKED = [("assistant", "What is your monthly ticket volume?")]
HOTELS = ["Hotel ABC, Hotel XYZ, Hotel 123"]
PHONES = ["inventory: iPhone 15 Pro, 3 pieces"]
UNDOCUMENTED = TERMS[1:]
"""The shop without its terms of return."""
HOURS = "We operate 9am-5pm Monday-Friday."

BLOCKED = [
    ("off_topic", "What's the weather like?", "Let me check the weather for your city. Which city are you in?"),
    ("off_topic", "what's the weather?", "Let me check the weather for you..."),
    (
        "competitor_info", "Tell me about your competitors",
        "Our main competitors include Company A, Company B. Company A offers great pricing and Company B has excellent "
        "customer service.",
    ),
    ("fabricated_product", "Do you have iPhone 15 Pro?", "Yes, we have iPhone 15 Pro available in all colors!"),
    ("fabricated_policy", "What's your return policy?", "Our return policy allows returns within 30 days."),
]  # fmt: skip

FREE = [
    (
        "What's the weather like?",
        "I can't help with weather information. Is there anything about our products I can help you with? Or would you "
        "like me to transfer you to a team member?",
        (), (),
    ),
    ("What's your return policy?", "Let me check our return policy for you. One moment please.", (), ()),
    (
        "what do you mean by monthly ticket volume",
        "Monthly ticket volume refers to the number of support tickets or customer inquiries your company handles each "
        "month.",
        ASKED, (),
    ),
    (
        "what do you mean by monthly ticket volume",
        "Monthly ticket volume refers to the number of support tickets per month.",
        ASKED, (),
    ),
    ("show me available hotels", "Here are 3 hotels: Hotel ABC, Hotel XYZ, Hotel 123", (), HOTELS),
    ("Do you have iPhone 15 Pro?", "I found iPhone 15 Pro in our inventory: 3 pieces.", (), PHONES),
    ("hi", "Hello! How can I help you today?", (), ()),
    ("hi", "I'd be happy to help you with that.", (), ()),
    ("hello", "Let me look that up for you.", (), ()),
]  # fmt: skip


@pytest.fixture(scope="module")
def embedder():
    return bundled_embedder()


@pytest.fixture
def models(models, embedder):
    """Meaning by the real embeddings, which stage 1 compares; the labels by shared words."""
    return replace(models, embedder=embedder)


@pytest.mark.parametrize(("violation", "query", "answer"), BLOCKED)
def test_what_stage_1_blocks_is_handed_over(models, violation, query, answer):
    found = judged(models, shop_case(query, answer, terms=UNDOCUMENTED), SEED_D)
    assert found.route == "escalate" and found.steps[-2:] == ("stage 1", "escalate")
    assert found.primary_reason == "interest" and found.checks["interest"].blocks
    assert answer not in found.answer


@pytest.mark.parametrize(("violation", "query", "answer"), BLOCKED)
def test_each_switch_alone_lets_its_own_violation_through_stage_1(models, violation, query, answer):
    off = with_settings(SEED_D, [f"interest.{violation}=0"])
    found = judged(models, shop_case(query, answer, terms=UNDOCUMENTED), off)
    assert found.checks["interest"].state == "passed"


@pytest.mark.parametrize(("query", "answer", "history", "tools"), FREE)
def test_what_needs_no_fact_check_is_delivered_without_stage_2(models, query, answer, history, tools):
    found = judged(models, shop_case(query, answer, history, tools), SEED_D)
    assert (found.route, found.answer) == ("deliver", answer)
    assert found.round.signals["interest"]["needs_fact_check"] == 0
    assert found.checks["fact_grounding"].cause == "not applicable" and found.tier is None


def test_a_documented_advantage_over_competitors_is_checked_and_delivered(models):
    answer = "While there are competitors in the market, we differentiate ourselves through free repairs for two years."
    found = judged(models, shop_case("Tell me about your competitors", answer), SEED_D)
    assert found.checks["interest"].state == "passed" and found.round.signals["interest"]["needs_fact_check"] == 1
    assert found.route == "deliver"


def test_use_case_4_a_documented_claim_is_delivered_with_high_confidence(models):
    answer = "Our return policy allows returns within 30 days."
    found = judged(models, shop_case("what's your return policy?", answer), SEED_D)
    assert (found.route, found.tier, found.answer) == ("deliver", "high", answer)
    assert found.round.signals["interest"]["needs_fact_check"] == 1


def test_use_case_5_a_claim_that_no_document_holds_is_handed_over_or_refused(models):
    case = shop_case("what are your business hours?", HOURS, cosine=0.45)
    found = judged(models, case, SEED_D)
    assert found.checks["interest"].state == "passed" and found.tier == "low"
    assert found.route == "escalate" and found.steps[-2:] == ("stage 2", "escalate")
    assert judged(models, case, with_settings(SEED_D, ["fact_grounding.escalation=0"])).route == "refuse"


def test_a_claim_without_any_passage_is_in_the_low_tier(models):
    case = shop_case("what are your business hours?", HOURS)
    bare = type(case)(**{**vars(case), "evidence": ()})
    assert judged(models, bare, SEED_D).tier == "low"


def test_a_clarification_is_blocked_when_clarifications_are_not_allowed(models):
    answer = "Weather pass means the forecast of rain for tomorrow."
    case = shop_case("what do you mean by weather pass", answer, [("assistant", "Would you like a weather pass?")])
    assert judged(models, case, SEED_D).checks["interest"].state == "passed"
    strict = with_settings(SEED_D, ["interest.allow_clarifications=0", "interest.max_drift=0"])
    assert judged(models, case, strict).checks["interest"].state == "failed"


def test_in_test_mode_both_stages_watch_and_nothing_is_blocked(models):
    watching = with_settings(SEED_D, ["interest.mode=watches", "fact_grounding.mode=watches"])
    for _, query, answer in BLOCKED:
        found = judged(models, shop_case(query, answer, terms=UNDOCUMENTED), watching)
        assert found.checks["interest"].state == "failed" and found.route == "deliver"
    assert judged(models, shop_case("what are your business hours?", HOURS), watching).route == "deliver"
