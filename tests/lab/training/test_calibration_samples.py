"""Weak labels say what a reader would say of clear cases."""

import pytest

from core.lab.training.calibration_samples import WeakLabels

TEXTS = [
    "Sound needs a medium. It cannot travel through empty space.",
    "Exercises. Why can sound not travel through empty space?",
    "A pendulum swings to and fro. Its time period depends on its length.",
    "The pitch of a sound rises with its frequency.",
]
QUESTION = "Why can sound not travel through empty space?"
REFERENCE = "Because it needs a medium whose particles vibrate."


@pytest.fixture
def labels():
    return WeakLabels(TEXTS, ["sound", "exercises", "motion", "other"], lambda _: 1.0)


def test_a_passage_that_says_what_the_reference_adds_answers(labels):
    assert labels.answers(QUESTION, REFERENCE, 0)


def test_a_passage_that_only_repeats_the_question_does_not_answer_it(labels):
    assert labels.about(QUESTION, 1)
    assert not labels.answers(QUESTION, REFERENCE, 1)


def test_a_passage_on_something_else_is_not_about_the_question(labels):
    assert not labels.about(QUESTION, 2)
    assert not labels.answers(QUESTION, REFERENCE, 2)


def test_words_that_only_ask_make_no_topic(labels):
    assert labels.about("Explain the pitch, and give an example.", 3)


def test_a_reference_that_adds_nothing_says_nothing(labels):
    assert labels.answers(QUESTION, "Sound cannot travel through empty space.", 0) is None


def test_neighbours_count_only_within_their_document():
    together = WeakLabels(TEXTS[:2], ["sound", "sound"], lambda _: 1.0)
    assert not together.answers(QUESTION, REFERENCE, 1)  # it touches none of the new words itself
    question = "What is the medium of sound, of empty space, of exercises?"
    assert together.about(question, 1)
    assert not WeakLabels(TEXTS[:2], ["sound", "other"], lambda _: 1.0).about("What medium does it need?", 1)
