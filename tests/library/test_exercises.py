"""What asks is no evidence."""

from core.library.exercises import exercises
from core.library.line_types import placed
from core.library.parts import parts
from tests.library.laid import line, page

BOX = (70.0, 60.0, 500.0, 200.0)


def asking(*pages):
    """The texts of the parts that belong to exercises."""
    found = parts(placed(pages))
    return [part.first for part, asks in zip(found, exercises(found), strict=True) if asks]


def test_exercises_begin_with_their_heading_and_end_with_the_next():
    titles = [line(text, place, bold=True, size=14.0) for text, place in (("EXERCISE 5.1", 2), ("5.3 nth Term", 6))]
    lines = ("Light is fast.", titles[0], line("1. Which lists grow?", 4), titles[1], line("The term grows.", 8))
    assert asking(page(*lines)) == ["EXERCISE 5.1", "1. Which lists grow?"]


def test_a_smaller_heading_does_not_end_them():
    lines = (line("Exercises", bold=True, size=14.0), line("Multiple choice", 2, bold=True), line("1. Which one?", 4))
    assert asking(page(*lines)) == ["Exercises", "Multiple choice", "1. Which one?"]


def test_a_box_of_questions_is_an_exercise_and_what_follows_is_not():
    inside = (line("QUESTIONS", size=16.0, box=0), line("1. Why is it blue?", 2, box=0), line("2. Why red?", 3, box=0))
    assert asking(page(*inside, line("The sky scatters light.", 14), boxes=(BOX,)))[-1] == "2. Why red?"


def test_numbered_questions_without_a_heading_are_an_exercise():
    questions = [f"{n}. Why does number {n} rust?" for n in range(1, 6)]
    assert asking(page("Iron rusts in damp air.", *questions)) == questions


def test_a_question_in_the_text_and_numbered_statements_are_none():
    assert asking(page("How is sound made? A body vibrates.", *(f"{n}. A step to take." for n in range(1, 6)))) == []
    heading = line("The question of energy in a large and very old country", bold=True, size=14.0)
    assert asking(page(heading, line("It is open.", 2))) == []
