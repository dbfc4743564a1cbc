"""Source document D's switches, its test mode and its second stage with the real models, in a shop."""

from dataclasses import replace

import pytest

from core.lab.printed_examples.document_d import ADVANTAGE, FREE, HIGH, HOURS, TABLE
from core.lab.printed_examples.outcomes import run_under
from core.presets import preset, with_settings
from tests.support.shop import shop_case, shop_verdict

SEED_D = preset("seed_d")
BLOCKED = {name: row for name, row in TABLE.items() if row.printed.startswith("block")}


def found_by(models, row, under=SEED_D):
    return run_under("D", row, under, models).verdict


@pytest.mark.parametrize("row", [row for row in TABLE.values() if not row.message])
def test_an_answer_goes_out_only_if_it_is_delivered(bundled_models, row):
    found = found_by(bundled_models, row)
    assert (row.answer in found.answer) is (found.route == "deliver")


@pytest.mark.parametrize("row", [r for r in TABLE.values() if r.printed == r.outcome == FREE])
def test_what_needs_no_fact_check_has_no_second_stage(bundled_models, row):
    found = found_by(bundled_models, row)
    assert found.round.signals["interest"]["needs_fact_check"] == 0
    assert found.checks["fact_grounding"].cause == "not applicable" and found.tier is None


@pytest.mark.parametrize("row", BLOCKED.values(), ids=BLOCKED)
def test_each_switch_alone_lets_its_own_violation_through_stage_1(bundled_models, row):
    violation = row.printed.split(",")[0].removeprefix("block ")
    found = found_by(bundled_models, row, with_settings(SEED_D, [f"interest.{violation}=0"]))
    assert found.checks["interest"].state == "passed"


def test_the_advantage_alone_is_said_by_the_shop(bundled_models):
    row = replace(TABLE["blocked 2 a documented advantage, found well"], answer=ADVANTAGE.split(", ")[1])
    assert run_under("D", row, SEED_D, bundled_models).outcome == HIGH


def test_a_claim_without_any_passage_is_in_the_low_tier(bundled_models):
    case = shop_case("what are your business hours?", HOURS)
    assert shop_verdict(bundled_models, replace(case, evidence=()), SEED_D).tier == "low"


def test_a_clarification_is_blocked_when_clarifications_are_not_allowed(bundled_models):
    answer = "Weather pass means the forecast of rain for tomorrow."
    case = shop_case("what do you mean by weather pass", answer, [("assistant", "Would you like a weather pass?")])
    assert shop_verdict(bundled_models, case, SEED_D).checks["interest"].state == "passed"
    strict = with_settings(SEED_D, ["interest.allow_clarifications=0", "interest.max_drift=0"])
    assert shop_verdict(bundled_models, case, strict).checks["interest"].state == "failed"


def test_in_test_mode_both_stages_watch_and_nothing_is_blocked(bundled_models):
    watching = with_settings(SEED_D, ["interest.mode=watches", "fact_grounding.mode=watches"])
    for row in BLOCKED.values():
        found = found_by(bundled_models, row, watching)
        assert found.checks["interest"].state == "failed" and found.route == "deliver"
    assert (
        found_by(bundled_models, TABLE["use case 5 a claim that is not, with the measured score"], watching).route
        == "deliver"
    )
