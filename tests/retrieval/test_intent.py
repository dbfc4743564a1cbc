"""What kind of turn a person takes, and whether a question is clear."""

from dataclasses import replace

import pytest

from core.case import Case, Question, Turn
from core.checks.clarity import Clarity
from core.retrieval.intent import clarity, kind_of_turn, last_answer, meanings, tool_texts
from core.settings.domains import domain
from tests.support.cases import evidence

RIVERS = [
    ("user", "What kind of rivers come from the Himalayas?"),
    ("assistant", "The large Himalayan rivers are perennial, because they receive both rain and melted snow."),
]
SPEED = ["140 / 20 = 7 m/s"]
SCHOOL = domain("school")
LIMIT = Clarity.min_clarity.default


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


def case_of(query, found=(), history=()):
    """found: (text, section) of the passages."""
    made = tuple(evidence(text, 0.5, n) for n, (text, _) in enumerate(found))
    placed = tuple(
        type(e)(**{**vars(e), "passage": type(e.passage)(**{**vars(e.passage), "section": section})})
        for e, (_, section) in zip(made, found, strict=True)
    )
    turns = tuple(Turn(role=role, text=text) for role, text in history)
    return Case(question=Question(query=query, history=turns), query=query, evidence=placed)


@pytest.mark.parametrize("query", [
    "What is photosynthesis?", "Explain neutralisation", "Why do stars twinkle?", "Name the tributaries of the Ganga",
    "What is it called when a liquid becomes a gas?", "difference between speed and velocity", "define loudness",
    "Which is the longest river of India?", "Which is stronger, acetic acid or hydrochloric acid?", "ohm's law",
    "What does Table 2.1 show?", "pH of lemon juice", "give me an example of an olfactory indicator", "collateral meaning",
    "sum of first 20 odd numbers", "who wrote the national anthem", "best phone under 15000",
    "How do bats find their way?", "What gives bile its colour?",
])  # fmt: skip
def test_a_question_that_names_what_it_asks_about_is_clear(query):
    assert clarity(case_of(query), SCHOOL) >= LIMIT


@pytest.mark.parametrize("query", [
    "explain", "What is it?", "and the second one?", "how so", "tell me more", "why", "what about that?", "types",
    "Can you explain this chapter?", "which one is bigger?", "How is it made?", "the formula please", "is it important",
    "what is the answer", "help me with this topic", "What are they used for?", "the table", "what happens then?",
    "What is its function?", "How do they find their way?",
])  # fmt: skip
def test_a_question_that_only_points_is_not(query):
    assert clarity(case_of(query), SCHOOL) < LIMIT


def test_a_lone_word_is_as_clear_as_its_sections_are_few():
    one = [("A salt is formed. It dissolves", "2.4 Salts"), ("A salt of sodium", "2.4 Salts")]
    two = [*one, ("Common salt is mined in deserts", "7.1 Trade")]
    assert clarity(case_of("salts", one), SCHOOL) == 1
    assert clarity(case_of("salts", two), SCHOOL) == 0.5 < LIMIT
    assert meanings(case_of("salts", two), SCHOOL) == ("Salts", "Trade")
    assert clarity(case_of("What is a salt?", two), SCHOOL) == 1


def test_a_word_of_no_passage_is_clear_and_simply_not_there():
    assert clarity(case_of("bitcoin", [("A salt is formed", "2.4 Salts")]), SCHOOL) == 1


def test_what_points_is_clear_when_it_was_understood():
    case = case_of("How is it measured?")
    known = replace(case, question=replace(case.question, understood="How is it measured (echo)?"))
    assert clarity(known, SCHOOL) == 1 and clarity(case, SCHOOL) == 0.5 < LIMIT


def test_what_points_stays_vague_when_only_the_words_around_it_were_left_out():
    case = case_of("I'm in class 9, and which one is bigger?")
    plain = replace(case, question=replace(case.question, understood="Which one is bigger?"))
    assert clarity(plain, SCHOOL) == 0.5 < LIMIT


def test_a_question_without_a_word_could_mean_what_was_found():
    found = [("A salt is formed", "2.4 Salts"), ("A loan is paid back", "3.2 Loans")]
    assert meanings(case_of("the formula please", found), SCHOOL) == ("Salts", "Loans")
    assert meanings(case_of("the formula please"), SCHOOL) == ()


def test_a_title_that_names_nothing_gives_way_to_its_document():
    found = [("Speed has a unit.", "Example 1"), ("Speed is told.", "Summary"), ("Speed in air.", "The speed of sound")]
    case = case_of("the speed", found)
    chaptered = tuple(replace(e, passage=replace(e.passage, chapter="Sound")) for e in case.evidence)
    assert meanings(replace(case, evidence=chaptered), SCHOOL) == ("Sound", "The speed of sound")


@pytest.mark.parametrize(("section", "document", "said"), [
    ("10.3 REFRACTION OF LIGHT THROUGH A PRISM", "jesc110.pdf", ("Refraction of light through a prism",)),
    ("(a) Myopia", "jesc110.pdf", ("Myopia",)), ("10.6.1 Tyndall Effect", "jesc110.pdf", ("Tyndall Effect",)),
    ("CHAPTER10", "jesc110.pdf", ()), ("EXERCISE 5.4 (Optional)*", "jemh105.pdf", ()), ("1.1 Introduction", "jesc110.pdf", ()), ("", "keph102.pdf", ()),
    ("(constant speed only)", "keph102.pdf", ()), ("So, the speed is given by", "keph102.pdf", ()),
    ("What you have learnt", "speed_and_light.pdf", ("Speed and Light",)), ("", "", ()),
])  # fmt: skip
def test_what_is_offered_is_a_topic_and_never_the_name_of_a_file(section, document, said):
    case = case_of("the speed", [("The speed is told.", section)])
    found = tuple(replace(e, passage=replace(e.passage, document=document, chapter="10")) for e in case.evidence)
    assert meanings(replace(case, evidence=found), SCHOOL) == said
