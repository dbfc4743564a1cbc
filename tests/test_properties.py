"""Properties of the chain over random scores, answers, kinds of turn, thresholds, modes and missing rounds."""

from dataclasses import replace

from hypothesis import example, given
from hypothesis import strategies as st

from core.case import Trace
from core.decide import next_step, verdict
from core.graph import State, graph
from core.reply.serialization import dumps, loads
from core.thresholds import Preset
from core.words import REASONS
from tests.support.plans import OFTEN, PARTS, PLANS, presets, world


def measured_live(trace, preset):
    """What the graph measures of a question when it is asked anew, each round taken from `trace`."""

    def grown(now, step):
        if step.part is not None:
            part = _grown(now.parts[step.part], trace.parts[step.part], step)
            return now.with_part(step.part, part)
        return replace(_grown(now, trace, step), parts=now.parts if now.rounds else _unmeasured(trace.parts))

    empty = Trace(question=trace.question)
    state = State(trace=empty, preset=preset, step=next_step(empty, preset), measure=grown)
    return graph().invoke(state)["trace"]


def _grown(now, world, step):
    assert now.round(step.round, step.of) is None, "a round is measured once"
    return now.with_round(world.round(step.round, step.of))


def _unmeasured(parts):
    return tuple(replace(part, rounds=()) for part in parts)


def told(found):
    return found.route, found.steps, found.answer, found.primary_reason, found.confidence, found.tier, found.changes


@OFTEN
@given(plan=PLANS, parts=PARTS, preset=presets(), gone=st.sets(st.integers(1, 8)))
def test_stored_and_read_again_a_trace_gets_the_same_step_and_verdict(plan, parts, preset, gone):
    trace = world(plan, parts)
    trace = replace(trace, rounds=tuple(r for n, r in enumerate(trace.rounds) if n not in gone))
    again = loads(dumps(trace))
    assert next_step(trace, preset) == next_step(again, preset)
    assert told(verdict(trace, preset)) == told(verdict(again, preset))
    assert next_step(trace, preset).action in ("measure", verdict(trace, preset).route)


@OFTEN
@given(plan=PLANS, parts=PARTS, preset=presets())
def test_live_and_from_a_bank_measured_to_full_depth_it_is_the_same(plan, parts, preset):
    bank = world(plan, parts)
    live = measured_live(bank, preset)
    assert next_step(live, preset).action == verdict(bank, preset).route
    assert told(verdict(live, preset)) == told(verdict(bank, preset))


@OFTEN
@given(plan=PLANS, preset=presets())
def test_a_verdict_agrees_with_its_own_checks(plan, preset):
    found = verdict(world(plan, []), preset)
    assert found.route != "deliver" or not any(c.blocks for c in found.checks.values())
    assert found.answered == (found.delivery is not None)
    assert (found.primary_reason is None) == (found.route == "deliver")
    assert list(found.reasons) == sorted(found.reasons, key=list(REASONS).index)
    for check in found.checks.values():
        assert (check.margin is None) == (check.state == "not_run") == (check.cause is not None)
        if check.margin is not None:
            assert (check.margin >= 0) == (check.state == "passed")


NUMBERS, NOTHING, ONE = "An arithmetic progression is a list of numbers.", ((), (), ()), ((0.3, 0.9), (), ())
HALF = (
    "Maybe each term is obtained by adding 7 to the term before [2]. The fixed number is called the common difference."
)
"""A draft whose second sentence stays where the first one is corrected."""


@OFTEN
@example(plan=(NUMBERS, NOTHING, "question", False), parts=[(NUMBERS, NOTHING, "question", False), (HALF, ONE, "question", False)],
         preset=Preset(name="as_printed"))  # fmt: skip
@given(plan=PLANS, parts=PARTS, preset=presets())
def test_only_what_every_blocking_check_supports_goes_out(plan, parts, preset):
    found = verdict(world(plan, parts), preset)
    for one in found.parts or (found,):
        if one.delivery is None:
            continue
        assert one.delivery.sentences and not any(c.blocks for c in one.delivery.checks.values())
        if one.route == "deliver_part":
            assert {s.label for s in one.sentences if s.text in {x.text for x in one.delivery.sentences}} == {
                "entailment"
            }
        if one.route == "deliver_corrected":
            book = {s for e in one.delivery.round.case.evidence for s in e.passage.sentences}
            facts = zip(one.sentences, one.round.facts, strict=True)
            stays = {s.text for s, fact in facts if fact.stays and s.supported and s.label == "entailment"}
            assert {s.text for s in one.delivery.sentences} <= book | stays
