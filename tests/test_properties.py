"""Properties of the chain over random scores, answers and thresholds."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.chain import REASONS, next_step, verdict
from core.check import all_checks, all_thresholds
from core.store import dumps, loads
from core.thresholds import MODES, Preset
from tests.test_chain import trace_of

ANSWERS = (
    "An arithmetic progression is a list of numbers.",
    "An arithmetic progression is not a list of numbers [1].",
    "Maybe each term is obtained by adding 7 to the term before [2]. The fixed number is called the common difference.",
    "",
)
SCORES = st.lists(st.sampled_from([0.0, 0.15, 0.3, 0.35, 0.4, 0.5, 0.6, 0.9]), max_size=3).map(tuple)


@st.composite
def presets(draw):
    """Any mode for any check, and any grid value for some thresholds."""
    moved = draw(st.lists(st.sampled_from(sorted(all_thresholds())), unique=True, max_size=6))
    values = {key: float(draw(st.sampled_from(list(all_thresholds()[key].grid(9))))) for key in moved}
    modes = draw(st.dictionaries(st.sampled_from([c.name for c in all_checks()]), st.sampled_from(MODES), max_size=5))
    return Preset(thresholds=values, modes=modes)


@pytest.fixture
def measured(make_case, models):
    """Rounds by answer and scores, each measured once however often hypothesis asks for them."""
    known = {}

    def trace(answer, rounds):
        key = (answer, rounds)
        if key not in known:
            known[key] = trace_of(models, *(make_case(answer, scores) for scores in rounds))
        return known[key]

    return trace


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(answer=st.sampled_from(ANSWERS), rounds=st.lists(SCORES, min_size=1, max_size=3).map(tuple), preset=presets())
def test_live_and_replayed_a_trace_gets_the_same_verdict(measured, answer, rounds, preset):
    trace = measured(answer, rounds)
    step, found, replayed = next_step(trace, preset), verdict(trace, preset), verdict(loads(dumps(trace)), preset)
    assert (found.route, found.steps, found.checks) == (replayed.route, replayed.steps, replayed.checks)
    assert step.action in {"measure", found.route}
    assert step.action != "measure" or len(trace.rounds) < 3


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(answer=st.sampled_from(ANSWERS), rounds=st.lists(SCORES, min_size=1, max_size=3).map(tuple), preset=presets())
def test_a_verdict_agrees_with_its_own_checks(measured, answer, rounds, preset):
    found = verdict(measured(answer, rounds), preset)
    assert (found.route == "refuse") == any(c.blocks for c in found.checks.values())
    assert (found.primary_reason is None) == found.answered
    assert list(found.reasons) == sorted(found.reasons, key=list(REASONS).index)
    for check in found.checks.values():
        assert (check.margin is None) == (check.state == "not_run") == (check.cause is not None)
        if check.margin is not None:
            assert (check.margin >= 0) == (check.state == "passed")
