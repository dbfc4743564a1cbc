"""The exercises of a chapter become questions that can be asked."""

import pytest

from core.case import Passage
from core.chapter.questions import printed_questions


def exercises(*sentences, number=0, kind="exercise"):
    return Passage(
        id=f"book:{number:04d}", sentences=sentences, pages=(3,) * len(sentences), document="book.pdf", kind=kind,
        labels=("41",) * len(sentences),
    )  # fmt: skip


def asked(*sentences):
    """Number and asked text of each question in these sentences, one passage."""
    return [(q.number, q.asked) for q in printed_questions([exercises("Exercises", *sentences)])]


def left_out(*sentences):
    return {q.number: q.left_out for q in printed_questions([exercises("Exercises", *sentences)]) if q.left_out}


def test_a_numbered_list_gives_its_questions_with_the_page_and_the_title():
    first, second = printed_questions(
        [exercises("EXERCISES ?", "1. What is a fen?", "2. Why is peat wet?", "Explain.")]
    )
    assert (first.number, first.asked, first.page, first.label, first.section) == (
        "1", "What is a fen?", 3, "41", "EXERCISES",
    )  # fmt: skip
    assert second.asked == "Why is peat wet? Explain."


@pytest.mark.parametrize(
    ("before", "printed", "number"),
    [("1) Why?", "2) What is peat?", "2"), ("1. Why?", "2*. What is peat?", "2"), ("2.1 Why?", "2.2 What is peat?", "2.2"),
     ("Q. 1) Why?", "Q. 2) What is peat?", "2"), ("1. Why?", "4. What is peat?", "4")],
)  # fmt: skip
def test_numbers_are_printed_in_several_ways_and_some_may_be_missing(before, printed, number):
    assert asked(before, printed)[1] == (number, "What is peat?")


def test_a_number_that_does_not_follow_is_part_of_the_question():
    assert asked("1. A bus has", "52. seats.", "2. Why?") == [("1", "A bus has 52. seats."), ("2", "Why?")]


def test_a_number_at_the_end_of_the_line_before_begins_the_next_exercise():
    assert asked("1. Describe zinc and acid 2.", "What is rust?") == [
        ("1", "Describe zinc and acid"),
        ("2", "What is rust?"),
    ]


@pytest.mark.parametrize(
    ("sentences", "questions"),
    [
        (("1. Answer the following questions.", "(i) What is peat?", "(ii) What is a fen?"),
         ["What is peat?", "What is a fen?"]),
        (("1. Distinguish between the following:", "(a) fen and bog", "(b) peat and coal"),
         ["Distinguish between fen and bog", "Distinguish between peat and coal"]),
        (("1. Explain the following terms with one example each.", "(a) fen", "(b) bog"),
         ["Explain fen with one example each.", "Explain bog with one example each."]),
        (("1. Differentiate between:", "(a) fen and bog;", "(b) peat and coal."),
         ["Differentiate between fen and bog", "Differentiate between peat and coal."]),
        (("1. Give reasons.", "(i) Peat is wet.", "(ii) Fens are flat."),
         ["Give reasons: Peat is wet.", "Give reasons: Fens are flat."]),
        (("1. A bag holds a red ball.", "What is the chance of", "(i) red?", "(ii) blue?"),
         ["A bag holds a red ball. What is the chance of red?", "A bag holds a red ball. What is the chance of blue?"]),
        (("1. What lens is needed for (i) far, and (ii) near sight?",),
         ["What lens is needed for (i) far, and (ii) near sight?"]),
        (("1. Answer these questions in 30 words: What is peat?", "What is a fen?"), ["What is peat?", "What is a fen?"]),
    ],
)  # fmt: skip
def test_lettered_parts_are_questions_with_what_they_need_of_the_text_before(sentences, questions):
    assert [text for _, text in asked(*sentences)] == questions


def test_the_number_of_a_part_names_its_letter():
    assert [n for n, _ in asked("1. Answer these questions.", "(i) What is peat?", "(ii) What is a fen?")] == [
        "1 (i)", "1 (ii)",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("sentences", "question"),
    [
        (("1. Peat forms in", "(a) lakes.", "(b) fens.", "(c) seas."), "Peat forms in what?"),
        (("1. Where does peat form?", "(a) in lakes (b) in fens"), "Where does peat form?"),
        (("1. Which of these burns?", "(a) peat", "(b) clay"), "Which of these burns: peat or clay?"),
        (("1. Choose the correct answer.", "Peat is called", "(a) wet", "(b) dry"), "Peat is called what?"),
        (("1. Leading growers of jute", "(a) India", "(b) Peru"), "Leading growers of jute?"),
    ],
)
def test_what_is_to_be_chosen_is_asked_without_the_wrong_answers(sentences, question):
    assert asked(*sentences) == [("1", question)]


def test_choices_below_one_order_are_questions_of_their_own():
    sentences = (
        "2. Tick the correct answer.",
        "(i) Peat is",
        "(a) wet",
        "(b) dry",
        "(ii) A fen is",
        "(a) flat",
        "(b) high",
    )
    assert asked("1. What is peat?", *sentences)[1:] == [("2 (i)", "Peat is what?"), ("2 (ii)", "A fen is what?")]


def test_one_blank_is_asked_for_and_several_are_left_out():
    found = asked("1. Fill in the blanks.", "(a) Wet land is called _____ .", "(b) It is ___ and ___.")
    assert found == [("1 (a)", "Wet land is called what?"), ("1 (b)", "")]
    assert left_out("1. The sum of all of them is .") == {"1": "blanks to fill in"}


@pytest.mark.parametrize(
    ("sentences", "reason"),
    [
        (("1. Mark true or false.", "(a) Peat is dry.", "(b) Fens are flat."), "true or false"),
        (("1. Match the items of column A with those of column B.",), "a table to fill in"),
        (("1. Collect leaves of five trees.",), "something to do"),
        (("1. Activity", "(i) Find out who digs peat.", "(ii) Ask them."), "something to do"),
    ],
)
def test_what_no_book_answers_is_left_out_with_the_reason(sentences, reason):
    assert set(left_out(*sentences).values()) == {reason}


@pytest.mark.parametrize(
    "sentence",
    [
        "1. A bog grows 2 mm a year. How high is it after 50 years?", "1. Find the sum of the first 7 depths.",
        "1. Balance the equation C + O2 → CO.", "1. Write the balanced equation of burning peat.",
    ],
)  # fmt: skip
def test_what_is_to_be_worked_out_is_left_out(sentence):
    assert left_out(sentence) == {"1": "to be worked out"}


@pytest.mark.parametrize(
    "sentence",
    [
        "1. Peat was cut until 1950. Why did that end?",
        "1. Look at Fig. 2.1. What burns?",
        "1. Why does peat not burn below 200 degrees?",
        "1. What is peat? Answer in 30 words.",
        "1. What is a balanced chemical equation?",
    ],
)
def test_a_number_that_is_no_data_makes_nothing_to_work_out(sentence):
    assert left_out(sentence) == {}


def test_numbers_to_choose_from_are_no_data():
    assert asked("1. A fen is as deep as", "(a) 2 m", "(b) 20 m") == [("1", "A fen is as deep as what?")]


def test_under_a_title_of_activities_everything_is_something_to_do():
    found = printed_questions(
        [exercises("Exercises", "1. What is peat?", "Activities and Projects", "1. Find out more.")]
    )
    assert [q.left_out for q in found] == ["", "something to do"]


def test_a_sketch_that_is_to_be_explained_is_asked():
    assert asked("1. Sketch a fen and explain how it fills.", "2. Draw a fen.")[1] == ("2", "")


def test_titles_captions_hints_and_what_follows_are_no_questions():
    found = asked("1. What is peat?", "[Hint: look at Fig. 2]", "Fig. 2.4", "Suggested Readings", "1. A. Writer, Peat.")
    assert found == [("1", "What is peat?")]


def test_a_text_for_teachers_asks_nothing():
    assert printed_questions([exercises("Notes for the Teacher", "1. Ask the class what peat is.")]) == []


def test_a_list_goes_on_behind_a_text_in_between():
    passages = [
        exercises("EXERCISES", "1. What is peat?"), exercises("Peat is wet.", number=1, kind="text"),
        exercises("2. What is a fen?", number=2),
    ]  # fmt: skip
    assert [q.asked for q in printed_questions(passages)] == ["What is peat?", "What is a fen?"]


def test_a_list_goes_on_behind_an_activity():
    found = asked("1. What is peat?", "Group Activity", "Take a spade.", "2. What is a fen?")
    assert found == [("1", "What is peat?"), ("2", "What is a fen?")]


def test_a_number_behind_a_question_is_its_mark_and_behind_a_clue_the_letters_of_a_word():
    assert left_out("1. What is peat? (2)", "2. Wet land, also burnt (4)") == {"2": "a crossword"}


def test_questions_without_numbers_stand_by_themselves():
    assert asked("What is peat?", "Why is it wet?", "It is.") == [("", "What is peat?"), ("", "Why is it wet?")]


def test_a_chapter_without_exercises_has_no_questions():
    assert printed_questions([exercises("1. What is peat?", kind="text")]) == []
