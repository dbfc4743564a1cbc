"""The kind of a turn, by its words, the history and the tool results."""

import pytest

from core.case import Question, Turn
from core.query.turn import kind_of_turn, last_answer, tool_texts

RIVERS = [
    ("user", "What kind of rivers come from the Himalayas?"),
    ("assistant", "The large Himalayan rivers are perennial, because they receive both rain and melted snow."),
]
SPEED = ["140 / 20 = 7 m/s"]


def asked(query, history=(), tools=()):
    turns = tuple(Turn(role=role, text=text) for role, text in history)
    return Question(query=query, history=turns, tool_results=tuple(tools))


@pytest.mark.parametrize("query", [
    "Hello!", "hi there", "Good evening, how are you?", "thanks a lot, bye", "ok great, thank you", "ok thanks, now I get it!",
    "Namaste sir, I am Meera from class 9", "Good morning, are you ready for some maths?", "Thank you so much, see you tomorrow",
    "Are you there?", "Thanks, I have no doubts", "hello, how are you? my name is Nisha", "thank you, I understand it now",
])  # fmt: skip
def test_a_greeting_or_thanks_that_asks_for_nothing_is_small_talk(query):
    assert kind_of_turn(asked(query)) == kind_of_turn(asked(query, RIVERS)) == "small_talk"


@pytest.mark.parametrize("query", [
    "Hello, what is an acid?", "hi can you explain osmosis to me", "Thanks! And what is a base?", "Good morning. Is an acid sour?",
    "Hello, acids are sweet, right?", "Hi, is it true that you can taste a base?", "What is a high tide?", "Hi-fi sound means what",
    "Welcome drinks contain which acid", "thanks, but why are they perennial", "photosynthesis", "Why do rivers flood?",
    "Hello, my teacher says sound needs no medium, is that so?", "Are you aware which gas plants take in?",
    "are you able to tell me what osmosis is", "Are you sure plants need light?", "Hi, I want to learn photosynthesis",
    "Hi, my doubt is on Newton's third law", "Good morning, I am confused about osmosis.",
    "Hello, are you ready to tell me what osmosis is?", "Hi, I want to understand tides",
])  # fmt: skip
def test_a_greeting_before_a_question_leaves_it_a_question(query):
    assert kind_of_turn(asked(query)) == kind_of_turn(asked(query, RIVERS)) == "question"


@pytest.mark.parametrize("query", [
    "what do you mean by perennial?", "You said melted snow. From where?", "What did you mean by that?",
    "can you say your last answer in simpler words",
])  # fmt: skip
def test_what_the_assistant_said_can_only_be_asked_about_when_it_said_something(query):
    assert kind_of_turn(asked(query, RIVERS)) == "about_last_turn"
    assert kind_of_turn(asked(query)) == "question"


def test_words_that_the_assistant_did_not_say_make_a_question():
    assert kind_of_turn(asked("What do you mean by a chemical reaction?", RIVERS)) == "question"


def test_what_a_tool_gave_is_asked_for_by_name_or_by_what_it_holds():
    assert kind_of_turn(asked("What did the calculator give?", tools=SPEED)) == "tool_result"
    assert kind_of_turn(asked("show me available hotels", tools=["hotels: Hotel ABC, Hotel XYZ"])) == "tool_result"
    assert kind_of_turn(asked("So how fast over the 140 m?", tools=SPEED)) == "tool_result"
    assert kind_of_turn(asked("What is an acid?", tools=SPEED)) == "question"
    assert kind_of_turn(asked("What did the calculator give?")) == "question"


def test_a_tool_in_the_history_counts_until_the_assistant_has_answered():
    told = [("user", "work out 3 x 4"), ("tool", "3 x 4 = 12")]
    assert tool_texts(asked("What was the result?", told)) == ("3 x 4 = 12",)
    assert kind_of_turn(asked("What was the result?", told)) == "tool_result"
    answered = [*told, ("assistant", "It is 12.")]
    assert tool_texts(asked("What was the result?", answered)) == ()
    assert last_answer(asked("And now?", answered)) == "It is 12."
