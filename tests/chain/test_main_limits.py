"""The five thresholds that a verdict hangs on."""

import pytest

from core.chain.check_results import COUNT, TO_BEGIN_WITH, CheckResult, judge, main_limits
from core.checks import all_thresholds
from core.presets import preset
from tests.chain.test_steps import trace_of


def result(name, by, margin, mode="blocks"):
    state = "not_run" if margin is None else "passed" if margin >= 0 else "failed"
    return CheckResult(
        name=name, stage="query", state=state, cause=None, mode=mode, value=0.5, limit=0.5, margin=margin, by=by
    )


def chosen(*results):
    return main_limits({r.name: r for r in results})


def test_before_a_question_they_are_five_that_exist():
    assert main_limits({}) == TO_BEGIN_WITH and len(set(TO_BEGIN_WITH)) == COUNT
    assert set(TO_BEGIN_WITH) <= set(all_thresholds())


def test_what_stops_comes_first_then_what_passes_only_just():
    found = chosen(
        result("clarity", "min_clarity", 0.3),
        result("grounding", "min_grounding_score", 0.05),
        result("score_gap", "min_score_gap", -0.2),
    )
    assert found[:3] == ("score_gap.min_score_gap", "grounding.min_grounding_score", "clarity.min_clarity")
    assert len(found) == COUNT == len(set(found))


def test_margins_are_compared_over_the_range_of_their_slider():
    found = chosen(result("confidence", "min_confidence", 10.0), result("clarity", "min_clarity", 0.2))
    assert found[:2] == ("confidence.min_confidence", "clarity.min_clarity")


@pytest.mark.parametrize(
    "unfit",
    [
        result("clarity", "min_clarity", -0.5, mode="watches"),
        result("clarity", "min_clarity", None),
        result("hedging", "", -1.0),
    ],
)
def test_what_only_watches_did_not_run_or_has_no_threshold_is_left_out(unfit):
    assert chosen(unfit) == TO_BEGIN_WITH


@pytest.mark.parametrize("name", ["default", "as_printed", "seed_a", "seed_c"])
def test_of_a_measured_case_they_are_sliders_of_checks_that_block(name, make_case, models):
    results = judge(trace_of(models, make_case()).rounds[0], preset(name))
    found = main_limits(results)
    ran = {r.name for r in results.values() if r.blocks or (r.mode == "blocks" and r.margin is not None)}
    assert len(found) == COUNT and all(k.split(".")[0] in ran or k in TO_BEGIN_WITH for k in found)
