"""Which sentences pair two things with two attributes the other way round than a text."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.sentences import sentences
from core.text.swapped_roles import is_reversal, swapped_in
from tests.support.swapped_pairs import PAIRS

OF_ONE = [pair for pair in PAIRS if len(sentences(pair[1])) == 1]
THINGS = st.sampled_from(["lions", "whales", "eagles", "snakes", "frogs"])
ATTRIBUTES = st.sampled_from(["hunt deer", "swim far", "build nests", "shed skin", "eat insects", "sleep long"])


@pytest.mark.parametrize(("text", "swapped", "alike"), OF_ONE)
def test_a_swap_is_seen_and_other_words_are_none(text, swapped, alike):
    assert swapped_in(swapped, [sentences(text)]) is not None
    assert swapped_in(alike, [sentences(text)]) is None


@pytest.mark.parametrize(("text", "swapped", "alike"), OF_ONE)
def test_no_text_swaps_itself_nor_a_part_of_itself(text, swapped, alike):
    assert all(swapped_in(one, [sentences(text)]) is None for one in sentences(text))


@given(st.lists(THINGS, min_size=2, max_size=2, unique=True), st.lists(ATTRIBUTES, min_size=2, max_size=2, unique=True),
       st.sampled_from([" while ", ", but ", " and ", "; ", ", whereas "]))  # fmt: skip
def test_whatever_the_things_a_swap_is_seen_and_an_order_is_none(things, attributes, link):
    (one, other), (first, second) = things, attributes
    book = [[f"{one.capitalize()} {first}.", f"{other.capitalize()} {second}."]]
    assert swapped_in(f"{one.capitalize()} {second}{link}{other} {first}.", book)
    assert swapped_in(f"{other.capitalize()} {second}{link}{one} {first}.", book) is None


@pytest.mark.parametrize(("sentence", "text"), [
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
    ("", ""),
])  # fmt: skip
def test_what_only_shares_words_swaps_nothing(sentence, text):
    assert swapped_in(sentence, [sentences(text)]) is None


def test_a_passage_that_pairs_as_the_sentence_does_outweighs_another():
    said, otherwise = ["Lions hunt deer while eagles build nests."], ["Lions build nests while eagles hunt deer."]
    assert swapped_in(said[0], [otherwise]) == (0, (0,))
    assert swapped_in(said[0], [otherwise, said]) is None


def test_the_place_of_what_is_said_otherwise_is_told():
    book = [["A gap."], ["Another.", "Lions hunt deer.", "Eagles build nests."]]
    assert swapped_in("Eagles hunt deer and lions build nests.", book) == (1, (1, 2))
    assert is_reversal("The moon is larger than the sun.", "The sun is larger than the moon.")


ACTS = (
    ("The frog ate the snake.", "The snake ate the frog near the pond."),
    ("The clerk wrote to the queen in 1801.", "The queen wrote to her clerk in 1801."),
    ('The pupil said to the teacher, "Look up."', 'The teacher said to her pupil, "Look up."'),
    ("The wolf chased the deer uphill.", "The deer chased the wolf uphill."),
)


@pytest.mark.parametrize(("sentence", "text"), ACTS)
def test_who_acts_and_who_is_acted_on_are_told_apart(sentence, text):
    assert is_reversal(sentence, text)
    assert not is_reversal(sentence, sentence)
    assert not is_reversal(sentence, f"{text[:-1]}, as {sentence}")


def test_a_long_answer_is_read_fast():
    text = "the lions and the eagles, but not the whales, go from here to there while " * 250
    started = time.process_time()
    swapped_in(text, [[text[:900]] * 3])
    assert time.process_time() - started < 2
