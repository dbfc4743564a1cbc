"""Which sentences say that there is no answer, and which state something."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.settings.domains import domains
from core.text.abstentions import LONGEST, abstains, abstention_flags, states_nothing
from core.text.answer_sentences import read_answer
from core.text.sentences import sentences
from tests.support.abstention_forms import ABSTENTIONS, STATEMENTS

WORDS = sorted({word for text in ABSTENTIONS + STATEMENTS for word in text.split()})


@pytest.mark.parametrize("sentence", ABSTENTIONS)
def test_an_abstention_is_known_also_as_a_whole_answer(sentence):
    assert abstains(sentence)
    assert all(abstention_flags([s.text for s in read_answer(sentence, writer="w").sentences]))


@pytest.mark.parametrize("failure", [
    "#N/A", "#VALUE!", "[object Object]", "504 Gateway Time-out",
    "[ERROR] Failed to generate a response. Please try again later.",
])  # fmt: skip
def test_what_a_sheet_or_a_server_writes_in_place_of_an_answer_is_none(failure):
    assert all(abstention_flags([s.text for s in read_answer(failure, writer="w").sentences]))


@pytest.mark.parametrize("sentence", STATEMENTS)
def test_a_statement_is_no_abstention(sentence):
    assert not abstains(sentence)


def test_there_are_enough_of_both():
    assert len(set(ABSTENTIONS)) >= 100 and len(set(STATEMENTS)) >= 80


@given(st.sampled_from(ABSTENTIONS), st.sampled_from(["", "Unfortunately, ", "Sorry, ", "Based on the given text, "]),
       st.sampled_from(["", " [1]", " [2][3]"]))  # fmt: skip
def test_openers_capitals_and_marks_change_nothing(sentence, opener, marks):
    opened = f"{opener}{sentence[0].lower()}{sentence[1:]}" if opener and sentence[0] not in "(“I" else sentence
    assert abstains(f"{opened.rstrip('.')}{marks}.") and abstains(opened.upper())


@given(st.sampled_from(ABSTENTIONS), st.sampled_from(["the bridge was built in 1880", "a whale is a mammal", "water boils at 100 °C"]),
       st.sampled_from(["but", "however,", "though"]))  # fmt: skip
def test_a_claim_behind_an_abstention_makes_a_statement_of_it(sentence, claim, link):
    assert not abstains(f"{sentence.rstrip('.”')}, {link} {claim}.")


@pytest.mark.parametrize(("answer", "found"), [
    (["I don't know.", "Please ask your teacher."], [True, True]),
    (["The text does not mention whales.", "It discusses rivers, lakes and the sea."], [True, True]),
    (["Sorry!", "I cannot find it.", "Could you rephrase the question?"], [True, True, True]),
    (["A whale is a mammal.", "The text does not say how old it grows."], [False, True]),
    (["A whale is a mammal.", "Please ask your teacher."], [False, False]),
    (["The text does not mention whales.", "It mentions that fish breathe by gills."], [True, False]),
    (["Please ask your teacher."], [False]),
    ([], []),
])  # fmt: skip
def test_what_states_nothing_belongs_to_an_abstention_that_stands_alone(answer, found):
    assert abstention_flags(answer) == found


@pytest.mark.parametrize("house", domains().values(), ids=domains())
@pytest.mark.parametrize("message", ["refuse", "abstain", "fallback", "rephrase", "escalate", "insufficient_context"])
def test_the_refusals_of_every_house_are_abstentions(house, message):
    assert all(abstention_flags(sentences(house.messages[message])))


@pytest.mark.parametrize(
    "sentence", ["The river is 90 km long.", "It mentions that the river is long.", "Whales are mammals."]
)
def test_a_claim_states_something(sentence):
    assert not states_nothing(sentence)


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=150))
def test_words_in_any_order_are_read_fast(words):
    abstains("I do not know.")  # the forms are compiled once
    text = " ".join(words)[:LONGEST]
    started = time.process_time()
    abstains(text)
    assert time.process_time() - started < 0.1


def test_a_long_text_is_read_fast_and_states_something():
    started = time.process_time()
    assert not abstains("not " * 5_000)
    assert not abstains("The passages do not say " * 900)
    assert time.process_time() - started < 0.1
