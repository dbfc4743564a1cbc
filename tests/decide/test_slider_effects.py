"""What a slider can do to a question: act, ask for another round, or nothing, and then why."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.case import Scope
from core.checks import all_thresholds
from core.decide.sensitivity import MEASURE, Sensitivity, effects, judged_rounds, scores
from core.presets import preset, with_settings
from core.thresholds import Preset
from tests.support.moves import BEST, GAP, NEUTRAL, ends, preset_after
from tests.support.plans import OFTEN, PLANS, presets, world
from tests.support.traces import deep, trace_of

PRINTED = preset("as_printed")


@pytest.fixture
def effect(make_case, models):
    """The effect of one slider on a case: `effect(key, settings, **case)`."""

    def of(key, *settings, **about):
        case = make_case(**about)
        return effects(Sensitivity(deep(models, case, case, case)), with_settings(PRINTED, list(settings)))[key]

    return of


def test_a_slider_that_can_change_the_way_acts(effect):
    found = effect(BEST)
    assert found.kind == "acts" and found.ends == "deliver"
    assert [s.ends for s in found.segments] == ["deliver", "refuse"]
    assert found.segments[1].low == pytest.approx(0.91)


def test_a_slider_of_a_check_without_a_say_does_nothing(effect):
    assert effect(BEST, "retrieval_score.mode=watches").kind == "watches"
    assert effect(BEST, "retrieval_score.mode=off").kind == "off"


def test_a_slider_of_a_check_that_was_not_measured_does_not_apply(effect):
    assert effect(NEUTRAL, answer="").kind == "does not apply"


def test_a_slider_whose_check_never_changes_its_mind_changes_nothing(effect):
    assert effect("confidence.min_confidence_named").kind == "changes nothing"


def test_a_slider_is_shadowed_by_the_checks_that_fail_anyway(effect):
    found = effect(BEST, scope=Scope(class_number=8))
    assert (found.kind, found.by) == ("shadowed", ("topic_relevance",))


def test_a_slider_may_ask_for_a_round_that_was_never_measured(make_case, models):
    found = effects(Sensitivity(trace_of(models, make_case())), preset("seed_b"))["confidence.min_confidence"]
    assert found.kind == "asks" and [s.ends for s in found.segments] == ["deliver", MEASURE]


def test_before_its_route_is_known_a_question_has_no_effects(make_case, models):
    assert effects(Sensitivity(trace_of(models, make_case(scores=(0.35,)))), preset("seed_b")) == {}


@OFTEN
@given(plan=PLANS, base=presets(), data=st.data())
def test_a_slider_that_is_said_to_do_nothing_does_nothing(plan, base, data):
    trace = world(plan, [])
    found = effects(Sensitivity(trace), base)
    key = data.draw(st.sampled_from(sorted(found)))
    value = data.draw(st.sampled_from(all_thresholds()[key].grid().tolist()))
    if found[key].kind not in ("acts", "asks"):
        assert ends(trace, preset_after(base, (key, value))) == ends(trace, base)


def test_the_scores_are_what_each_limit_is_held_against(make_case, models):
    question = Sensitivity(trace_of(models, make_case(scores=(0.9, 0.7))))
    found = scores([r.signals for r in judged_rounds(question.verdict(PRINTED))], PRINTED)
    expected = {
        "retrieval_confidence.min_retrieval_confidence": [0.8], BEST: [0.9], GAP: [0.2],
        "confidence.min_confidence": [90.0], "context_sufficiency.min_similarity_score": [0.9, 0.7],
        "context_sufficiency.min_chunks_required": [2.0], "grounding.min_sentence_overlap": [1.0],
    }  # fmt: skip
    for key, numbers in expected.items():
        np.testing.assert_allclose(found[key], numbers, err_msg=key)
    assert set(found) <= set(all_thresholds()) and "confidence.min_confidence_named" not in found


@OFTEN
@given(plan=PLANS, base=presets())
@example(  # two passages count and are too short together: only where none is required does that not matter
    plan=("An arithmetic progression is a list of numbers.", ((0.5, 0.5), (), ()), "question", False),
    base=Preset(thresholds={"context_sufficiency.min_total_context_length": 500.0}),
)
@example(  # a mark that leads to no passage is put right by as much support as its sentence has
    plan=("An arithmetic progression is not a list of numbers [1].", ((), (), ()), "question", False),
    base=Preset(thresholds={"citations.put_right": 1.0}),
)
def test_a_limit_at_a_score_and_a_limit_beyond_it_may_differ_and_nothing_else(plan, base):
    question = Sensitivity(world(plan, []))
    (measured,) = judged_rounds(question.verdict(base))
    held = scores([measured.signals], base)
    for key, t in all_thresholds().items():
        if t.stricter == "neither" or (t.low, t.high, t.step) == (0, 1, 1):  # read by the chain itself, or a switch
            continue
        points, failed = question.failing(t, base, measured)
        for before, after in zip(
            points[:-1][failed[1:] != failed[:-1]], points[1:][failed[1:] != failed[:-1]], strict=True
        ):
            between = [v for v in held.get(key, ()) if before - 1e-9 <= v <= after + 1e-9]
            assert between, f"{key} changes its mind between {before} and {after}, where there is no score"
