"""PDFs broken at random: each is read, or refused in one sentence."""

import random

import pytest

from tests.library.mutants import INJURIES, is_one_sentence, mutant, originals, outcome

SHARE = range(0, 300, 13)


@pytest.mark.parametrize("seed", SHARE)
def test_a_mutant_is_read_or_refused_in_one_sentence(seed):
    found = outcome(mutant(seed))
    assert found == "read" or is_one_sentence(found), found


def test_the_originals_are_sound():
    assert [outcome(data) for data in originals()] == ["read"] * len(originals())


def test_a_seed_is_always_the_same_mutant_and_every_injury_changes_something():
    assert mutant(7) == mutant(7) != mutant(8)
    for injury in INJURIES:
        assert any(injury(originals()[0], random.Random(seed)) != originals()[0] for seed in range(5))


def test_only_one_sentence_about_the_file_counts_as_one():
    assert is_one_sentence("mutant.pdf is empty; choose another.")
    for text in ("mutant.pdf is empty", "It is empty.", "mutant.pdf is empty. Sorry.", "mutant.pdf is\nempty."):
        assert not is_one_sentence(text)
