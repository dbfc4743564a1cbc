"""What of a sentence can be looked up: numbers, units, names, terms, quotations, superlatives."""

import pytest

from core.facts import invented, numbers, unheld, units

BOOK = "The stone falls 20 m in 2 seconds.\nIt was dropped by Asha at the Qutub tower.\nHow far does the stone fall?"


def missing(sentence, source=BOOK):
    return unheld(sentence, source, is_term=lambda word: len(word) > 11).missing


def test_numbers_are_read_in_figures_and_words():
    assert numbers("Twelve of 1,000 seeds weigh 0.50 g, H2O aside") == {
        "twelve": 12,
        "1,000": 1000,
        "0.50": 0.5,
    }


def test_units_are_known_by_any_of_their_names():
    assert units("5 metres, 7 km, 30 °C and 12 apples") == {
        "metres": "metre",
        "km": "kilometre",
        "°C": "celsius",
    }


def test_what_stands_in_the_evidence_is_held():
    assert missing("Asha saw the stone fall 20 metres in two seconds.") == ()


@pytest.mark.parametrize(("sentence", "what"), [
    ("The stone falls 25 m.", "25"), ("The stone falls 20 km.", "km"), ("It was dropped by Ravi.", "Ravi"),
    ("The stone falls by photosynthesis.", "photosynthesis"),
])  # fmt: skip
def test_a_changed_number_unit_name_or_term_is_missing(sentence, what):
    assert what in missing(sentence)


def test_a_number_one_step_away_is_computed_and_not_missing():
    found = unheld("The stone falls 10 m each second.", BOOK, is_term=lambda word: False)
    assert (found.missing, found.computed) == ((), ("10",))


def test_two_steps_away_is_missing():
    assert missing("The stone falls 77 m.") == ("77",)


def test_a_term_in_another_form_is_held():
    assert missing("Photosynthesising plants live.", "Plants live by photosynthesis.\nWhat do plants do?") == ()


def test_seed_a_patterns_are_what_no_passage_holds():
    assert invented('It is the oldest tower, 73 m, said Ravi: “all that falls must rise again”.', BOOK) == [
        "73", "Ravi", "all that falls must rise again", "old",
    ]  # fmt: skip


def test_ordinary_words_in_est_are_no_superlatives():
    assert invented("The forest is a place of interest and harvest.", "A place.") == []
