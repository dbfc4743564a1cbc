"""Answers that give one of two things what the lesson says of the other, through the whole chain, with the models that
ship."""

import pytest

from core.graph import Explorer
from core.presets import preset
from core.reply.serialization import question_of
from tests.support.crossed_pairs import IN_TWO_SENTENCES, PAIRS

LEFT_OPEN = ("Hydrogen is oxidised, while copper oxide is reduced.",)
"""Right facts that the language models do not find in the text, whatever is crossed."""


@pytest.fixture(scope="module")
def judged(known_models):
    explorer = Explorer(None, known_models)

    def judges(text, answer):
        one, other = [word.strip(".,;") for word in text.split() if len(word) > 4][:2]
        row = {"query": f"What does the lesson say of {one} and {other}?", "answer": answer, "contexts": [text]}
        return explorer.ask(question_of(row), preset("default"))[1]

    return judges


@pytest.mark.parametrize(("text", "crossed"), [pair[:2] for pair in [*PAIRS, *IN_TWO_SENTENCES]])
def test_a_crossed_fact_has_no_evidence_and_does_not_go_out(judged, text, crossed):
    found = judged(text, crossed)
    assert found.checks["support"].state == "failed" and found.checks["support"].reason == "hallucination_detected"
    assert found.route != "clarify" and crossed not in found.answer


@pytest.mark.parametrize(("text", "right"), [pair[::2] for pair in [*PAIRS, *IN_TWO_SENTENCES]])
def test_the_right_fact_has_its_evidence(judged, text, right):
    checks = judged(text, right).checks
    assert checks["numbers"].state == "passed"
    assert (checks["support"].state == "passed") == (right not in LEFT_OPEN)
