"""The runs of an answer are what answers a question together."""

from core.case import Passage
from core.features.answer_runs import answer_runs

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
