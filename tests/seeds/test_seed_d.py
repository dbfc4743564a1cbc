"""Seed D's examples and use cases with the real models, in a shop, under its own preset; each difference is named.

The passages are the terms of a shop, since the seed prints none; their similarity to a question is measured, unless a
row gives one. What the seed leaves in brackets is filled in.
"""

from dataclasses import replace

import pytest

from core.presets import with_settings
from tests.support.seed_d import ADVANTAGE, FREE, HIGH, HOURS, SEED_D, TABLE, WORDS, found_by, outcome
from tests.support.shop import judged, shop_case

BLOCKED = {name: row for name, row in TABLE.items() if row.seed.startswith("block")}


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE)
def test_an_exchange_of_the_seed_has_its_outcome(bundled_models, row):
    found = found_by(bundled_models, row)
    assert outcome(found) == row.outcome, (found.checks["interest"].why, found.checks["fact_grounding"].why)
    assert (row.answer in found.answer) is (found.route == "deliver")


@pytest.mark.parametrize("row", [r for r in TABLE.values() if r.seed == FREE])
def test_what_needs_no_fact_check_has_no_second_stage(bundled_models, row):
    found = found_by(bundled_models, row)
    assert found.round.signals["interest"]["needs_fact_check"] == 0
    assert found.checks["fact_grounding"].cause == "not applicable" and found.tier is None


@pytest.mark.parametrize("row", BLOCKED.values(), ids=BLOCKED)
def test_each_switch_alone_lets_its_own_violation_through_stage_1(bundled_models, row):
    violation = row.seed.split(",")[0].removeprefix("block ")
    found = found_by(bundled_models, row, with_settings(SEED_D, [f"interest.{violation}=0"]))
    assert found.checks["interest"].state == "passed"


def test_the_advantage_alone_is_said_by_the_shop(bundled_models):
    row = replace(TABLE["blocked 2 a documented advantage, found well"], answer=ADVANTAGE.split(", ")[1])
    assert outcome(found_by(bundled_models, row)) == HIGH


def test_without_escalation_a_low_claim_is_the_fallback(bundled_models):
    row, alone = TABLE["use case 5 a claim that is not, measured"], ["fact_grounding.escalation=0"]
    found = found_by(bundled_models, row, with_settings(SEED_D, alone))
    assert (found.route, found.answer) == ("refuse", WORDS["configuration, the fallback message"].outcome)


def test_a_claim_without_any_passage_is_in_the_low_tier(bundled_models):
    case = shop_case("what are your business hours?", HOURS)
    assert judged(bundled_models, replace(case, evidence=()), SEED_D).tier == "low"


def test_a_clarification_is_blocked_when_clarifications_are_not_allowed(bundled_models):
    answer = "Weather pass means the forecast of rain for tomorrow."
    case = shop_case("what do you mean by weather pass", answer, [("assistant", "Would you like a weather pass?")])
    assert judged(bundled_models, case, SEED_D).checks["interest"].state == "passed"
    strict = with_settings(SEED_D, ["interest.allow_clarifications=0", "interest.max_drift=0"])
    assert judged(bundled_models, case, strict).checks["interest"].state == "failed"


def test_in_test_mode_both_stages_watch_and_nothing_is_blocked(bundled_models):
    watching = with_settings(SEED_D, ["interest.mode=watches", "fact_grounding.mode=watches"])
    for row in BLOCKED.values():
        found = found_by(bundled_models, row, watching)
        assert found.checks["interest"].state == "failed" and found.route == "deliver"
    assert found_by(bundled_models, TABLE["use case 5 a claim that is not, measured"], watching).route == "deliver"
