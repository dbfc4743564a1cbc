"""One fact is altered, and only one; nothing is altered where nothing can be."""

from random import Random

import pytest

from core.lab.training.nli_datasets import TrainingError
from core.lab.training.perturbations import ALTERATIONS, alter_sentence, rivals

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
