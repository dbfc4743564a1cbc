"""A trace opens again without a model, and decides the same."""

import json
from dataclasses import replace

import numpy as np
import pytest

from core.case import Scope
from core.chain import verdict
from core.presets import presets
from core.trace_json import StoreError, dumps, loads
from tests.chain.test_steps import trace_of
from tests.traces import deep


@pytest.mark.parametrize("scores", [(0.9, 0.7), (0.35,), ()])
@pytest.mark.parametrize("answer", ["An arithmetic progression is a list of numbers [1]. It is not [9].", "", None])
def test_a_trace_survives_the_disk(make_case, models, scores, answer):
    trace = trace_of(models, make_case(answer, scores, scope=Scope(pages=((1, 3),))), make_case(answer, scores))
    again = loads(dumps(trace))
    assert again.question == trace.question and again.digest == trace.digest
    for before, after in zip(trace.rounds, again.rounds, strict=True):
        assert (after.case, after.absent, after.windows) == (before.case, before.absent, before.windows)
        for check, signals in before.signals.items():
            for name, array in signals.items():
                np.testing.assert_array_equal(after.signals[check][name], array)
    for under in presets().values():
        one, other = verdict(trace, under), verdict(again, under)
        assert (one.route, one.steps, one.checks) == (other.route, other.steps, other.checks)


def test_parts_and_rounds_that_go_out_from_others_survive_the_disk(make_case, models):
    case = make_case("An arithmetic progression is a list of 7 numbers.", kind="small_talk")
    part = deep(models, case)
    trace = replace(deep(models, case, meanings=("Sound",), messages={"refuse": "No."}), parts=(part, part))
    again = loads(dumps(trace))
    assert again.digest == trace.digest != replace(trace, parts=()).digest
    assert [(r.name, r.of) for r in again.parts[1].rounds] == [(r.name, r.of) for r in part.rounds]
    assert (again.meanings, again.messages, again.rounds[0].case.kind) == (("Sound",), {"refuse": "No."}, "small_talk")


def test_a_trace_of_before_there_were_kinds_and_parts_still_opens(make_case, models):
    trace = trace_of(models, make_case())
    stored = json.loads(dumps(trace))
    for name in ("parts", "meanings", "messages"):
        del stored[name]
    for measured in stored["rounds"]:
        del measured["of"], measured["case"]["kind"], measured["case"]["draft"]["certainty"]
    assert loads(json.dumps(stored)).rounds[0].case == trace.rounds[0].case


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"format": 0}', '{"format": 1, "rounds": 3}', "not json"])
def test_what_is_no_trace_is_refused_in_a_sentence(text):
    with pytest.raises(StoreError, match="measure the question again"):
        loads(text)
