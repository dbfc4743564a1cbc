"""One fact is altered, and only one; other words say the same; nothing is changed where nothing can be."""

from random import Random

import pytest

from core.lab.training.nli_datasets import TrainingError
from core.lab.training.sentence_changes import (
    ALTERATIONS,
    alter_sentence,
    lower_first,
    move_clause,
    reverse_comparison,
    reverse_naming,
    reword,
    rivals,
    vary,
)  # fmt: skip

OTHERS = ["The dye was first made because plants were scarce.", "Later the court moved to Vijayanagara under him."]


def alter(kind, sentence, others=OTHERS):
    return ALTERATIONS[kind](sentence, others, Random(0))


@pytest.mark.parametrize(
    ("kind", "sentence", "expected"),
    [
        ("unit", "The wall is 12 rupees.", {"The wall is 12 dollars.", "The wall is 12 pounds.", "The wall is 12 euros."}),
        ("name", "The king went to Agra in spring.", {"The king went to Vijayanagara in spring."}),
        ("negation", "Glass is brittle.", {"Glass is not brittle."}),
        ("negation", "Glass is not elastic.", {"Glass is elastic."}),
        ("negation", "A seed can float.", {"A seed cannot float."}),
        ("negation", "Milk contains fat.", {"Milk does not contain fat."}),
        ("negation", "They have been seen.", {"They have not been seen."}),
        ("quantifier", "Always wear gloves.", {"Never wear gloves.", "Rarely wear gloves."}),
        ("order", "Water flows from the tank to the field.", {"Water flows from the field to the tank."}),
        ("order", "The moon is smaller than the earth.", {"The earth is smaller than the moon."}),
        ("order", "The tide rises.", {"The tide falls."}),
        ("cause", "It was costly because it was rare.", {"It was costly because plants were scarce."}),
    ],
)  # fmt: skip
def test_a_fact_is_altered(kind, sentence, expected):
    assert alter(kind, sentence) in expected


@pytest.mark.parametrize(
    "sentence", ["It took 12 days.", "It has 7.25 parts.", "In 1857 it began.", "About 25,000 came.", "Six came."]
)
def test_another_number_is_another_value_of_the_same_look(sentence):
    for seed in range(20):
        new = ALTERATIONS["number"](sentence, OTHERS, Random(seed))
        assert new != sentence and len(new.split()) == len(sentence.split())
        assert ("," in new) == ("," in sentence)


@pytest.mark.parametrize("kind", ALTERATIONS)
def test_nothing_is_altered_where_nothing_can_be(kind):
    assert alter(kind, "Well done, dear child!") is None


def test_a_formula_is_no_name():
    assert alter("name", "We add pure NaCl to it.") is None


def test_kinds_that_seldom_fit_come_before_those_that_nearly_always_do():
    sentence = "The iron rod is 40 cm long."
    kinds = {alter_sentence(sentence, OTHERS, Random(seed))[0] for seed in range(40)}
    assert {"number", "unit"} <= kinds and not kinds & {"negation", "term"}


def test_rivals_go_both_ways_and_quantifiers_one_way():
    assert "zinc" in rivals("rivals")["iron"] and "iron" in rivals("rivals")["zinc"]
    assert "hardly any" not in rivals("quantifiers")
    with pytest.raises(TrainingError, match="no section \\[colours\\]"):
        rivals("colours")


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
