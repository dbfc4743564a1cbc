"""Counting outcomes, against cases counted by hand."""

from types import SimpleNamespace

import pytest

from core.case import Trace
from core.decide import REFUSAL, verdict
from core.errors import UserError
from core.evaluation.cases import evaluate_rows
from core.evaluation.counts import Rate
from core.graph.rounds import measure as measured_round
from core.lab.figures.chapter_outcomes import (
    answer_checks_alone,
    pair_outcomes,
    question_outcomes,
    recall,
)
from core.presets import preset
from tests.support.cases import BOOK, evidence

PRINTED = preset("as_printed")
ROWS = [
    {"expected": "supported", "kind": "name"},
    {"expected": "altered", "kind": "name"},
    {"expected": "supported", "kind": "number"},
    {"expected": "altered", "kind": "number"},
]


def answered(answer, is_answered=True):
    return SimpleNamespace(answered=is_answered, answer=answer)


def test_wilsons_interval_of_eight_in_ten():
    low, high = Rate(count=8, n=10).interval
    assert (low, high) == pytest.approx((0.4902, 0.9433), abs=1e-4)


def test_an_interval_stays_within_0_and_1_even_where_all_or_none_are_counted():
    assert Rate(count=0, n=5).interval == pytest.approx((0.0, 0.4345), abs=1e-4)
    assert Rate(count=5, n=5).interval == pytest.approx((0.5655, 1.0), abs=1e-4)


def test_without_cases_there_is_no_share():
    assert Rate(count=0, n=0).row() == {"count": 0, "n": 0, "share": None, "interval": None}


def test_pairs_are_counted_by_what_was_expected_and_by_kind():
    found = pair_outcomes(ROWS, [True, False, False, True])
    assert found["supported"]["all"]["delivered"]["count"] == 1
    assert found["supported"]["number"]["refused"]["share"] == 1.0
    assert found["altered"]["all"]["delivered"]["share"] == 0.5
    assert found["altered"]["name"]["delivered"]["count"] == 0
    assert found["altered"]["number"]["delivered"]["n"] == 1


def test_recall_weighs_each_content_word_of_the_reference_once():
    weight = {"green": 1.0, "leaf": 3.0, "light": 4.0}
    assert recall("The green leaf, the green light", "a leaf in the dark", weight.__getitem__) == 3.0 / 8.0
    assert recall("of the", "anything", weight.__getitem__) == 0.0


def test_questions_are_answered_agree_or_are_refused():
    rows = [
        {"reference": "green leaves", "absent": False},
        {"reference": "green leaves", "absent": False},
        {"reference": "green leaves", "absent": False},
        {"reference": "the text does not say", "absent": True},
    ]
    verdicts = [
        answered("Green leaves."), answered("Red roots."), answered(REFUSAL, False), answered(REFUSAL, False),
    ]  # fmt: skip
    found = question_outcomes(rows, verdicts, lambda _: 1.0)
    assert found["answered"]["count"] == 2 and found["answered"]["n"] == 4
    assert found["agrees"] == Rate(count=1, n=2).row()
    assert found["refused_where_absent"] == Rate(count=1, n=1).row()


def test_query_checks_only_watch_when_the_answer_is_judged_alone(make_case, models):
    found = tuple(evidence(BOOK, 0.1, n, cosine=0.6) for n in range(2))
    case = make_case(answer="An arithmetic progression is a list of numbers.", evidence=found)
    trace = Trace(question=case.question, rounds=(measured_round("first", case, models),))
    assert not verdict(trace, PRINTED).answered
    assert verdict(trace, answer_checks_alone(PRINTED)).answered


@pytest.mark.parametrize("error", [UserError("The question is empty."), UnicodeError("half a character")])
def test_a_row_that_cannot_be_asked_is_counted_with_its_error(error):
    ((found, case),) = evaluate_rows([{"query": "?"}], None, [PRINTED], lambda *_: iter([error]))
    assert case is None and found.error == str(error)


def test_a_defect_of_the_program_is_no_outcome_of_a_row():
    with pytest.raises(ValueError, match="a defect"):
        list(evaluate_rows([{"query": "?"}], None, [PRINTED], lambda *_: iter([ValueError("a defect")])))
