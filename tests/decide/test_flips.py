"""The change that is named flips the verdict, nothing smaller does, and what was never measured is no flip."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.case import Scope
from core.checks import all_thresholds, check_of
from core.decide import verdict
from core.decide.check_results import result
from core.decide.flips import outlook
from core.decide.sensitivity import MEASURE, Sensitivity, check_moves
from core.presets import preset, with_settings
from core.thresholds import Preset
from tests.support.moves import ends, preset_after
from tests.support.plans import OFTEN, PARTS, PLANS, presets, world
from tests.support.traces import deep, trace_of, without

KEYS = sorted(all_thresholds())
GONE = st.sets(st.integers(1, 8))


def answered(end):
    """True, False, or None where nobody knows."""
    return None if end == MEASURE else end.startswith("deliver")


def step_back(key, old, new):
    """The value one step of the grid nearer to `old`, or `old` itself."""
    grid = all_thresholds()[key].grid()
    between = grid[(grid > min(old, new)) & (grid < max(old, new))]
    return float(between[np.argmin(np.abs(between - new))]) if len(between) else old


def some_rounds(trace, gone):
    return replace(trace, rounds=tuple(r for n, r in enumerate(trace.rounds) if n not in gone))


def moves_of_checks(trace, under):
    question = Sensitivity(trace)
    return check_moves(question, question.verdict(under).round, under)


@OFTEN
@given(plan=PLANS, parts=PARTS, base=presets(), gone=GONE, key=st.sampled_from(KEYS), data=st.data())
def test_a_stretch_says_what_the_chain_says_of_each_of_its_values(plan, parts, base, gone, key, data):
    trace = some_rounds(world(plan, parts), gone)
    found = Sensitivity(trace).segments(all_thresholds()[key], base)
    grid = all_thresholds()[key].grid()
    assert found[0].low == min(grid[0], base.value(all_thresholds()[key])) and found[-1].high >= grid[-1]
    sure = {s.low for s in found} | {s.high for s in found} | {s.nearest for s in found}
    for value in sure | set(data.draw(st.lists(st.sampled_from(grid.tolist()), max_size=8))):
        (there,) = [s for s in found if s.low <= value <= s.high]
        assert there.ends == ends(trace, preset_after(base, (key, value)))


@OFTEN
@given(plan=PLANS, parts=PARTS, base=presets(), gone=GONE)
def test_at_the_named_value_the_verdict_is_another_and_one_step_before_it_is_not(plan, parts, base, gone):
    trace = some_rounds(world(plan, parts), gone)
    now, flip = answered(ends(trace, base)), outlook(Sensitivity(trace), base).flip
    if flip is None:
        return
    places = [(m.key, m.new) for m in flip.moves]
    assert answered(ends(trace, preset_after(base, *places))) is (not now) is flip.answered
    assert ends(trace, preset_after(base, *places)) == flip.ends
    for n, move in enumerate(flip.moves):
        assert move.old == base.value(all_thresholds()[move.key])
        assert move.new in all_thresholds()[move.key].grid()
        nearer = [*places[:n], (move.key, step_back(move.key, move.old, move.new)), *places[n + 1 :]]
        assert answered(ends(trace, preset_after(base, *nearer))) is not (not now)
        assert len(flip.moves) == 1 or answered(ends(trace, preset_after(base, (move.key, move.new)))) is not (not now)


@OFTEN
@given(plan=PLANS, parts=PARTS, base=presets(), gone=GONE, data=st.data())
def test_nothing_smaller_flips_the_verdict(plan, parts, base, gone, data):
    trace = some_rounds(world(plan, parts), gone)
    now, found = answered(ends(trace, base)), outlook(Sensitivity(trace), base)
    if now is None:
        assert (found.ends, found.flip) == (MEASURE, None)
        return
    size = sum(m.share for m in found.flip.moves) if found.flip else np.inf
    for _ in range(12):
        keys = data.draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=2, unique=True))
        places = [(key, data.draw(st.sampled_from(all_thresholds()[key].grid().tolist()))) for key in keys]
        share = sum(abs(v - base.value(t)) / (t.high - t.low) for k, v in places for t in [all_thresholds()[k]])
        single = found.flip is not None and len(found.flip.moves) == 1
        if share < size - 1e-9 and (len(keys) == 1 or not single):
            assert answered(ends(trace, preset_after(base, *places))) is not (not now), places


def test_in_the_way_stand_the_checks_of_the_stage_at_which_a_question_ends(make_case, models):
    cases = {
        (): make_case(),
        ("hedging",): make_case(answer="Maybe an arithmetic progression is a list of numbers."),
        ("topic_relevance",): make_case(scope=Scope(class_number=8), answer="Maybe it is a list of numbers."),
    }
    for names, case in cases.items():
        assert outlook(Sensitivity(deep(models, case, case, case)), preset("as_printed")).blocking == names


def test_two_searches_with_one_memory_say_what_each_says_alone(make_case, models):
    trace = trace_of(models, make_case(scores=(0.6, 0.5)))
    question, base = Sensitivity(trace), preset("as_printed")
    for value in (0.1, 0.55, 0.6, 0.3, 0.55):
        under = preset_after(base, ("retrieval_confidence.min_retrieval_confidence", value))
        assert outlook(question, under) == outlook(Sensitivity(trace), under)


def test_the_smallest_change_is_counted_in_shares_of_the_sliders_range(make_case, models):
    trace = trace_of(models, make_case(scores=(0.62, 0.58)))
    flip = outlook(Sensitivity(trace), preset("as_printed")).flip
    (move,) = flip.moves
    assert (move.key, move.old, move.new) == ("retrieval_confidence.min_retrieval_confidence", 0.6, 0.61)
    assert move.share == pytest.approx(0.01) and flip.ends == "refuse"


def test_two_sliders_are_named_where_one_alone_does_nothing(make_case, models):
    base = with_settings(preset("as_printed"), ["retrieval_confidence.min_retrieval_confidence=0.95",
        "context_quality.min_context_quality=0.9"])  # fmt: skip
    trace = trace_of(models, make_case(scores=(0.9, 0.8)))
    flip = outlook(Sensitivity(trace), base).flip
    assert {(m.key, m.new) for m in flip.moves} == {
        ("retrieval_confidence.min_retrieval_confidence", 0.85), ("context_quality.min_context_quality", 0.85),
    }  # fmt: skip
    assert dict(zip([m.key.partition(".")[0] for m in flip.moves], flip.still, strict=True)) == {
        "retrieval_confidence": ("context_quality",), "context_quality": ("retrieval_confidence",),
    }  # fmt: skip


def test_where_no_two_sliders_help_the_checks_in_the_way_are_named(make_case, models):
    trace = trace_of(models, make_case(answer="Maybe it is purple [7].", scores=(0.2, 0.1)))
    found = outlook(Sensitivity(trace), with_settings(preset("as_printed"), ["confidence.refine_rounds=0"]))
    assert found.flip is None and {"topic_relevance", "context_sufficiency", "confidence"} <= set(found.blocking)


def test_a_route_that_was_never_measured_is_no_flip_and_is_named(make_case, models):
    trace = trace_of(models, make_case(scores=(0.62, 0.62)))
    only_critic = preset("seed_b")
    found = outlook(Sensitivity(trace), only_critic)
    assert found.unmeasured.key == "confidence.min_confidence" and found.unmeasured.new == 63
    assert found.flip is None or sum(m.share for m in found.flip.moves) > found.unmeasured.share
    assert ends(trace, preset_after(only_critic, ("confidence.min_confidence", 63))) == MEASURE


def test_the_distance_of_a_limit_is_where_its_check_changes_its_mind(make_case, models):
    trace = trace_of(models, make_case(scores=(0.72, 0.62)))
    found = moves_of_checks(trace, preset("as_printed"))
    assert found["retrieval_confidence.min_retrieval_confidence"].new == 0.68
    assert found["confidence.min_confidence"].new == 73
    assert found["topic_relevance.max_topic_mismatch_score"].new == 0.73
    assert "confidence.min_confidence_named" not in found  # nothing was named, so it is not asked
    assert "confidence.refine_rounds" not in found


@OFTEN
@given(plan=PLANS, base=presets())
def test_at_its_distance_a_check_changes_its_mind_and_a_step_before_it_does_not(plan, base):
    trace = without(world(plan, []), "corrected", "rechecked")
    judged = verdict(trace, base).round
    for key, move in moves_of_checks(trace, base).items():
        check = check_of(key)

        def failed(value, key=key, check=check):
            return result(check, judged, preset_after(base, (key, value))).state == "failed"

        assert failed(move.new) != failed(move.old) == failed(step_back(key, move.old, move.new))


def test_a_preset_off_the_grid_is_measured_from_where_it_stands(make_case, models):
    trace = trace_of(models, make_case(scores=(0.62, 0.58)))
    base = Preset(thresholds={"retrieval_confidence.min_retrieval_confidence": 0.5951})
    (move,) = outlook(Sensitivity(trace), base).flip.moves
    assert (move.old, move.new) == (0.5951, 0.61)
