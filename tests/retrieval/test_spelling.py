"""Misspelt words of a question are put right by the library's words; every other word stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.retrieval.library_words import LibrarySpelling

BOOK = (
    "Photosynthesis is the process by which green plants make food. The multiplier says how far an investment goes. "
    "Pollution of water harms a family and the whole nation. Dense brown fumes rise when lead nitrate is heated. "
    "An operon is a group of genes. It was Dame Mackenzie who wrote so, and later Mackenzie and Gauss wrote again. "
    "Cooperation needs members. He asked whether the solution follows. We first add the arithmetic mean to the sum. "
    "The colour of sulphuric acid shows a Roman how methanol burns. The enzyme lipase and a neutron are named. "
    "The temperature of the atmosphere and the measurement of latitude follow. A ship reached Porto and Hang."
)
SPELLING = LibrarySpelling([BOOK])


@pytest.mark.parametrize(("typed", "meant"), [
    ("what is photosynthsis", "what is photosynthesis"),
    ("wat is polution?", "what is pollution?"),
    ("Wich gas makes fums?", "Which gas makes fumes?"),
    ("invesment multiplyer", "investment multiplier"),
    ("cooperaton in a famly", "cooperation in a family"),
    ("what does a naton do", "what does a nation do"),
    ("What is an opron?", "What is an operon?"),
    ("who was mackenzi", "who was mackenzie"),
    ("Who was Mackenzi, and who was Gaus?", "Who was Mackenzie, and who was Gauss?"),
    ("the frist arithmatic sum", "the first arithmetic sum"),
    ("tempreture of the atmosfere", "temperature of the atmosphere"),
    ("mesurment of lattitude", "measurement of latitude"),
    ("diffrence of sulfuric acid and color", "difference of sulphuric acid and colour"),
    ("fotosynthesis", "photosynthesis"),
    ("lead ntirate and plnats", "lead nitrate and plants"),
])  # fmt: skip
def test_a_misspelt_word_is_spelt_as_the_library_spells_it(typed, meant):
    assert SPELLING.correct(typed) == meant


@pytest.mark.parametrize("query", [
    "What's the weather like?", "Who led the poll?", "What is quantum entanglement?", "Who was Raman?", "who was raman",
    "What is ligase?", "What is methanal?", "Who is Zhang?", "What are introns?", "It doesn't burn.", "What is NaCl, H2SO4 or pH?",
    "Why do bats hang?", "a proto star", "DNA and RNA", "What is an oven?", "wet and wit", "Hat is red", "", "?", "प्रकाश क्या है",
])  # fmt: skip
def test_a_word_of_its_own_is_never_turned_into_another(query):
    assert SPELLING.correct(query) == query


@given(st.text(max_size=60))
def test_mending_is_complete_at_once_and_changes_nothing_but_words(query):
    once = SPELLING.correct(query)
    assert SPELLING.correct(once) == once
    assert len(once.split()) == len(query.split())


@given(st.lists(st.sampled_from(BOOK.replace(".", "").replace(",", "").split()), max_size=8))
def test_words_of_the_library_stay(words):
    assert SPELLING.correct(" ".join(words)) == " ".join(words)


def test_a_library_without_words_changes_nothing():
    assert LibrarySpelling([]).correct("what is photosynthsis") == "what is photosynthsis"
