"""The runs of an answer are what answers a question together."""

from dataclasses import replace

import pytest

from core.case import Passage, Question
from core.features.answer_runs import answer_probabilities, answer_runs
from core.models.stretches import AnswerWeights
from core.text.answer_sentences import read_answer
from tests.support.cases import evidence

FIRST = "Sulphide ores are heated strongly in plenty of air."
SECOND = "This process is known as roasting."
THIRD = "Copper is won from its oxide by heat alone."
BOOK = (Passage(id="b:0000", sentences=(FIRST, SECOND, THIRD), pages=(1, 1, 1)),)


def places(texts):
    return [run.indices for run in answer_runs(texts, BOOK)]


def test_a_sentence_that_points_back_is_read_with_the_one_before_it():
    assert places([FIRST, SECOND]) == [(0,), (0, 1)]


def test_quotations_in_the_order_of_the_book_are_one_run_and_the_whole_is_one():
    assert places([THIRD, FIRST, "A sentence of nobody's.", THIRD]) == [
        (0,), (1,), (2,), (3,), (0, 1, 2, 3)
    ]  # fmt: skip
    assert (0, 1) in places([FIRST, THIRD])


def test_a_quotation_knows_where_it_stands_and_other_words_do_not():
    (run,) = answer_runs([FIRST], BOOK)
    assert [stretch.indices for stretch in run.stretches] == [((0, 0),)]
    (run,) = answer_runs(["Ores with sulphur are made hot in air."], BOOK)
    assert run.stretches == ()


def test_a_part_of_a_sentence_stands_where_the_sentence_does():
    (run,) = answer_runs(["in plenty of air"], BOOK)
    assert [stretch.text for stretch in run.stretches] == [FIRST]


def test_an_answer_without_sentences_has_no_runs():
    assert answer_runs([], BOOK) == []


OTTERS = "Otters live near rivers. Their fur is thick. They eat fish, crabs and frogs. Their cubs do not swim"


@pytest.mark.parametrize(("query", "answer", "answers"), [
    ("Tell me about otters.", "Otters live near rivers. Their fur is thick.", True),
    ("Describe the river bank.", "Otters live near rivers. Their fur is thick.", False),
    ("How old are otters?", "Otters live near rivers. Their fur is thick.", False),
    ("Why do their cubs swim?", "Their cubs do not swim.", True),
    ("Why do wolves swim?", "Their cubs do not swim.", False),
])  # fmt: skip
def test_an_account_is_about_its_topic_and_a_denial_answers_a_false_premise(make_case, models, query, answer, answers):
    blind = _reads(models, 0.1)
    case = _case(make_case, query, answer)
    assert (max(answer_probabilities(case, blind)) > 0.5) is answers


def test_some_items_of_a_list_are_no_answer(make_case, models):
    sure, query = _reads(models, 0.9), "Which three animals do otters eat?"
    assert max(answer_probabilities(_case(make_case, query, "They eat crabs and frogs."), sure)) == 0
    assert max(answer_probabilities(_case(make_case, query, "They eat frogs, fish and crabs."), sure)) > 0.5


def _case(make_case, query, answer):
    draft = read_answer(answer, writer="given", given=True)
    return make_case(
        question=Question(query=query, answer=answer), query=query, draft=draft, evidence=(evidence(OTTERS, 0.9),)
    )


def _reads(models, probability):
    """The models with a reader to which every text answers with this probability."""
    reader = models.reader
    reader.read = lambda question, texts: [replace(reader._one(question, t), probability=probability) for t in texts]
    zero = AnswerWeights(**dict.fromkeys(vars(AnswerWeights()), 0.0) | {"alone": 1.0})
    reader.weights = zero
    return models
