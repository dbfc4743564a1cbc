"""Other words, the same fact: nothing is turned round that would say something else."""

from random import Random

import pytest

from core.lab.training.paraphrases import move_clause, reverse_comparison, reverse_naming, reword, vary
from core.lab.training.perturbations import lower_first


@pytest.mark.parametrize(
    ("turn", "sentence", "expected"),
    [
        (move_clause, "In 1935, nylon was first made.", "Nylon was first made in 1935."),
        (move_clause, "Ice floats because it is lighter.", "Because it is lighter, Ice floats."),
        (move_clause, "In Rome, Milan, and Pisa it rained.", None),
        (reverse_comparison, "The moon is smaller than the earth.", "The earth is bigger than the moon."),
        (reverse_comparison, "The moon is rounder than the earth.", None),
        (reverse_naming, "A mixture of metals is called an alloy.", "An alloy is the name for a mixture of metals."),
        (reverse_naming, "It is called an alloy.", None),
    ],
)
def test_a_sentence_is_turned_round_or_left(turn, sentence, expected):
    assert turn(sentence) == expected


def test_at_most_three_words_give_way_to_synonyms():
    sentence = "The entire nation often needs help."
    found = {reword(sentence, Random(seed)) for seed in range(30)}
    assert sentence not in found and all(len(f.split()) == len(sentence.split()) for f in found)
    assert all(sum(a != b for a, b in zip(f.split(), sentence.split(), strict=True)) <= 3 for f in found)


def test_names_and_numbers_stay():
    sentence = "In 1935, Carothers made 12 fibres at Wilmington."
    for seed in range(30):
        new = vary(sentence, Random(seed))
        assert all(word in new for word in ("1935", "Carothers", "12", "Wilmington"))


def test_a_first_word_that_could_be_a_name_keeps_its_capital():
    assert lower_first("The rope holds.") == "the rope holds." and lower_first("Nylon holds.") == "Nylon holds."
    assert lower_first("I hold it.") == "I hold it."
