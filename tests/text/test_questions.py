"""What kind of question is asked, of what, and what a full answer to it needs."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.questions import KIND_NAMES, account_topic, asks_for_account, plan_of, side_questions

KINDS = [
    ("What is a glacier?", "definition"), ("what's a monsoon", "definition"), ("wat is soil erosion", "definition"),
    ("wht is osmosis", "definition"), ("What's meant by crop rotation?", "definition"), ("Define inertia.", "definition"),
    ("What do you understand by terrace farming?", "definition"), ("zero sum game meaning", "definition"),
    ("How would you define a market?", "definition"), ("What does the word delta mean?", "definition"),
    ("Who is a nomad?", "definition"), ("What are isotopes?", "definition"), ("Can you define a peninsula?", "definition"),
    ("Why does ice float?", "reason"), ("Explain why deserts are cold at night.", "reason"),
    ("Give two reasons for the fall of the empire.", "reason"), ("What causes tides?", "reason"),
    ("What was the cause of the famine?", "reason"), ("How come the moon has phases?", "reason"),
    ("How many chambers does the heart have?", "number"), ("After how many weeks does the seed sprout?", "number"),
    ("What is the boiling point of ether?", "number"), ("At what temperature does lead melt?", "number"),
    ("How old was the queen when she was crowned?", "number"), ("In the table of rivers, how long is the Kosi?", "number"),
    ("How far does a car go in 3 h at 40 km/h?", "number"), ("Calculate the work done by a force of 5 N.", "number"),
    ("Name any three planets.", "list"), ("State two laws of motion.", "list"), ("List the layers of the atmosphere.", "list"),
    ("What are the types of rocks?", "list"), ("Which metals float on water?", "list"),
    ("Name the values which scouts learn.", "list"), ("State two uses of plaster.", "list"),
    ("Difference between mass and weight?", "difference"), ("speed vs velocity", "difference"),
    ("weather and climate, what is the difference", "difference"), ("How do frogs and toads differ?", "difference"),
    ("fog vs mist - how are they different?", "difference"), ("How is a comet different from a meteor?", "difference"),
    ("Distinguish between a strait and a gulf.", "difference"), ("Which is heavier, gold or lead?", "difference"),
    ("Between a horse and a mule, which is stronger?", "difference"), ("Is sound faster in steel than in air?", "difference"),
    ("Compare the areas of Asia and Africa.", "difference"),
    ("How do bees make honey?", "other"), ("Who discovered the neutron?", "other"), ("Is a whale a fish?", "other"),
    ("What happens when milk turns sour?", "other"), ("Name the process.", "other"), ("Which gas do divers breathe?", "other"),
    ("What is the capital of Peru?", "other"), ("Give one animal that sleeps in winter.", "other"),
    ("Do tides differ from day to day?", "other"), ("dog hearing range", "other"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "kind"), KINDS)
def test_the_wording_of_a_question_tells_its_kind(question, kind):
    assert plan_of(question).kind == kind


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is osmosis?", "Asked for: a definition. Of: osmosis. A full answer needs: what osmosis is."),
        ("How many strings does a sitar have?", "Asked for: a number."),
        ("Who won the cup in 2011?", "Asked for: something else."), ("Why does ice float?", "Asked for: a reason."),
    ],
)  # fmt: skip
def test_a_plan_names_terms_but_no_clause_and_says_nothing_twice(question, said):
    assert plan_of(question).in_words == said


def test_the_sides_of_a_comparison_are_asked_for_what_is_compared():
    assert side_questions("Which is heavier, gold or lead?") == ("How heavy is gold?", "How heavy is lead?")
    assert side_questions("Are bats smaller than owls?") == ("How small are bats?", "How small are owls?")
    assert side_questions("Is a tram bigger than a bus?") == ("How big is tram?", "How big is bus?")
    assert side_questions("Is tea better than coffee?") == ("What is tea?", "What is coffee?")
    assert side_questions("Compare how gulls and terns fish.") == ("How do gulls fish?", "How do terns fish?")
    assert side_questions("How does tin differ from lead in water?") == (
        "What is tin in water?",
        "What is lead in water?",
    )
    assert side_questions("Compare the ways in which gulls and how terns fish.") == (
        "How do gulls fish?", "How do terns fish?",
    )  # fmt: skip
    assert side_questions("How does the king of Alva differ from the king of Belu?") == (
        "What is king of Alva?", "What is king of Belu?",
    )  # fmt: skip


@pytest.mark.parametrize("question", [
    "Which was built first, the fort or the mill?", "What was built first, the fort or the mill?",
    "Between the fort and the mill, which was built first?", "Which was built earlier, the fort or the mill?",
])  # fmt: skip
def test_what_was_first_is_asked_for_its_time(question):
    assert side_questions(question) == ("When was fort built?", "When was mill built?")


@pytest.mark.parametrize(
    "question", ["Compare how gulls fish and sleep.", "Compare how gulls fish at sea and on land."]
)
def test_two_acts_of_one_thing_are_no_two_sides(question):
    assert side_questions(question) == ()


@pytest.mark.parametrize(("question", "topic"), [
    ("Tell me about otters.", "otters"),
    ("Describe the museum of Alva.", "the museum of Alva"),
    ("Write a few lines on otters.", "otters"),
    ("What does the book tell us about the museum?", "the museum"),
    ("Give me a summary of the text on Sonpur.", "Sonpur"),
    ("Explain what the passage says about Sonpur.", "Sonpur"),
    ("Share some facts about desert camels please", "desert camels"),
    ("Tell me about the topic of otters", "otters"),
    ("Describe the museum of Alva to me, please.", "the museum of Alva"),
    ("Summarize the chapter", ""),
    ("Tell me about yourself", ""),
    ("Describe two uses of salt", ""),
    ("Describe the effect of heat on ice", ""),
    ("Tell me about the number of states", ""),
    ("Tell me about how plants make food", ""),
    ("Tell me the name of the king", ""),
    ("Describe the causes of the revolt", ""),
    ("What is the use of salt?", ""),
    ("Explain the work of the heart", ""),
    ("List the steps of digestion", ""),
    ("What is good about it?", ""),
])  # fmt: skip
def test_an_order_for_an_account_names_its_topic(question, topic):
    assert account_topic(question) == topic


@pytest.mark.parametrize(("question", "things"), [
    ("What is a glacier?", ("glacier",)),
    ("What are acids and bases?", ("acids", "bases")),
    ("fog vs mist - how are they different?", ("fog", "mist")),
    ("weather and climate, what is the difference", ("weather", "climate")),
    ("How is a comet different from a meteor?", ("comet", "meteor")),
    ("What is the difference between a gulf and a bay? Give examples.", ("gulf", "bay")),
    ("Which is heavier, gold or lead?", ("gold", "lead")),
    ("Between a horse and a mule, which is stronger?", ("horse", "mule")),
    ("zero sum game meaning", ("zero sum game",)),
    ("Explain why deserts are cold at night.", ("deserts are cold at night",)),
    ("dog hearing range", ("dog hearing range",)),
])  # fmt: skip
def test_a_plan_names_what_is_asked_of(question, things):
    assert plan_of(question).things == things


@pytest.mark.parametrize(("question", "count", "wants"), [
    ("Name any three planets.", 3, ("3 items",)),
    ("Give 4 examples of cash crops.", 4, ("4 items",)),
    ("What are the two kinds of tides?", 2, ("2 items",)),
    ("List the layers of the atmosphere.", 0, ("all items",)),
    ("What are the five senses?", 5, ("what five senses is",)),
    ("Which is heavier, gold or lead?", 0, ("both sides",)),
    ("What are acids and bases?", 0, ("what acids is", "what bases is")),
    ("Is a whale a fish?", 0, ("yes or no",)),
    ("dog hearing range", 0, ()),
    ("How far does sound travel in 2 s?", 0, ("a number",)),
])  # fmt: skip
def test_a_plan_says_what_a_full_answer_needs(question, count, wants):
    assert (plan_of(question).count, plan_of(question).wants) == (count, wants)


def test_only_a_difference_is_asked_side_by_side():
    assert side_questions("How do frogs and toads differ?") == ("What is frogs?", "What is toads?")
    assert side_questions("Why do frogs and toads sleep?") == ()


@given(st.text(max_size=300))
def test_any_text_has_a_plan_with_a_known_kind_and_no_empty_thing(text):
    plan = plan_of(text)
    assert plan.kind in KIND_NAMES and all(plan.things) and all(plan.wants) and plan.count >= 0


@given(st.sampled_from([question for question, _ in KINDS]))
def test_polite_words_do_not_change_the_kind(question):
    assert plan_of(f"Please {question}").kind == plan_of(question).kind


@pytest.mark.parametrize(
    "piece", ["what is ", "a and b or ", "between x and y, ", "how many ", "is more than ", "the ", "a, "]
)
def test_a_very_long_question_is_read_quickly(piece):
    started = time.perf_counter()
    plan_of(piece * 3000)
    assert time.perf_counter() - started < 0.5


@pytest.mark.parametrize(("question", "asks"), [
    ("How is coal formed?", True),
    ("Please, how does a bat find its way?", True),
    ("Explain what made the bridge fall.", True),
    ("Describe the life of an otter", True),
    ("How many seats has the bus?", False),
    ("How is a bat different from a bird?", False),
    ("Explain why the bridge fell.", False),
    ("Name the parts of a bat.", False),
    ("Who built the bridge?", False),
])  # fmt: skip
def test_how_and_an_order_to_explain_ask_for_an_account(question, asks):
    assert asks_for_account(question) is asks
