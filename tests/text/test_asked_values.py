"""A text that gives another value than the question asks for is no answer, however like one it reads."""

import pytest

from core.text.non_answers import gives_other_value, lacks_items
from core.text.sentences import sentences

OTHER = (
    ("How wide is the fort's moat?", "The moat of the fort is 90 metres long."),
    ("How high is the rope bridge?", "The rope bridge is 340 metres long."),
    ("What is the depth of the lake?", "The lake is 4 km wide."),
    ("How thick is the shell?", "The shell is about 3 mm long."),
    ("How tall is the tower?", "The tower stands on a base that is 12 m wide."),
    ("In which month was the mill opened?", "The mill was opened in 1902."),
    ("On what day and month did the school open?", "The school opened in 1967."),
    ("How many people lived in the town in 1663?", "The town has 4200 people."),
    ("What was the population in 1820?", "The population is 80,000."),
    ("Which queen dug the canal?", "The canal was dug by Arun Das."),
    ("Which woman planned the dam?", "The dam was planned by Arun Das."),
    ("Who led the guild in 1820?", "In 1844 Arun Das led the guild."),
    ("Which metals do not rust?", "Iron and steel rust."),
    ("Name the clubs that do not meet on Sunday.", "The chess club and the garden club meet on Sunday."),
    ("Which insects have no wings?", "Bees and beetles have two pairs of wings."),
    ("Who was not invited to the feast?", "The smith and the miller were invited."),
)
ASKED = (
    ("How wide is the fort's moat?", "The moat is 9 m wide and 90 m long."),
    ("How wide is the road?", "The road has a width of 12 feet."),
    ("How tall is the tower?", "The tower is 84 m high."),
    ("How tall is the tower?", "The tower reaches 84 m."),
    ("How long did the war last?", "The war lasted three years."),
    ("How deep is the well?", "The well was dug by hand."),
    ("In which month was the mill opened?", "The mill was opened in May 1902."),
    ("What day is the fair?", "The fair is on a Sunday."),
    ("When was the mill opened?", "The mill was opened in 1902."),
    ("How many people lived in the town in 1663?", "In 1663 the town had 900 people."),
    ("Who ruled in 1663?", "A queen ruled."),
    ("Which queen dug the canal?", "Two queens ruled here; the first, Amina, dug the canal."),
    ("Which engineer planned the dam?", "The dam was planned by Arun Das."),
    ("Which metals do not rust?", "Gold and silver do not rust."),
    ("Which metals do not rust?", "All metals except gold and silver rust."),
    ("Which of the metals is not a solid?", "Mercury is a liquid."),
    ("Why does iron in dry air not rust?", "Iron needs water to rust."),
    ("Which animals never drink?", "Some desert mice live without drinking."),
    ("Who led the guild in 1820?", "Arun Das led the guild."),
)


@pytest.mark.parametrize(("question", "text"), OTHER)
def test_another_measure_or_time_is_another_value(question, text):
    assert gives_other_value(question, text, text, text)


@pytest.mark.parametrize(("question", "text"), ASKED)
def test_the_value_that_was_asked_is_none(question, text):
    assert not gives_other_value(question, text, text, text)


def test_a_year_may_stand_elsewhere_in_the_passage():
    question, text = "How many people lived in the town in 1663?", "The town had 900 people."
    assert not gives_other_value(question, text, f"The great flood came in 1663. {text}", text)


PLANETS = "The four inner planets are Mercury, Venus, Earth and Mars. They are made of rock, and have no rings."
PORT = "The port sent out three goods: pepper, cotton and ivory. Sailors ate rice and fish."
HALF = (
    ("Which are the four inner planets?", "The inner planets are Mercury and Venus.", PLANETS),
    ("Name the four inner planets.", "- Mercury\n- Mars", PLANETS),
    ("Which goods did the port send out?", "It sent out pepper and ivory.", PORT),
    ("What are the three goods of the port?", "Cotton is one.", PORT),
    ("Name two uses of salt.", "Salt is used to cook food.", "Salt is used to cook food and to keep fish."),
    ("Name three metals.", "Gold, tin.", "The metals are gold, tin and iron. Kerala, Goa and Assam are states."),
    ("What are the five senses?", "Sight and touch.", "The five senses are sight, hearing, smell, taste and touch."),
)
WHOLE = (
    ("Which are the four inner planets?", "Mars, Earth, Venus and Mercury are the inner planets.", PLANETS),
    ("Name two of the four inner planets.", "Two of them are Venus and Mars.", PLANETS),
    (
        "Name the four inner planets.",
        "The planets near the sun: the Earth, its twin, the red one and Mercury.",
        PLANETS,
    ),
    ("Which goods did the port send out?", "It sent out pepper, cotton and ivory.", PORT),
    ("What did sailors eat?", "Sailors ate rice.", PORT),
    ("Name three states of India.", "Kerala, Goa, Assam.", "Goa, Bihar and Punjab are states of India."),
    ("Name two planets.", "Earth, Mars.", "The planets Venus and Earth are near the sun."),
    (
        "Which are the three states of matter?",
        "It can be solid, liquid or gaseous.",
        "The three states of matter are solid, liquid and gas.",
    ),
    ("Name two rivers of the north.", "The Ravi, the Beas.", "The Ravi and the Satluj are rivers of the north."),
    ("What is Mercury?", "Mercury is an inner planet.", PLANETS),
    ("Name three metals.", "Gold, tin and iron.", "Coal, oil and iron are dug here. Gold and tin are metals."),
)


@pytest.mark.parametrize(("question", "answer", "book"), HALF)
def test_some_items_of_a_counted_list_are_half_an_answer(question, answer, book):
    assert lacks_items(question, sentences(answer), sentences(book))


@pytest.mark.parametrize(("question", "answer", "book"), WHOLE)
def test_every_item_that_was_asked_is_a_whole_answer(question, answer, book):
    assert not lacks_items(question, sentences(answer), sentences(book))
