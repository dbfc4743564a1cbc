"""Seed C's three layers, branch by branch and pattern by pattern, with the real models; each difference is named.

The seed prints branches and patterns, no questions: the answers here are made for them, about one passage.
"""

import pytest

from core.case import Case, Question, Trace
from core.chain import verdict
from core.graph.signals import measure
from core.presets import preset, with_settings
from core.reports.seed_outputs import ABSTENTION, abstention
from core.text.answer_sentences import given_draft
from tests.support.cases import BOOK, evidence
from tests.support.seed_c import PROCEED, SUPPORTED, TABLE

ONCE = with_settings(preset("seed_c"), ["confidence.refine_rounds=0"])


def judged(models, row):
    found = tuple(evidence(BOOK, score, n) for n, score in enumerate(row.scores))
    question = Question(query="What is an arithmetic progression?", answer=row.answer)
    case = Case(question=question, query=question.query, evidence=found, draft=given_draft(question))
    return verdict(Trace(question=question, rounds=(measure("first", case, models),)), ONCE)


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE)
def test_a_branch_of_the_seed_has_its_outcome(bundled_models, row):
    found = judged(bundled_models, row)
    result = abstention(found)
    assert result.should_abstain is (result.reason is not None)
    partly = found.route == "deliver_part" and result.should_abstain
    assert ("the filler is left out" if partly else result.reason or PROCEED) == row.outcome, result.details
    assert (found.checks["hedging"].state == "failed") is row.hedges
    if row.label:
        assert {s.label for s in found.sentences} == {row.label}


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE)
def test_the_reader_of_the_seed_says_that_it_abstains_and_keeps_the_answer(bundled_models, row):
    found = judged(bundled_models, row)
    assert found.round.case.draft.text == row.answer
    if row.outcome == PROCEED:
        assert (found.route, found.answer) == ("deliver", row.answer)
    elif row.outcome == "the filler is left out":
        assert found.answer.startswith(SUPPORTED) and "left out" in found.answer
    else:
        assert (found.route, found.answer) == ("refuse", ABSTENTION)
