"""A sentence that takes its thing from one of two parallel facts and what it says from the other."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.crossed_facts import is_crossed
from core.text.sentences import sentences
from tests.support.crossed_pairs import PAIRS

THINGS = st.sampled_from(["lions", "whales", "eagles", "snakes", "frogs"])
ATTRIBUTES = st.sampled_from(["hunt deer", "swim far", "build nests", "shed skin", "eat insects", "sleep long"])


@pytest.mark.parametrize(("text", "crossed", "right"), PAIRS)
def test_a_crossed_fact_is_found_and_the_right_one_is_none(text, crossed, right):
    assert is_crossed(crossed, sentences(text))
    assert not is_crossed(right, sentences(text))


@pytest.mark.parametrize("text", [pair[0] for pair in PAIRS])
def test_no_text_crosses_itself_nor_a_part_of_itself(text):
    assert not any(is_crossed(one, sentences(text)) for one in sentences(text))


@given(st.lists(THINGS, min_size=2, max_size=2, unique=True), st.lists(ATTRIBUTES, min_size=2, max_size=2, unique=True),
       st.sampled_from([" while ", ", but ", " and ", "; ", ", whereas "]))  # fmt: skip
def test_whatever_the_things_a_crossing_is_seen_and_an_order_is_none(things, attributes, link):
    (one, other), (first, second) = things, attributes
    book = [f"{one.capitalize()} {first}.", f"{other.capitalize()} {second}."]
    assert is_crossed(f"{one.capitalize()} {second}{link}{other} {first}.", book)
    assert not is_crossed(f"{other.capitalize()} {second}{link}{one} {first}.", book)


@pytest.mark.parametrize(("sentence", "text"), [
    ("Our farms usually cover 250 hectares, and the farmer mostly lives on the farm itself.",
     "Ram, a farmer, owns 300 hectares. Poor lands usually have small holdings, mostly for food."),
    ("Speed and velocity are measured alike.", "Speed is a scalar. Velocity is a vector."),
    ("Lions hunt deer, and they sleep long.", "Lions sleep long. Lions hunt deer."),
    ("Do lions build nests while eagles hunt deer?", "Lions hunt deer. Eagles build nests."),
    ("A river has a source and a mouth.", "The mouth of a river is wide. The source of a river is high."),
    ("Iron is heavier than water.", "Water is lighter than iron."),
    ("Water is not heavier than iron.", "Iron is heavier than water."),
    ("Arteries carry blood from the heart to the organs.", "Veins carry blood from the organs to the heart."),
    ("The train goes from Agra to Delhi.", "In 1950 the postman walked from Delhi to Agra with letters for the king."),
    ("Red paint is dear and green paint is cheap.", "Green grass grows in red soil, and paint is sold in the town."),
    ("In Ladakh the stream holds rather little water and sand, because the land there is cold and dry.",
     "Ladakh is cold and dry, so the stream holds rather little water and sand there."),
    ("It is hot by day and cold by night.", "By night it is cold, and by day it is hot."),
    ("At 3 per cent a bank with deposits of ₹100 crore keeps ₹3 crore.",
     "At 3 per cent, a bank with deposits of ₹100 crore keeps ₹3 crore with the RBI. A bank earns from two rates."),
    ("Acids do not turn red litmus blue.", "Acids turn blue litmus red, and alkalis turn red litmus blue."),
    ("The upper house represents the states.",
     "The lower house has directly elected members, and the upper house has indirectly chosen members."),
    ("Plants need: Carbon dioxide from the air",
     "Plants need sunlight for energy, water from the soil and carbon dioxide from the air."),
    ("Clock Tower, height: 62 m, built: 1877.",
     "North Tower, height: 84 m, built: 1901. Sea Tower, height: 40 m, built: 1933. The Clock Tower is old."),
    ("", ""),
])  # fmt: skip
def test_what_only_shares_words_crosses_nothing(sentence, text):
    assert not is_crossed(sentence, sentences(text))


@pytest.mark.parametrize(("sentence", "text"), [
    ("The frog ate the snake.", "The snake ate the frog near the pond."),
    ("The clerk wrote to the queen in 1801.", "The queen wrote to her clerk in 1801."),
    ('The pupil said to the teacher, "Look up."', 'The teacher said to her pupil, "Look up."'),
    ("The wolf chased the deer uphill.", "The deer chased the wolf uphill."),
])  # fmt: skip
def test_who_acts_and_who_is_acted_on_are_told_apart(sentence, text):
    assert is_crossed(sentence, [text])
    assert not is_crossed(sentence, [f"{text[:-1]}, as {sentence}"])


def test_a_line_that_pairs_as_the_sentence_does_outweighs_another():
    said, otherwise = "Lions hunt deer while eagles build nests.", "Lions build nests while eagles hunt deer."
    assert is_crossed("Lions hunt deer, and eagles build nests.", [otherwise])
    assert not is_crossed("Lions hunt deer, and eagles build nests.", [otherwise, said])


def test_a_long_answer_is_read_fast():
    text = "the lions and the eagles, but not the whales, go from here to there while " * 250
    started = time.process_time()
    is_crossed(text, [text[:900]] * 3)
    assert time.process_time() - started < 2


def test_a_line_that_compares_as_the_sentence_does_outweighs_another():
    by_day = "By day, the sea is cooler than the land."
    by_night = "At night, the land is cooler than the sea."
    assert is_crossed(by_night, [by_day])
    assert not is_crossed(by_night, [by_day, "The land is cooler than the sea at night."])
