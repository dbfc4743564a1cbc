"""The parts of a question that asks several things, and the questions that stay whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.retrieval.question_parts import MOST, after, clauses_about, joint, split_question, with_meaning


@pytest.mark.parametrize(("query", "parts"), [
    ("What is a compression and what is a rarefaction?", ("What is a compression?", "What is a rarefaction?")),
    ("What is sound? How fast is it?", ("What is sound?", "How fast is it (sound)?")),
    ("When was the Bhakra Dam completed and how high is it?", ("When was the Bhakra Dam completed?", "How high is it (the Bhakra Dam)?")),
    ("Where does blood flow, and in what unit is loudness told?", ("Where does blood flow?", "In what unit is loudness told?")),
    ("Name the largest lagoon in India, and also tell which one comes second.", ("Name the largest lagoon in India.", "Tell which one comes second (the largest lagoon in India).")),
    ("What is the SI unit of speed? How is it written?", ("What is the SI unit of speed?", "How is it written (the SI unit of speed)?")),
    ("Define power and provide its unit.", ("Define power.", "Provide its unit (power).")),
    ("explain osmosis and define diffusion", ("Explain osmosis.", "Define diffusion.")),
    ("What is a leaf, what is a stem and what is a root?", ("What is a leaf?", "What is a stem?", "What is a root?")),
    ("What is pressure, and in what unit is it measured?", ("What is pressure?", "In what unit is it measured (pressure)?")),
    ("Explain how candles burn, and name the process.", ("Explain how candles burn.", "Name the process (how candles burn).")),
    ("Explain how candles burn. Which process is this?", ("Explain how candles burn.", "Which process is this (how candles burn)?")),
    ("In the test tube which salt is heated and which is cooled?", ("In the test tube which salt is heated?", "In the test tube which salt is cooled?")),
    ("Which clay is good for pots and which one for bricks?", ("Which clay is good for pots?", "Which clay is good for bricks?")),
    ("Which lake is the deepest and which one is the largest?", ("Which lake is the deepest?", "Which lake is the largest?")),
    ("If it rains, what is the loss, and what is the gain?", ("If it rains, what is the loss?", "If it rains, what is the gain?")),
    ("Who built the tower and in which town was he born?", ("Who built the tower?", "In which town was he born (who built the tower)?")),
    ("What is mass and what is the difference between mass and weight?", ("What is mass?", "What is the difference between mass and weight?")),
    ("Which is longer, the Po or the Rhine, and where does it rise?", ("Which is longer, the Po or the Rhine?", "Where does it rise (which is longer, the Po or the Rhine)?")),
    ("Define inertia. Give one example of it.", ("Define inertia.", "Give one example of it (inertia).")),
])  # fmt: skip
def test_a_question_that_asks_several_things_becomes_several(query, parts):
    assert split_question(query) == parts


@pytest.mark.parametrize("query", [
    "What is sound?", "When and where was Aryabhata born?", "How and why do plants make food?",
    "Which salt gives an acidic solution, and what is it a salt of?", "salts and acids", "", "What is the use of salt and water?",
    "What is a? What is b? What is c? What is d? What is e?", "He asked what sound is and went away.",
    "What is osmosis? Explain with an example.", "What is photosynthesis? Explain.", "Can you help me? What is osmosis?",
    "Between a horse and a mule, which is stronger and which is faster?", "How are roots and stems different?",
    "What is the difference between mass and weight?", "fog vs mist - how are they different?", "What is meant by trial and error?",
    "What are borax and plaster used for?", "What are cups and plates made of?", "What are wasps and bees like?",
    "Why are the sky and the sea blue?", "What are supply and demand?", "Is ice lighter than water and oil?",
    "In the table of metals and salts, how many atoms are there on each side?", "Name the largest organ and the smallest bone.",
    "Define osmosis and give two examples.", "State Ohm's law and give reasons.", "What are acids and bases?",
    "What are the capital and the currency of Peru?", "Define mass, weight and density.",
    "In terms of heat, what are melting and freezing?", "What is meant by erosion and deposition?",
    "What are renewable and non-renewable fuels?", "What are perfect and imperfect competition?",
    "In which cities do Ravi's aunt and Meena's aunt live?", "spring and neap tides - when does each come?",
    "What are the causes and effects of smog?", "It is noon in Delhi. What is the time in Lima and in Rome?",
    "What are osmosis and diffusion?",
])  # fmt: skip
def test_in_doubt_a_question_stays_whole(query):
    assert split_question(query) == ()


def test_a_meaning_becomes_a_question_without_its_number():
    assert with_meaning("the speed?", "8.2 Speed and velocity") == "the speed (Speed and velocity)?"


@given(
    st.lists(
        st.sampled_from(["what", "is", "a", "leaf", "and", "the", "root,", "name", "how", "which", "it", "of", "?"])
    )
)
def test_any_question_has_no_part_or_several_whole_ones(pieces):
    query = " ".join(pieces)
    parts = split_question(query)
    assert len(parts) != 1 and len(parts) <= MOST and all(part[-1] in "?." for part in parts)
    assert 0 <= joint(query) <= len(query)


@pytest.mark.parametrize(("query", "answer", "asked"), [
    ("Which gas is given out in photosynthesis, and what is it used for?", "oxygen", "What is it used for (oxygen)?"),
    ("Who discovered the cell and when did he die?", "Robert Hooke", "When did he die (Robert Hooke)?"),
    ("Which is the largest planet and how many moons does it have?", "Jupiter", "How many moons does it have (Jupiter)?"),
    ("What metal is liquid at room temperature and why is it used in thermometers?", "mercury",
     "Why is it used in thermometers (mercury)?"),
])  # fmt: skip
def test_a_part_that_points_at_an_answer_is_asked_with_it(query, answer, asked):
    first, second = split_question(query)
    assert after(second, first, answer) == asked and after(second, first, "") == second


def test_the_clauses_of_an_answer_that_are_about_its_question_are_read():
    text = "Leaves give out oxygen and take in carbon dioxide. They are green."
    assert clauses_about("Which gas is given out by leaves?", text) == "Leaves give out oxygen"
    assert (
        clauses_about("Which gas do leaves use?", "Leaves take in carbon dioxide.") == "Leaves take in carbon dioxide."
    )
    assert clauses_about("Who came?", "Asha sang, and Ravi danced.") == "Asha sang; Ravi danced."


@pytest.mark.parametrize("query", [
    "What is osmosis and where does it happen?", "How is salt made and what is it used for?",
    "Who discovered the cell and who drew the first map?",
    "Where do whales live and how long do they live?", "Why do leaves fall and when do they grow back?",
])  # fmt: skip
def test_a_part_that_points_at_no_answer_stays_as_it_is(query):
    first, *others = split_question(query)
    assert all(after(part, first, "some answer") == part for part in others)
