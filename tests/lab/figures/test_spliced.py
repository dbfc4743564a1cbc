"""A sentence is spliced when it stands on its page only without a run of letters inside it."""

import pytest

from core.lab.figures.spliced import is_interrupted, letters, spliced_run

PAGE = letters("The near point gradually recedes away. Figure 10.3 Correction for hypermetropia. The lens is convex.")


@pytest.mark.parametrize(
    ("sentence", "run"),
    [
        ("The near point gradually recedes away.", ""),
        ("The near correction for hypermetropia point gradually recedes away.", "correctionforhypermetropia"),
        ("The near big point gradually recedes away.", ""),  # three letters are no run
        ("The near point recedes gradually away.", ""),  # nothing that can be taken out makes it whole
        ("recedes away. Figure 10.3", ""),
    ],
)
def test_the_run_that_does_not_belong_there_is_found(sentence, run):
    assert spliced_run(letters(sentence), [PAGE]) == run


def test_a_sentence_that_is_whole_in_one_order_is_not_spliced():
    sentence = letters("The near correction for hypermetropia point gradually recedes away.")
    assert spliced_run(sentence, [PAGE, f"a{sentence}b"]) == ""


def test_a_sentence_that_goes_on_behind_a_picture_is_interrupted():
    assert is_interrupted(letters("The near point gradually recedes away. The lens is convex."), PAGE)
    assert not is_interrupted(letters("The lens is convex. The near point gradually recedes away."), PAGE)
    assert not is_interrupted(letters("The near point is convex."), PAGE[:60])


def test_only_letters_count_and_ligatures_are_opened():
    assert letters("Re\ufb02ec-\ntion, 10⁸ m") == "reflectionm"
