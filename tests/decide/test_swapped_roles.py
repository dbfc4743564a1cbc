"""Answers that swap what they pair, through the whole chain, with the models that ship."""

import pytest

from core.graph import Explorer
from core.presets import preset
from core.reply.serialization import question_of
from tests.support.swapped_pairs import PAIRS


@pytest.fixture(scope="module")
def judged(known_models):
    explorer = Explorer(None, known_models)

    def judges(text, answer):
        row = {"query": "What does the lesson say of these two?", "answer": answer, "contexts": [text]}
        return explorer.ask(question_of(row), preset("default"))[1]

    return judges


@pytest.mark.parametrize(("text", "swapped"), [pair[:2] for pair in PAIRS])
def test_a_swap_is_a_contradiction_and_does_not_go_out(judged, text, swapped):
    found = judged(text, swapped)
    assert {s.label for s in found.sentences} == {"contradiction"}
    assert found.route != "deliver" and swapped not in found.answer
    assert (
        found.checks["entailment"].state == "failed" and found.checks["entailment"].reason == "hallucination_detected"
    )


@pytest.mark.parametrize(("text", "alike"), [pair[::2] for pair in PAIRS])
def test_the_same_pairs_in_other_words_are_none(judged, text, alike):
    signals = judged(text, alike).round.signals["entailment"]
    assert (signals["contradiction"] < 1).all()
