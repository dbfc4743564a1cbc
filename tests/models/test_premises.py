"""What a model cannot read at once is read in windows, and nothing of it is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.cross_encoders import Room, readings

WORDS = Room(lambda text: len(text.split()), 16)


def test_what_fits_is_read_whole():
    assert readings("Iron rusts in damp air.", WORDS) == ["Iron rusts in damp air."]


def test_sentences_are_never_torn_while_several_are_left():
    text = " ".join(f"Sentence number {n} has exactly seven words." for n in range(6))
    found = readings(text, WORDS)
    assert len(found) >= 3 and all(window.startswith("Sentence") and window.endswith("words.") for window in found)
    for n in range(6):
        assert any(f"number {n} " in window for window in found)


@given(st.lists(st.sampled_from(["iron", "rusts.", "slowly", "Air", "holds", "gas?"]), min_size=1, max_size=120))
def test_every_window_fits_and_every_word_is_read(words):
    found = readings(" ".join(words), WORDS)
    assert all(WORDS.fits(window) for window in found)
    assert set(" ".join(found).split()) == set(words)


def test_one_endless_word_is_cut():
    found = readings("a" * 100, Room(len, 30))
    assert all(len(window) <= 30 for window in found) and "".join(found) == "a" * 100


@pytest.mark.parametrize("most", [3, 5])
def test_a_tiny_room_still_ends(most):
    assert readings("One two three four five six seven. Eight nine.", Room(lambda t: len(t.split()), most))
