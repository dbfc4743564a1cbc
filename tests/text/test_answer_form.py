"""The form of an answer fits its kind of question."""

import pytest

from core.text.answer_form import form_of


@pytest.mark.parametrize(("query", "text", "fits"), [
    ("Why do ships float?", "Ships float because they push away much water.", True),
    ("Why do ships float?", "Ships are made of steel and wood.", False),
    ("Who rebuilt the stepwell?", "Queen Devika rebuilt the stepwell.", True),
    ("Who rebuilt the stepwell?", "most famously she rebuilt the stepwell.", False),
    ("How many moons has Mars?", "Mars has two moons.", True),
    ("How many moons has Mars?", "Mars has small moons.", False),
    ("Give an example of a base.", "Lime water is an example of a base.", True),
    ("Give an example of a base.", "A base tastes bitter.", False),
    ("Name three gases of the air.", "Air holds nitrogen, oxygen and argon.", True),
    ("Name three gases of the air.", "Air is all around us.", False),
    ("What is the difference between a comet and a planet?", "A comet has a tail, but a planet has none.", True),
    ("What is the difference between a comet and a planet?", "A comet has a tail.", False),
    ("When was the bridge built?", "The bridge was built in 1931.", True),
    ("When was the bridge built?", "The bridge is made of stone.", False),
    ("Is iron a metal?", "Iron is a metal.", None),
])  # fmt: skip
def test_the_form_of_an_answer(query, text, fits):
    assert form_of(query, text) is fits
