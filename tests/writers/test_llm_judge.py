"""Stage 1 asked of a model: strict JSON becomes signals, anything else an error with its cause; thresholds decide."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.case import Trace
from core.check import Check
from core.decide import verdict
from core.decide.check_results import result
from core.graph.rounds import measure, with_opinions
from core.models import ModelError
from core.presets import with_settings
from core.reply.document_records import metadata
from core.reply.serialization import dumps, loads
from core.settings.domains import VIOLATIONS, domain
from core.thresholds import Preset
from core.writers.endpoint import Endpoint
from core.writers.llm_judge import StageOne, pattern_of, read_opinion
from tests.support.language_model_server import serving

ANSWER = "An arithmetic progression is a list of numbers. You should join a coaching class."


def rows(*violations, severity="high"):
    return [
        {
            "sentence": n,
            "violation": v,
            "severity": "none" if v == "none" else severity,
            "reasoning": f"Because of {v}.",
        }
        for n, v in enumerate(violations, 1)
    ]


def said(*violations, fact_check=True, **about):
    return json.dumps({"sentences": rows(*violations), "requires_fact_check": fact_check} | about)


@pytest.fixture
def measured(models, make_case):
    """The round of an answer of two sentences whose stage 1 was asked of a real server that replies `reply`."""

    def run(reply):
        with serving(reply=reply) as server:
            asked = StageOne(Endpoint(url=server.url, model="good", retries=0, seconds=20))
            case = with_opinions(make_case(ANSWER), domain("school"), asked, None)
        found = measure("first", case, models)
        assert server.seen[0]["response_format"] == {"type": "json_object"} and not server.seen[0].get("stream")
        return found

    return run


def interest(found, *assignments):
    return result(Check.registry["interest"], found, with_settings(Preset(), assignments))


@pytest.mark.parametrize("violation", VIOLATIONS)
def test_each_violation_stops_the_answer_unless_it_is_switched_off(measured, violation):
    found = measured(said("none", violation))
    stopped = interest(found)
    assert stopped.state == "failed" and "Sentence 2" in stopped.why and f"Because of {violation}." in stopped.why
    assert interest(found, f"interest.{violation}=0").state == "passed"


def test_an_answer_with_nothing_against_it_passes_whatever_the_rules_would_find(measured):
    found = measured(said("none", "none"))
    assert interest(found).state == "passed"
    assert found.signals["interest"]["competitors"].tolist() == [0, 0]


def test_a_sentence_that_states_something_is_checked_whatever_the_model_says(measured):
    assert measured(said("none", "none", fact_check=False)).signals["interest"]["needs_fact_check"] == 1


def test_the_severity_and_the_reasoning_are_the_models_and_the_trace_remembers_them(measured, make_case):
    found = measured(
        json.dumps({"sentences": rows("none", "competitor_info", severity="low"), "requires_fact_check": True})
    )
    trace = loads(dumps(Trace(question=found.case.question, rounds=(found,))))
    assert trace.rounds[0].case.opinion == found.case.opinion and found.case.opinion.by == "good"
    about = metadata(verdict(trace, Preset()), Preset(), domain("school")).model_dump()["companyInterest"]
    assert (about["violationType"], about["severity"]) == ("competitor_info", "low")
    assert "Because of competitor_info." in about["reasoning"]


@pytest.mark.parametrize("reply", [
    "I think it is fine.", "[]", "{}", '{"sentences": []}', said("none"), said("none", "none", "none"), said("none", "rude"),
    said("none", "none", more=1), said("none", "none", fact_check="yes"), said("none", "none")[:-1], f"```json\n{said('none', 'none')}\n```",
    said("none", "none").replace('"sentence": 2', '"sentence": 1'), said("none", "none").replace('"sentence": 2', '"sentence": true'),
    json.dumps({"sentences": rows("none", "off_topic", severity="none"), "requires_fact_check": True}),
    json.dumps({"sentences": rows("none", "off_topic", severity="awful"), "requires_fact_check": True}),
    '{"requires_fact_check": true, ' + said("none", "none")[1:],
])  # fmt: skip
def test_anything_but_the_form_is_an_error_with_its_cause_and_nothing_goes_out(measured, reply):
    found = measured(reply)
    broken = interest(found)
    assert (broken.state, broken.cause, broken.blocks) == ("not_run", "error", True)
    assert "The model's answer on stage 1 cannot be used" in broken.why and found.case.opinion is None
    assert "entailment" in found.signals
    assert verdict(Trace(question=found.case.question, rounds=(found,)), Preset()).primary_reason == "model_failure"


@given(st.lists(st.sampled_from(("none", *VIOLATIONS)), min_size=1, max_size=4), st.booleans())
def test_a_model_that_keeps_to_the_pattern_is_always_understood(violations, fact_check):
    told = json.loads(said(*violations, fact_check=fact_check))
    for row in told["sentences"]:
        row["reasoning"] = "" if row["violation"] == "none" else "It speaks of films, and so on."
    text = json.dumps(told)
    assert re.fullmatch(pattern_of(len(violations)), text)
    assert read_opinion(text, len(violations), by="m").violations == tuple(violations)
    assert not re.fullmatch(pattern_of(len(violations)), text + " ")
    assert not re.search(r"\{\d", pattern_of(len(violations)))  # what counts takes the grammar's maker many seconds


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda x: (
            st.lists(x, max_size=3)
            | st.dictionaries(st.sampled_from(["sentences", "requires_fact_check", "sentence", "violation"]), x)
        ),
        max_leaves=8,
    )
)
def test_no_json_at_all_is_read_as_an_opinion_by_mistake(value):
    with pytest.raises(ModelError, match="cannot be used"):
        read_opinion(json.dumps(value), 2, by="m")


def test_where_nothing_was_said_nobody_is_asked(models, make_case):
    def never(*_):
        raise AssertionError("a language model was asked about no answer")

    found = measure("first", with_opinions(make_case(None), domain("school"), never, never), models)
    assert found.absent["interest"].cause == "not applicable"
