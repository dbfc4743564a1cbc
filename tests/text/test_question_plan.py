"""What kind of question is asked, of what, and what a full answer to it needs."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.question_plan import KIND_NAMES, plan_of

KINDS = [
    ("What is a glacier?", "definition"), ("what's a monsoon", "definition"), ("wat is soil erosion", "definition"),
    ("wht is osmosis", "definition"), ("What's meant by crop rotation?", "definition"), ("Define inertia.", "definition"),
    ("What do you understand by terrace farming?", "definition"), ("zero sum game meaning", "definition"),
    ("What do we mean when we say that a body is at rest?", "definition"), ("defination of tundra", "definition"),
    ("How would you define a market?", "definition"), ("What does the word delta mean?", "definition"),
    ("State Archimedes' principle.", "definition"), ("Who is a nomad?", "definition"), ("What are isotopes?", "definition"),
    ("Please tell me what a fjord is.", "definition"), ("Can you define a peninsula?", "definition"),
    ("Why does ice float?", "reason"), ("y does iron rust", "reason"), ("Explain why deserts are cold at night.", "reason"),
    ("Give two reasons for the fall of the empire.", "reason"), ("What causes tides?", "reason"),
    ("What was the cause of the famine?", "reason"), ("How come the moon has phases?", "reason"),
    ("How do bees make honey?", "manner"), ("hw does a pump work", "manner"), ("How is paper recycled?", "manner"),
    ("In what way do roots hold the soil?", "manner"), ("How can we purify muddy water?", "manner"),
    ("Who discovered the neutron?", "person"), ("The anthem was composed by whom?", "person"),
    ("Which scientist proposed the theory of drift?", "person"), ("Whose army crossed the river first?", "person"),
    ("When did the revolt begin?", "time"), ("In which year was the dam opened?", "time"), ("wen was the fort built", "time"),
    ("Where do pearls come from?", "place"), ("In which state is the lake?", "place"), ("What is the capital of Peru?", "place"),
    ("In which cities do Ravi's aunt and Meena's aunt live?", "place"),
    ("How many chambers does the heart have?", "number"), ("After how many weeks does the seed sprout?", "number"),
    ("What is the boiling point of ether?", "number"), ("At what temperature does lead melt?", "number"),
    ("How old was the queen when she was crowned?", "number"), ("In the table of rivers, how long is the Kosi?", "number"),
    ("Name any three planets.", "list"), ("State two laws of motion.", "list"), ("List the layers of the atmosphere.", "list"),
    ("What are the types of rocks?", "list"), ("Which metals float on water?", "list"), ("Name the values which scouts learn.", "list"),
    ("The council decides about which taxes?", "list"), ("types of clouds", "list"),
    ("Difference between mass and weight?", "difference"), ("speed vs velocity", "difference"),
    ("diff between stalactite and stalagmite", "difference"), ("weather and climate, what is the difference", "difference"),
    ("fog vs mist - how are they different?", "difference"), ("How is a comet different from a meteor?", "difference"),
    ("How do frogs and toads differ?", "difference"), ("Distinguish between a strait and a gulf.", "difference"),
    ("Which is heavier, gold or lead?", "comparison"), ("Between a horse and a mule, which is stronger?", "comparison"),
    ("Is sound faster in steel than in air?", "comparison"), ("Compare the areas of Asia and Africa.", "comparison"),
    ("Were more cars sold in the first month or in the second month?", "comparison"),
    ("Give an example of a perennial river.", "example"), ("Give one animal that sleeps in winter.", "example"),
    ("example of a cash crop", "example"), ("What is an example of a catalyst?", "example"), ("Name a metal that is liquid.", "example"),
    ("State two uses of plaster.", "use"), ("What is borax used for?", "use"), ("uses of copper", "use"),
    ("What is the function of the spleen?", "use"),
    ("Explain how a volcano erupts and name the molten rock.", "explanation"), ("Describe the life of a potter.", "explanation"),
    ("Write a short note on coral reefs.", "explanation"), ("Tell me about the silk route.", "explanation"),
    ("Is a whale a fish?", "yes_no"), ("Can plants grow without soil?", "yes_no"), ("Do tides differ from day to day?", "yes_no"),
    ("If the rains fail, does the price go up?", "yes_no"),
    ("dog hearing range", "keywords"), ("Photosynthesis?", "keywords"), ("treaty of the two rivers", "keywords"),
    ("How far does a car go in 3 h at 40 km/h?", "computation"), ("Calculate the work done by a force of 5 N.", "computation"),
    ("What is the new price if the cost goes up from 10 to 20?", "computation"), ("What is 7 + 5?", "computation"),
    ("What happens when milk turns sour?", "other"), ("Name the process.", "other"), ("Write the formula of borax.", "other"),
    ("Which gas do divers breathe?", "other"), ("What did the poet advise the king?", "other"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "kind"), KINDS)
def test_the_wording_of_a_question_tells_its_kind(question, kind):
    assert plan_of(question).kind == kind


@pytest.mark.parametrize(("question", "things"), [
    ("What is a glacier?", ("glacier",)),
    ("What are acids and bases?", ("acids", "bases")),
    ("In terms of heat, what are melting and freezing?", ("melting", "freezing")),
    ("fog vs mist - how are they different?", ("fog", "mist")),
    ("weather and climate, what is the difference", ("weather", "climate")),
    ("How is a comet different from a meteor?", ("comet", "meteor")),
    ("What is the difference between a gulf and a bay? Give examples.", ("gulf", "bay")),
    ("Which is heavier, gold or lead?", ("gold", "lead")),
    ("Between a horse and a mule, which is stronger?", ("horse", "mule")),
    ("Is sound faster in steel than in air?", ("in steel", "in air")),
    ("Is the moon a star or a satellite?", ("star", "satellite")),
    ("In which cities do Ravi's aunt and Meena's aunt live?", ("Ravi's aunt", "Meena's aunt")),
    ("spring and neap tides - when does each come?", ("spring and neap tides",)),
    ("zero sum game meaning", ("zero sum game",)),
    ("Give an example of a perennial river.", ("perennial river",)),
    ("Explain why deserts are cold at night.", ("deserts are cold at night",)),
    ("What happens to prices under low demand and under high demand?", ("low demand", "high demand")),
    ("dog hearing range", ("dog hearing range",)),
])  # fmt: skip
def test_a_plan_names_what_is_asked_of(question, things):
    assert plan_of(question).things == things


@pytest.mark.parametrize(("question", "count", "wants"), [
    ("Name any three planets.", 3, ("3 items",)),
    ("State two uses of plaster.", 2, ("2 uses",)),
    ("Give 4 examples of cash crops.", 4, ("4 examples",)),
    ("What are the two kinds of tides?", 2, ("2 items",)),
    ("List the layers of the atmosphere.", 0, ("all items",)),
    ("State two differences between mass and weight.", 2, ("2 differences", "both sides")),
    ("Which is heavier, gold or lead?", 0, ("both sides",)),
    ("What are acids and bases?", 0, ("what acids is", "what bases is")),
    ("Define osmosis and give an example.", 0, ("what it is", "an example")),
    ("Explain how a volcano erupts and name the molten rock.", 0, ("an explanation", "the name")),
    ("Is a whale a fish? Give reasons.", 0, ("yes or no", "a reason")),
    ("dog hearing range", 0, ()),
    ("How far does sound travel in 2 s?", 0, ("a value computed from the given numbers",)),
])  # fmt: skip
def test_a_plan_says_what_a_full_answer_needs(question, count, wants):
    assert (plan_of(question).count, plan_of(question).wants) == (count, wants)


@pytest.mark.parametrize(("question", "unit"), [
    ("After how many weeks does the seed sprout?", "weeks"), ("How many heart chambers are there?", "chambers"),
    ("What is the loudness of a drum in dB?", "dB"), ("How long is the Kosi?", ""), ("How many will there be?", ""),
])  # fmt: skip
def test_a_plan_says_what_a_number_counts(question, unit):
    assert plan_of(question).unit == unit


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
