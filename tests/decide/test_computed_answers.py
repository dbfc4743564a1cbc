"""Answers that are computed from numbers of the question, through the whole chain, with the models that ship."""

import pytest

from core.graph import Explorer
from core.presets import preset
from core.reply.serialization import question_of

ECHO = (
    "If an echo is heard after 3 s, the wall stands at a distance of 510 metres. In air sound travels 340 metres in a "
    "second, so that an echo comes back soon."
)
LIST = "The common difference of the list 2, 5, 8 is 3. Its first term is 2, and each term is larger than the last."
LAMP = "A lamp of 60 W that burns for 5 hours uses 300 watt hours of energy. A lamp with a higher power is brighter."


@pytest.fixture(scope="module")
def judged(bundled_models):
    explorer = Explorer(None, bundled_models)

    def judges(query, answer, text):
        return explorer.ask(question_of({"query": query, "answer": answer, "contexts": [text]}), preset("default"))[1]

    return judges


@pytest.mark.parametrize(("query", "answer", "text", "other"), [
    ("An echo is heard after 2 s. How far away is the wall?", "The wall is 340 metres away.", ECHO, "510"),
    ("An echo is heard after 2 s. How far away is the wall?", "340 metres", ECHO, "510"),
    ("An echo is heard after 4 s. How far away is the wall?", "It stands at 680 metres.", ECHO, "510"),
    ("An echo is heard after 1.5 s. How far away is the wall?", "The distance is 255 metres.", ECHO, "510"),
    ("How much energy does a lamp of 40 W use in 6 hours?", "It uses 240 watt hours.", LAMP, "300"),
    ("How much energy does a lamp of 100 W use in 2 hours?", "200 watt hours", LAMP, "300"),
])  # fmt: skip
def test_a_computed_answer_is_not_replaced_by_the_result_of_another_question(judged, query, answer, text, other):
    found = judged(query, answer, text)
    assert (found.route, found.primary_reason) == ("refuse", "hallucination_detected") and other not in found.answer


@pytest.mark.parametrize("answer", ["The 11th term is 35.", "The 11th term is 29."])
def test_a_result_that_the_book_does_not_give_is_a_hallucination(judged, answer):
    found = judged("What is the 11th term of the list 2, 5, 8?", answer, LIST)
    assert (found.route, found.primary_reason) == ("refuse", "hallucination_detected")
