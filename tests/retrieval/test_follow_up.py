"""A follow-up is understood with what went before it; what stands by itself is left alone."""

import pytest

from core.case import MAX_QUERY, Question, Turn
from core.retrieval.question_parts import parts_of
from core.retrieval.standalone_question import standalone_question
from core.settings.domains import domain

SCHOOL = domain("school")
SIGHT = ("What is hypermetropia?", "A defect of the eye.")
SOUND = ("How fast does sound travel in water?", "1500 m/s.")
BACK = ("the speed", "Which do you mean? Do you mean 8.3 Average speed, The speed of sound or Uniform motion?")


def after(told, query, tools=()):
    """`query` behind turns of the person and the assistant in turn."""
    turns = tuple(Turn(role=("user", "assistant")[n % 2], text=text) for n, text in enumerate(told))
    return Question(query=query, history=turns, tool_results=tuple(tools))


@pytest.mark.parametrize(("told", "query", "asks"), [
    (SIGHT, "And how is it corrected?", "How is it corrected (hypermetropia)?"),
    (SIGHT, "What is the unit of its power?", "What is the unit of its power (hypermetropia)?"),
    (SIGHT, "what happens when it is corrected", "What happens when it is corrected (hypermetropia)?"),
    (SIGHT, "Why?", "Why (hypermetropia)?"), (SIGHT, "Explain in simple words", "Explain in simple words (hypermetropia)."),
    (SIGHT, "Thanks! And myopia?", "What is myopia?"), (SIGHT, "And the formula?", "The formula (hypermetropia)?"),
    (("What is an acid?", "Sour."), "And bases?", "What are bases?"),
    (SOUND, "And in air?", "How fast does sound travel in air?"),
    (SOUND, "What about light?", "Light (how fast does sound travel in water)?"),
    ((*SIGHT, "And how is it corrected?", "By a lens."), "And who gets it?", "Who gets it (hypermetropia)?"),
    ((*SIGHT, "ok thanks", "Welcome."), "And how is it corrected?", "How is it corrected (hypermetropia)?"),
    (("What is sound? How fast is it?", "Fast."), "Why?", "Why (sound)?"),
    ((*SIGHT, "What are the causes of it?", "Two."), "Tell me about it", "Tell me about it (the causes of it, hypermetropia)."),
    ((*SOUND, "What about light?", "Faster."), "Tell me about it", "Tell me about it (Light)."),
    ((*SIGHT, "Tell me about myopia.", "Another."), "Why does it happen?", "Why does it happen (myopia)?"),
    (("A has pH 3. How many ions does it hold? Check it.", "Many."), "Why?", "Why (how many ions does it hold)?"),
    (BACK, "the second one", "The speed (The speed of sound)?"), (BACK, "average", "The speed (Average speed)?"),
    (BACK, "of light", "The speed (of light)?"),
])  # fmt: skip
def test_a_follow_up_says_what_it_takes_from_before(told, query, asks):
    assert standalone_question(after(told, query), SCHOOL) == asks


@pytest.mark.parametrize("query", [
    "Which lens corrects hypermetropia?", "How do plants make their food?", "Which is the gas that plants take in?",
    "When a ray enters glass, what does it do?", "What is it called when a liquid turns to gas?", "photosynthesis",
    "Is it true that plants sleep?", "Thanks a lot!", "What did you mean by a defect?",
    "Thanks a lot, that helped!", "hello again, it's Riya, back after lunch", "ok, going for lunch now",
    "Thank you, you are a great help",
])  # fmt: skip
def test_what_stands_by_itself_is_left_alone(query):
    assert [standalone_question(after(told, query), SCHOOL) for told in ((), SIGHT, BACK)] == ["", "", ""]


def test_what_was_said_before_a_greeting_only_is_nothing_to_go_by():
    assert standalone_question(after(("hi", "Hello! What would you like to know?"), "How is it made?"), SCHOOL) == ""


def test_each_part_of_a_follow_up_names_what_it_is_about():
    asked = after(SIGHT, "How is it corrected and what causes it?")
    whole = Question(query=asked.query, understood=standalone_question(asked, SCHOOL))
    assert parts_of(whole, "question") == ("How is it corrected (hypermetropia)?", "What causes it (hypermetropia)?")


def test_long_turns_make_no_question_that_is_too_long():
    assert standalone_question(after(("What is " + "a " * 990 + "?", "No."), "And how is it corrected?"), SCHOOL) == ""
    assert (
        standalone_question(after((*SIGHT, "what is x " * MAX_QUERY, "No."), "Why?"), SCHOOL) == "Why (hypermetropia)?"
    )
