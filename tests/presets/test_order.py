"""Exam, strict, default and lenient let out more and more: always of one round, and whole answers of one search.

Of a whole trace it need not be so: a looser grounding limit lets an answer pass that a stricter one has put into the
book's own words, and stage 2 may hand over what was let pass; a looser topic limit goes on searching where a stricter
one ends. Both ways are named below, and nothing else may break the order.
"""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.decide import judge, verdict
from core.decide.check_results import blocking
from core.presets import differences, preset
from tests.support.plans import OFTEN, PARTS, PLANS, world
from tests.support.route_bank import ROWS, stored_trace

ORDER = ("exam", "strict", "default", "lenient")
"""From what lets out least to what lets out most."""
PAIRS = list(pairwise(ORDER))
BESIDE = st.sampled_from(PAIRS)


def searched(found):
    """The steps of a way as far as its search goes."""
    return found.steps[: found.steps.index("query checks")] if "query checks" in found.steps else ()


@pytest.mark.parametrize(("strict", "loose"), PAIRS)
def test_each_differs_from_the_next_only_by_being_stricter(strict, loose):
    found = differences(preset(strict), preset(loose))
    assert found and {d.stricter for d in found} == {"first"}, found


@OFTEN
@given(plan=PLANS, beside=BESIDE)
def test_what_the_looser_blocks_in_a_round_the_stricter_blocks_too(plan, beside):
    strict, loose = map(preset, beside)
    for measured in world(plan, []).rounds:
        names = [{r.name for r in blocking(judge(measured, one))} for one in (strict, loose)]
        assert names[1] <= names[0]


@OFTEN
@given(plan=PLANS, parts=PARTS, beside=BESIDE)
def test_whole_answers_of_one_search_that_the_stricter_delivers_the_looser_delivers(plan, parts, beside):
    strict, loose = (verdict(world(plan, parts), preset(name)) for name in beside)
    pairs = zip(strict.parts, loose.parts, strict=True) if strict.parts else [(strict, loose)]
    for one, other in pairs:
        if searched(one) == searched(other) and one.route == "deliver":
            assert other.route == "deliver"


@OFTEN
@given(plan=PLANS, beside=BESIDE)
def test_the_looser_refuses_what_the_stricter_answers_only_by_another_search_or_by_handing_it_over(plan, beside):
    strict, loose = (verdict(world(plan, []), preset(name)) for name in beside)
    if strict.answered and not loose.answered:
        assert searched(strict) != searched(loose) or (strict.route, loose.route) in {
            ("deliver_corrected", "escalate"), ("deliver_part", "escalate"),
        }  # fmt: skip


@pytest.mark.parametrize(("strict", "loose"), PAIRS)
def test_over_recorded_questions_whatever_the_stricter_answers_the_looser_answers(strict, loose):
    out = [{r["id"] for r in ROWS if verdict(stored_trace(r), preset(name)).answered} for name in (strict, loose)]
    assert out[0] <= out[1]


def test_over_recorded_questions_they_are_not_all_the_same():
    out = [sum(verdict(stored_trace(row), preset(name)).answered for row in ROWS) for name in ORDER]
    assert out == sorted(out) and out[0] < out[-1], dict(zip(ORDER, out, strict=True))
