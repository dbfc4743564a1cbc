"""A sentence that only repeats a question answers nothing; one that denies what it takes for granted answers."""

import pytest

from core.text.non_answers import denies, echoes


@pytest.mark.parametrize(("query", "sentence", "again"), [
    ("A driver reverses at 2 m/s. At what speed does the image move?", "A driver reverses at 2 m/s.", True),
    ("Why are danger signals red?", "Danger signals are red.", True),
    ("Why are danger signals red?", "Red is scattered least.", False),
    ("Which is faster, sound or light?", "Light is faster.", False),
    ("Are danger signals red?", "Danger signals are red.", False),
    ("If it is dry, does sound travel as it does when air is wet?", "Sound does travel when air is dry.", False),
    ("What is it?", "It is.", False),
])  # fmt: skip
def test_a_sentence_that_only_says_the_question_again_is_an_echo(query, sentence, again):
    assert echoes(query, sentence) is again


@pytest.mark.parametrize(("query", "sentence"), [
    ("Why does ice sink in water?", "Ice does not sink in water; it floats."),
    ("Why are bats birds?", "Bats are not birds."),
    ("When did the ship Nora sink?", "The ship Nora never sank."),
    ("How many legs has a snake?", "A snake has no legs."),
    ("Who broke the great bell?", "Nobody broke the great bell."),
    ("Why did the bridge of Karu fall down in 1990?", "The bridge of Karu hasn't fallen down."),
    ("Why does ice sink?", "No, ice does not sink."),
    ("Why does ice sink?", "Ice doesn’t sink."),
])  # fmt: skip
def test_a_denial_of_what_a_question_takes_for_granted_is_no_echo(query, sentence):
    assert denies(query, sentence) and not echoes(query, sentence)


@pytest.mark.parametrize(("query", "sentence"), [
    ("Why is iron drawn to a magnet?", "Wood is not drawn to a magnet."),
    ("Why is wood not drawn to a magnet?", "Wood is not drawn to a magnet."),
    ("Does ice sink in water?", "Ice does not sink in water."),
    ("Why does ice sink in water?", "Ice sinks in water."),
    ("Why does ice sink in water?", "It does not."),
    ("Why did the ship sink?", "The sheep did not sink."),
    ("Which birds can fly?", "Not all birds can fly."),
    ("What do whales eat?", "Whales do not eat each other."),
    ("What is the difference between mass and weight?", "Mass is not weight."),
])  # fmt: skip
def test_another_sentence_denies_nothing(query, sentence):
    assert not denies(query, sentence)


PROBLEM = (
    "Ravi flies a kite on a string of 40 m. The string makes an angle of 60 degrees with the level ground. If Ravi lets "
    "out 10 m more, how high will the kite be: (a) 30 m, (b) 35 m, (c) 43 m?"
)


@pytest.mark.parametrize(("sentence", "again"), [
    ("7. Ravi flies a kite on a string of 40 m.", True), ("The string makes an angle of 60 degrees with the ground.", True),
    ("(a) Ravi flies a kite on a string of 40 m.", True), ("The kite will be 43 m above the trees.", False),
    ("A longer string lets a kite rise higher.", False),
    ("7. Ravi has a kite on a string of 40 m, at an angle of 60 degrees with the level ground.", True),
    ("7. A longer string lets a heavy kite rise much higher in a steady wind.", False),
])  # fmt: skip
def test_the_data_of_a_problem_answer_nothing(sentence, again):
    assert echoes(PROBLEM, sentence) is again


def test_a_few_keywords_are_no_problem():
    assert not echoes("plants water sunlight food", "Plants make food of water in sunlight.")
