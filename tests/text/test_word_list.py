"""Which words are everyday English, in any of their forms, and which are terms of a subject."""

import pytest

from core.text.verifiable_facts import unheld
from core.text.words import is_everyday


@pytest.mark.parametrize("word", "absorbs absorb resists reverses minimizes plugging deprives unwanted swims boils enhances".split())  # fmt: skip
def test_a_form_of_an_everyday_word_is_everyday(word):
    assert is_everyday(word)


@pytest.mark.parametrize("word", "chlorophyll osmotic centripetal xylem anaerobic ligaments photosynthesis nucleoid".split())  # fmt: skip
def test_a_term_of_a_subject_is_not(word):
    assert not is_everyday(word)


def test_an_everyday_word_that_the_evidence_lacks_is_no_missing_term():
    evidence = "Green leaves take in heat. They are full of water."
    assert unheld("Green leaves hold water, which absorbs heat.", evidence, lambda word: True) == []
    assert unheld("Green leaves hold chlorophyll.", evidence, lambda word: True) == ["chlorophyll"]
