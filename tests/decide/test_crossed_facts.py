"""Answers that give one of two things what the lesson says of the other, through the whole chain, with the models that
ship."""

import pytest

from core.graph import Explorer
from core.presets import preset
from core.reply.serialization import question_of
from tests.support.crossed_pairs import PAIRS


@pytest.fixture(scope="module")
def judged(known_models):
    explorer = Explorer(None, known_models)

    def judges(text, answer):
        row = {"query": "What does the lesson say of these two?", "answer": answer, "contexts": [text]}
        return explorer.ask(question_of(row), preset("default"))[1]

    return judges


@pytest.mark.parametrize(("text", "crossed"), [pair[:2] for pair in PAIRS])
def test_a_crossed_fact_has_no_evidence_and_does_not_go_out(judged, text, crossed):
    found = judged(text, crossed)
    assert found.route != "deliver" and crossed not in found.answer
    assert found.checks["numbers"].state == "failed" and found.checks["numbers"].reason == "hallucination_detected"


@pytest.mark.parametrize(("text", "right"), [pair[::2] for pair in PAIRS])
def test_the_right_fact_has_its_evidence(judged, text, right):
    assert judged(text, right).checks["numbers"].state == "passed"
