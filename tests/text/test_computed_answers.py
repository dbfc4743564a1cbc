"""Numbers that an answer computes from those of its question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.computed_answers import brings_numbers, computed_in, result_of, with_computed_numbers
from core.text.verifiable_facts import Unheld

ECHO = "If an echo is heard after 3 s, the wall stands 510 metres away.\nSound travels 340 metres in a second."
WALL = "An echo is heard after 2 s. How far away is the wall?"


@pytest.mark.parametrize(("question", "result"), [
    ("What is the 11th term of the list 2, 5, 8?", 32), ("Find the sum of the first 10 terms of 2, 7, 12, ...", 245),
    ("What is the 5th term of 3, 6, 12?", 48), ("Find the sum of the first 4 terms of 3, 6, 12.", 45),
    ("Find the sum of 22 terms of 8, 3, -2, ...", -979), ("What is 15% of 240?", 36), ("Find 12.5 percent of 80.", 10),
    ("What is the mean of 4, 8 and 9?", 7), ("What is the average of 10 and 15?", 12.5),
    ("The first term of an AP is 5 and its common difference is 3. What is the 10th term?", 32),
    ("The first term of a GP is 2 and its common ratio is 3. What is the 4th term?", 54),
    (WALL, None), ("Which of the colours 1, 2, 3 is red?", None), ("What is the next number of 2, 3, 7?", None),
    ("Who won the 3rd term?", None), ("What is a mean?", None), ("", None),
])  # fmt: skip
def test_the_result_that_the_question_alone_gives(question, result):
    assert result_of(question) == (result if result is None else pytest.approx(result))


@given(st.integers(-50, 50), st.integers(1, 20), st.integers(1, 60))
def test_a_term_and_a_sum_of_any_progression(first, step, place):
    terms = [first + n * step for n in range(place)]
    listed = ", ".join(str(first + n * step) for n in range(3))
    assert result_of(f"What is the {place}th term of the list {listed}?") == terms[-1]
    assert result_of(f"Find the sum of the first {place} terms of {listed}.") == pytest.approx(sum(terms))


@pytest.mark.parametrize(("question", "brings"), [
    (WALL, True), ("An echo is heard after 3 s. How far away is the wall?", False),
    ("Who built the wall in 1947?", False), ("How many walls are named in chapter 7?", False),
    ("How far does sound travel in 5 s?", True), ("How far away is the wall?", False),
    ("What is 15% of 240?", True), ("What is the 11th term of the list 2, 5, 8?", True),
])  # fmt: skip
def test_a_question_brings_numbers_that_the_passages_do_not_state(question, brings):
    assert brings_numbers(question, ECHO) is brings


def test_a_number_of_the_question_is_not_computed():
    assert computed_in("After 2 s the sound comes back from 340 metres.", WALL) == {"340": 340.0}
    assert computed_in("It comes back after 2 s.", WALL) == {}


@pytest.mark.parametrize(("question", "sentence", "missing", "computed", "unchecked"), [
    (WALL, "The wall is 340 metres away.", (), (), ("340",)),
    (WALL, "The wall is far away.", (), (), ()),
    ("What is the 11th term of the list 2, 5, 8?", "The 11th term is 32.", (), ("32",), ()),
    ("What is the 11th term of the list 2, 5, 8?", "The 11th term is 35.", ("35",), (), ()),
    ("What is 15% of 240?", "It is 36.", (), ("36",), ()), ("What is 15% of 240?", "It is 38.", ("38",), (), ()),
])  # fmt: skip
def test_arithmetic_settles_what_is_computed(question, sentence, missing, computed, unchecked):
    found = with_computed_numbers(
        Unheld(missing=tuple(computed_in(sentence, question)), computed=()), sentence, question, ECHO
    )
    assert found == Unheld(missing=missing, computed=computed, unchecked=unchecked)


def test_what_else_is_missing_stays_missing():
    found = with_computed_numbers(Unheld(missing=("340", "Orm"), computed=()), "Orm is 340 metres away.", WALL, ECHO)
    assert found == Unheld(missing=("Orm",), computed=(), unchecked=("340",))
