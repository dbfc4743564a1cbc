"""What became of a row: every outcome on a case of its own, and the counts against a count by hand."""

from types import SimpleNamespace

import pytest

from core.evaluation.counts import counts
from core.evaluation.outcomes import ANSWERS, QUESTIONS, outcome, question_outcome, unreadable

FACTS = {"expected": "answered", "facts": ["green", "two litres | 2 l"]}
LONG = "It is green and takes two litres. " + "It goes on. " * 4
WORDY = "It is green and takes two litres, " + "and on " * 40


@pytest.mark.parametrize(("row", "route", "answer", "name"), [
    (FACTS, "deliver", "It is green and takes 2 litres.", "right_answer"),
    (FACTS, "deliver_corrected", "It is green and takes 2 litres.", "right_answer"),
    (FACTS, "deliver", "It is green.", "half_answer"), (FACTS, "deliver", "It is red.", "wrong_answer"),
    (FACTS, "deliver", LONG, "long_answer"), (FACTS, "deliver", WORDY, "long_answer"),
    (FACTS | {"false_facts": ["three"]}, "deliver", "Green, two litres, three bags.", "wrong_answer"),
    (FACTS, "refuse", "I don't know.", "over_refusal"), (FACTS, "clarify", "Which one?", "clarified"),
    (FACTS, "escalate", "A teacher will see it.", "escalated"),
    ({"expected": "answered", "facts": []}, "deliver", "You are welcome.", "right_answer"),
    ({"expected": "part", "facts": ["green"]}, "deliver_part", "It is green.", "right_answer"),
    ({"expected": "part", "facts": ["green"]}, "deliver", "It is green.", "half_answer"),
    ({"expected": "part", "facts": ["green"]}, "refuse", "No.", "over_refusal"),
    ({"expected": "refused"}, "deliver", "It is green.", "wrong_answer"),
    ({"expected": "refused"}, "refuse", "I don't know.", "right_refusal"),
    ({"expected": "clarified"}, "clarify", "Which one?", "clarified"),
    ({"expected": "clarified"}, "refuse", "No.", "right_refusal"),
    ({"expected": "clarified"}, "deliver", "It is green.", "wrong_answer"),
])  # fmt: skip
def test_a_question_becomes_one_of_the_named_outcomes(row, route, answer, name):
    assert question_outcome(row, route, answer) == name
    assert name in QUESTIONS


def verdict(route, answer="It is green.", reason=None):
    return SimpleNamespace(route=route, answer=answer, primary_reason=reason, confidence=50.0)


@pytest.mark.parametrize(("route", "name"), [
    ("deliver", "delivered"), ("deliver_part", "part"), ("deliver_corrected", "corrected"), ("refuse", "refused"),
    ("clarify", "clarified"), ("escalate", "escalated"),
])  # fmt: skip
def test_a_judged_answer_is_counted_by_its_route(route, name):
    row = {"query": "Q?", "answer": "It is green.", "expected": "supported", "kind": "pair"}
    assert outcome(row, verdict(route)).name == name
    assert name in ANSWERS


@pytest.mark.parametrize(("row", "route", "answer", "false"), [
    ({"expected": "altered", "facts": ["red"]}, "deliver", "It is red.", True),
    ({"expected": "altered", "facts": ["red"]}, "deliver_part", "It is red.", True),
    ({"expected": "altered", "facts": ["red"]}, "deliver_corrected", "It is green.", False),
    ({"expected": "altered", "facts": ["red"]}, "refuse", "It is red, I was told.", False),
    ({"expected": "altered"}, "deliver", "It is red.", True),
    ({"expected": "altered"}, "deliver_part", "It is.", False),
    ({"expected": "supported", "facts": ["red"]}, "deliver", "It is red.", False),
])  # fmt: skip
def test_a_falsehood_is_what_goes_out_with_the_false_fact(row, route, answer, false):
    assert outcome({"query": "Q?", "answer": "A.", **row}, verdict(route, answer)).falsehood == false


def test_counts_are_those_of_a_count_by_hand():
    pair = {"query": "Q?", "answer": "A.", "kind": "pair"}
    rows = [
        (FACTS | {"query": "Q?", "kind": "answerable"}, verdict("deliver", "Green, two litres.")),
        (FACTS | {"query": "Q?", "kind": "answerable"}, verdict("refuse")),
        ({"query": "Q?", "kind": "absent", "expected": "refused"}, verdict("refuse")),
        (pair | {"expected": "supported", "alteration": "name"}, verdict("deliver")),
        (pair | {"expected": "altered", "alteration": "name", "facts": ["red"]}, verdict("deliver", "It is red.")),
        (pair | {"expected": "altered", "alteration": "unit", "facts": ["red"]}, verdict("refuse")),
        ({"query": "Q?"}, verdict("deliver")),
    ]  # fmt: skip
    found = counts([outcome(row, v) for row, v in rows])
    asked, judged = found["questions"], found["answers"]
    assert asked["all"]["n"] == 4 and asked["all"]["right_answer"]["count"] == 2
    assert asked["kinds"]["answerable"]["answered"]["all"]["over_refusal"]["count"] == 1
    assert asked["expected"]["refused"]["right_refusal"] | {"interval": None} == {
        "count": 1, "n": 1, "share": 1.0, "interval": None,
    }  # fmt: skip
    assert asked["kinds"]["not labelled"]["not labelled"]["all"]["n"] == 1
    altered = judged["kinds"]["pair"]["altered"]
    assert altered["all"]["delivered"]["share"] == 0.5 and altered["all"]["falsehood"]["count"] == 1
    assert altered["name"]["delivered"]["n"] == altered["unit"]["refused"]["count"] == 1
    assert judged["expected"]["supported"]["delivered"]["count"] == 1


def test_every_row_becomes_exactly_one_thing():
    rows = [outcome({"query": "Q?", "answer": "A."}, verdict(route)) for route in ("deliver", "refuse", "clarify")]
    found = counts([*rows, unreadable({"query": "Q?"}, ValueError("too long"))])
    for group, names in (("questions", QUESTIONS), ("answers", ANSWERS)):
        assert sum(found[group]["all"][name]["count"] for name in names) == found[group]["all"]["n"]
    assert found["questions"]["all"]["unreadable"]["count"] == 1
