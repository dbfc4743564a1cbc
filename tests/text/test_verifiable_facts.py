"""What of a sentence can be looked up: numbers, units, names, terms, quotations, superlatives."""

import pytest

from core.text.quantities import numbers
from core.text.verifiable_facts import invented_facts, unheld

BOOK = "The stone falls 20 m in 2 seconds.\nIt was dropped by Asha at the Qutub tower.\nHow far does the stone fall?"


def missing(sentence, source=BOOK):
    return tuple(unheld(sentence, source, is_term=lambda word: len(word) > 11))


def test_numbers_are_read_in_figures_and_words():
    assert numbers("Twelve of 1,000 seeds weigh 0.50 g, H2O aside") == {"twelve": 12, "1,000": 1000, "0.50": 0.5}


BELOW = [
    "It was at -5 °C.",
    "The lake (−5 °C) froze.",
    "It fell to minus five degrees Celsius.",
    "It is 5 °C below zero.",
]


@pytest.mark.parametrize("book", BELOW)
def test_a_lost_or_added_minus_sign_is_missing(book):
    assert missing("It was at 5 °C.", book) == ("5",)
    assert missing("It was at –5 °C.", "It was at 5 °C.") == ("-5",)
    assert [missing(same, book) for same in BELOW] == [()] * len(BELOW)


@pytest.mark.parametrize("book", ["8 -3 are", "Days 3-5", "10–3", "Unit -3 is", "- 3 apples", "8 minus 3"])
def test_not_every_dash_is_a_minus_sign(book):
    assert missing("There are 3 of them.", book) == () and -3 not in numbers(book).values()


def test_a_word_inside_another_is_not_held():
    is_term = lambda word: word.startswith(("aerob", "anaerob"))  # noqa: E731
    assert unheld("They are aerobic.", "The anaerobic ones.", is_term) == ["aerobic"]
    assert unheld("They are aerobic.", "The aero bic ones.", is_term) == []


def test_a_name_is_held_with_and_without_its_accents():
    source = "Letters of the Marathas were in the Moḍī script.\nWhat did they write in?"
    assert not unheld("They were in Modi.", source, lambda _: False)
    assert not unheld("They were in Moḍī.", source, lambda _: False)
    assert unheld("They were in Mōnā.", source, lambda _: False) == ["Mōnā"]


def test_a_compound_is_looked_up_by_its_parts():
    assert missing("Photosensitive-cells cover it.", "The cells of it are photo sensitive.") == ()


@pytest.mark.parametrize(("text", "value"), [
    ("nineteenth", 19), (".9", 0.9), ("a hundred and ten", 110), ("1/00", 1), ("1", 1),
])  # fmt: skip
def test_a_number_is_read_whole(text, value):
    assert value in numbers(f"It is {text} of them.").values()


@pytest.mark.parametrize(("sentence", "source"), [
    ("It has forty-five parts.", "It has seventy-two parts."), ("It has three hundred.", "In three parts there are two hundred."),
    ("It grew 30 million years ago.", "It grew 300 million years ago."), ("The heart has 1 chamber.", "The heart has four chambers."),
    ("It weighs 5 mg.", "It weighs 5 g."), ("It moves at 20 km/s.", "It moves at 20 km/h."),
    ("It is fifty kilometres away.", "It is fifty metres away."), ("It was in the twelfth century.", "It was in the nineteenth century."),
    ("It flew to Mars today.", "It flew over marshes."), ("It is made of some chloride.", "It is made of chlorophyll."),
])  # fmt: skip
def test_an_altered_quantity_name_or_term_is_missing(sentence, source):
    assert unheld(sentence, source, is_term=lambda word: word == "chloride")


@pytest.mark.parametrize(("sentence", "source", "what"), [
    ("It has 90 g of soil.", "It has 90 kg of soil and 3 g of salt.", ("90 gram",)),
    ("It goes at 7 km/h.", "It goes at 7 m/s, another at 20 km/h.", ("7 kilometre/hour",)),
    ("It lasts 30 seconds.", "It lasts 30 minutes; 5 seconds later it ends.", ("30 second",)),
    ("It lasts 30 seconds.", "The first lasts 30 minutes, the next 30 seconds.", ()),
    ("It lasts 30 seconds.", "The row of 30 is in seconds, though it took 30 minutes to write.", ()),
    ("It is 1.7 km away.", "It is 1700 m away.", ()), ("It comes every two days.", "It comes every 48 hours.", ()),
    ("It goes at 36 km/h.", "It goes at 10 m/s.", ()), ("It is 1.7 km away.", "It is 170 m away.", ("1.7", "kilometre")),
])  # fmt: skip
def test_a_number_in_another_unit_is_missing_and_one_that_is_converted_is_not(sentence, source, what):
    assert missing(sentence, source) == what


def test_what_stands_in_the_evidence_is_held():
    assert missing("Asha saw the stone fall 20 metres in two seconds.") == ()


@pytest.mark.parametrize(("sentence", "what"), [
    ("The stone falls 25 m.", "25"), ("The stone falls 20 km.", "kilometre"), ("It was dropped by Ravi.", "Ravi"),
    ("The stone falls by photosynthesis.", "photosynthesis"),
])  # fmt: skip
def test_a_changed_number_unit_name_or_term_is_missing(sentence, what):
    assert what in missing(sentence)


def test_what_follows_only_by_arithmetic_is_missing():
    # "16 annas with 4 pice each, so 48 pice" follows by one step, and is false.
    assert missing("A rupee was worth 48 pice.", "A rupee had 16 annas with 4 pice each, 64 pice.\nWhat?") == ("48",)
    assert missing("The stone falls 77 m.") == ("77",)


def test_a_term_in_another_form_is_held():
    assert missing("Photosynthesising plants live.", "Plants live by photosynthesis.\nWhat do plants do?") == ()


def test_seed_a_patterns_are_what_no_passage_holds():
    assert invented_facts('It is the oldest tower, 73 m, said Ravi: “all that falls must rise again”.', BOOK) == [
        "73", "Ravi", "all that falls must rise again", "old",
    ]  # fmt: skip


def test_ordinary_words_in_est_are_no_superlatives():
    assert invented_facts("The forest is a place of interest and harvest.", "A place.") == []
