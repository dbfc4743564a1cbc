"""A text that gives another value than the question asks for is no answer, however like one it reads."""

import pytest

from core.text.asked_values import gives_other_value

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
