"""Source document D's switches and its test mode with the real models, in a shop."""

import pytest

from core.lab.printed_examples import examples, run_under
from core.presets import preset, with_settings

SEED_D, TABLE = preset("seed_d"), examples()["D"]
BLOCKED = {name: row for name, row in TABLE.items() if row.printed.startswith("block")}


def found_by(models, row, under=SEED_D):
    return run_under(row, under, models).verdict


@pytest.mark.parametrize("row", BLOCKED.values(), ids=BLOCKED)
def test_each_switch_alone_lets_its_own_violation_through_stage_1(bundled_models, row):
    violation = row.printed.split(",")[0].removeprefix("block ")
    found = found_by(bundled_models, row, with_settings(SEED_D, [f"interest.{violation}=0"]))
    assert found.checks["interest"].state == "passed"


def test_the_advantage_alone_is_said_by_the_shop(bundled_models):
    row = TABLE["blocked 2 a documented advantage, found well"]
    row = row.model_copy(update={"row": row.row | {"answer": row.row["answer"].split(", ")[1]}})
    assert run_under(row, SEED_D, bundled_models).outcome == row.printed == "pass, high, delivered"


def test_in_test_mode_both_stages_watch_and_nothing_is_blocked(bundled_models):
    watching = with_settings(SEED_D, ["interest.mode=watches", "fact_grounding.mode=watches"])
    for row in BLOCKED.values():
        found = found_by(bundled_models, row, watching)
        assert found.checks["interest"].state == "failed" and found.route == "deliver"
    assert (
        found_by(bundled_models, TABLE["use case 5 a claim that is not, with the measured score"], watching).route
        == "deliver"
    )
