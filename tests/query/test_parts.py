"""Which questions ask several things, and what each of them is."""

import pytest

from core.query.parts import split


@pytest.mark.parametrize(("query", "parts"), [
    ("What is a compression and what is a rarefaction?", ("What is a compression?", "What is a rarefaction?")),
    ("What is sound? How fast is it?", ("What is sound?", "How fast is it (sound)?")),
    ("When was the Bhakra Dam completed and how high is it?", ("When was the Bhakra Dam completed?", "How high is it (the Bhakra Dam)?")),
    ("Where does blood flow, and in what unit is loudness told?", ("Where does blood flow?", "In what unit is loudness told?")),
    ("Name the largest lagoon in India, and also tell which one comes second.", ("Name the largest lagoon in India.", "Tell which one comes second (the largest lagoon in India).")),
    ("explain osmosis and define diffusion", ("Explain osmosis.", "Define diffusion.")),
])  # fmt: skip
def test_a_question_that_asks_several_things_becomes_several(query, parts):
    assert split(query) == parts


@pytest.mark.parametrize("query", [
    "What is sound?", "What are acids and bases?", "When and where was Aryabhata born?", "How and why do plants make food?",
    "Which salt gives an acidic solution, and what is it a salt of?", "salts and acids", "", "What is the use of salt and water?",
    "What is a? What is b? What is c? What is d? What is e?", "He asked what sound is and went away.",
    "What is osmosis? Explain with an example.", "What is photosynthesis? Explain.", "Can you help me? What is osmosis?",
    "Define osmosis and give two examples.", "State Ohm's law and give reasons.",
])  # fmt: skip
def test_in_doubt_a_question_stays_whole(query):
    assert split(query) == ()
