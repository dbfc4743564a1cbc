"""The rows of the command line, and traces that open again without a model and decide the same."""

import json
from dataclasses import replace

import numpy as np
import pytest

from core.case import CaseError, Scope
from core.decide import verdict
from core.presets import presets
from core.reply.reply import reply_of
from core.reply.serialization import StoreError, dumps, loads, question_of
from core.thresholds import Preset
from tests.support.traces import deep, trace_of

ROW = {"id": "a", "query": "What is sound?"}


def test_a_full_row_is_read():
    q = question_of({
        **ROW, "class_number": 8, "subject": "Science", "documents": ["hesc110.pdf"], "pages": [3, [5, 7], "9-11"],
        "history": [{"role": "user", "text": "hello"}], "tool_results": ["42"], "answer": "Sound.",
        "citations": [[1]], "attribute": True, "expected": "supported",
    })  # fmt: skip
    assert q.scope.pages == ((3, 3), (5, 7), (9, 11)) and q.scope.named
    assert (q.history[0].text, q.tool_results, q.citations, q.attribute) == ("hello", ("42",), ((1,),), True)


@pytest.mark.parametrize(("scope", "named"), [
    ({"class_number": 10}, False), ({"documents": ["a.pdf"]}, True), ({"pages": ["1-2"]}, True),
])  # fmt: skip
def test_a_scope_says_whether_documents_or_pages_were_named(scope, named):
    assert question_of({**ROW, **scope}).scope.named is named


@pytest.mark.parametrize(("change", "said"), [
    ({"query": ""}, "query"), ({"query": 7}, "query"), ({"class_number": "8"}, "class_number"), ({"class_number": True}, "class_number"),
    ({"documents": "a.pdf"}, "documents"), ({"documents": [1]}, "documents"), ({"pages": ["x"]}, "pages"), ({"pages": [[7, 5]]}, "pages"),
    ({"pages": [0]}, "pages"), ({"history": [{"role": "user"}]}, "history"), ({"citations": [1]}, "citations"), ({"answer": ["x"]}, "answer"),
    ({"attribute": "yes"}, "attribute"), ({"pages": ["²"]}, "pages"), ({"pages": ["3-x"]}, "pages"), ({"pages": ["-3"]}, "pages"),
])  # fmt: skip
def test_a_field_that_cannot_be_read_is_named(change, said):
    with pytest.raises(CaseError, match=said):
        question_of({**ROW, **change})


@pytest.mark.parametrize("row", [None, [], "text", 3])
def test_a_row_that_is_no_object_is_refused(row):
    with pytest.raises(CaseError, match="JSON object"):
        question_of(row)


def test_the_written_row_has_the_fields_of_the_contract(make_case, models):
    trace = trace_of(models, make_case("An arithmetic progression is a list of numbers."))
    row = json.loads(json.dumps(reply_of(trace, verdict(trace, Preset()), Preset()).row(), allow_nan=False))
    assert {
        "route", "steps", "answered", "delivered", "answer", "judged", "confidence", "band", "tier", "primary_reason",
        "failed", "checks", "sentences", "passages", "seconds",
    } <= set(row)  # fmt: skip
    assert (row["kind"], row["parts"], row["rounds"][0]["query"]) == ("question", [], trace.question.query)
    assert set(row["question"]) == {"kind", "things", "count", "needs"}
    assert (row["writer"], row["takeovers"]) == ("given", [])
    assert [c["done"] for c in row["changes"]] == ["kept"] and row["delivered_checks"]["citations"]["state"] == "passed"
    assert set(row["checks"]["citations"]) == {"state", "cause", "mode", "value", "limit", "margin"}
    assert set(row["sentences"][0]) == {"text", "citations", "attributed", "nli", "supported", "source", "abstains"}
    assert set(row["sentences"][0]["nli"]) == {"label", "entailment", "neutral", "contradiction"}
    assert set(row["passages"][0]) == {
        "document",
        "page",
        "page_label",
        "cosine",
        "related",
        "hybrid",
        "answers",
        "text",
    }
    assert row["sentences"][0]["attributed"] and row["sentences"][0]["citations"] == [1]


def test_the_judged_text_is_the_given_one_to_the_letter(make_case, models):
    given = "- An arithmetic progression is a list of numbers [1];\n- a fixed number is added."
    trace = trace_of(models, make_case(given))
    assert reply_of(trace, verdict(trace, Preset()), Preset()).judged == given


def test_what_did_not_run_is_null_and_never_zero(make_case, models):
    trace = trace_of(models, make_case(scores=(0.9,)))
    gap = reply_of(trace, verdict(trace, Preset()), Preset()).row()["checks"]["score_gap"]
    assert gap == {
        "state": "not_run",
        "cause": "not applicable",
        "mode": "blocks",
        "value": None,
        "limit": None,
        "margin": None,
    }


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
