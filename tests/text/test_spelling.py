"""One spelling: a fact is found however it is written, and no other fact with it."""

import pytest

from core.text.spelling import holds, length, one_spelling


@pytest.mark.parametrize(("text", "fact"), [
    ("The COLOUR is  white.", "color is white"), ("It organises the fibres.", "organizes the fibers"),
    ("Twenty-five metres", "25 meters"), ("about two thousand five hundred", "2,500"), ("a hundred times", "100 times"),
    ("blue-green water", "blue green"), ("one fiftieth of 1,376 kilometres", "1376 kilometres"),
    ("an area of 5 percent", "5 per cent"), ("46 % of it", "46 per cent"), ("CO₂ and H₂O", "CO~2~"),
    ("g is 1.6 m/s².", "1.6 m/s^2^"), ("s = ½at²", "½at^2^"), ("S = n(a+l)/2", "n(a + l)/2"),
    ("It loses −2.8.", "-2.8"), ("It is red. [1]", "red"), ("ten magnets [2, 3].", "magnet"),
    ("The alga's food", "alga's food"), ("It is crimson.", "red | crimson"), ("It is red.", "red | crimson"),
    ("Vapour, sulphur and water", "vapor sulfur and water"), ("In 1992, it began.", "1992"),
])  # fmt: skip
def test_a_fact_is_found_in_another_spelling(text, fact):
    assert holds(text, fact)


@pytest.mark.parametrize(("text", "fact"), [
    ("It is 15 m long.", "5 m"), ("It weighs 2.5 kg.", "5 kg"), ("a pinkish leaf", "pink"), ("It is 5.5.", "5"),
    ("It lasts 50 days.", "5 days"), ("It takes 5 ms.", "5 m"), ("between twenty and thirty", "50"),
    ("It lies 20 metres down.", "2 metres"), ("Ask your neighbour.", "for"), ("Nothing is there.", ""),
    ("x - 16 is it", "x - 1"),
])  # fmt: skip
def test_another_fact_is_not(text, fact):
    assert not holds(text, fact)


def test_what_is_no_ending_stays():
    assert one_spelling("four hours of sour rise") == "4 hours of sour rise"


def test_length_leaves_citation_marks_out():
    assert length("It is red. [1] It is hot. [2, 3]") == (2, 6)
