"""Answers that say that there is none, through the whole chain, with the models that ship."""

import pytest

from core.banks.open_bank import REASON_NAMES, OpenBank
from core.decide.judged_sentences import ABSTENTIONS as IN_WORDS
from core.decide.routes import ROUTES
from core.evaluation.cases import LabelledCase
from core.graph import Explorer
from core.presets import preset
from core.reply.reply import reply_of
from core.reply.serialization import question_of
from core.words import REASONS
from tests.support.abstention_forms import ABSTENTIONS

CONTEXTS = [
    "The Velda is a river of the northern plain. The Velda is 140 km long and flows into Lake Orm. Its water is cold.",
    "A mill stands beside the Velda. The mill grinds wheat for the villages of the plain.",
]
ANSWERED, OPEN = "How long is the river Velda?", "Who painted the portrait of the miller's daughter?"
DEFAULT = preset("default")


@pytest.fixture(scope="module")
def judged(bundled_models):
    explorer = Explorer(None, bundled_models)

    def judges(query, answer, under=DEFAULT):
        return explorer.ask(question_of({"query": query, "answer": answer, "contexts": CONTEXTS}), under)

    return judges


@pytest.mark.parametrize("answer", ABSTENTIONS)
def test_an_abstention_is_neither_overwritten_nor_a_hallucination(judged, answer):
    _, found = judged(ANSWERED, answer)
    assert (found.route, found.primary_reason, found.abstention) == ("refuse", "abstained", "over_cautious")
    assert "hallucination_detected" not in found.reasons and "140" not in found.answer
    assert all(s.abstains and s.label is None and not s.citations for s in found.sentences)
    assert found.explanation == f"{REASONS['abstained'].sentence} {IN_WORDS['over_cautious']}"


@pytest.mark.parametrize("answer", ABSTENTIONS)
def test_an_abstention_is_right_where_the_books_do_not_answer(judged, answer):
    _, found = judged(OPEN, answer)
    assert (found.route, found.abstention) == ("refuse", "right") and "abstained" in found.reasons
    assert found.explanation.endswith(IN_WORDS["right"])


@pytest.mark.parametrize("name", ["seed_a", "seed_b", "seed_d", "seed_e"])
def test_where_no_check_for_hedges_blocks_an_abstention_goes_out_as_it_stands(judged, name):
    _, found = judged(ANSWERED, "The passages do not mention this.", preset(name))
    assert (found.route, found.answer, found.explanation) == ("deliver", "The passages do not mention this.", "")
    assert found.abstention == "over_cautious"


@pytest.mark.parametrize("open_part", [
    "The passages do not say when the mill was built.", "I don't know how deep it is.",
    "Nothing is said about fish.", "The date of the mill is not mentioned.",
])  # fmt: skip
def test_an_abstention_beside_a_true_sentence_goes_out_with_it(judged, open_part):
    _, found = judged(ANSWERED, f"The Velda is 140 km long. {open_part}")
    assert (found.route, found.primary_reason, found.abstention) == ("deliver", None, None)
    assert [s.abstains for s in found.sentences] == [False, True]


def test_an_abstention_stays_where_the_sentence_beside_it_is_corrected(judged):
    _, found = judged(ANSWERED, "The Velda is 410 km long. The passages do not say how deep it is.")
    assert found.route == "deliver_corrected"
    assert "140 km" in found.answer and "The passages do not say how deep it is." in found.answer


def test_an_abstention_stays_where_the_sentence_beside_it_is_left_out(judged):
    _, found = judged(ANSWERED, "The Velda is 140 km long. Bankers admire its gold. I don't know how deep it is.")
    assert found.route == "deliver_part"
    assert "I don't know how deep it is." in found.answer and "gold" not in found.answer


def test_an_abstention_alone_is_no_part_that_goes_out(judged):
    _, found = judged(OPEN, "Bankers admire its gold. I don't know who painted it.")
    assert not found.answered and "gold" not in found.answer


def test_json_says_whether_an_abstention_is_right(judged):
    trace, found = judged(ANSWERED, "I don't know.")
    row = reply_of(trace, found, preset("default")).row()
    assert (row["abstention"], row["primary_reason"], row["delivered"]) == ("over_cautious", "abstained", False)
    assert row["sentences"][0]["abstains"] and row["sentences"][0]["nli"]["label"] is None
    trace, found = judged(ANSWERED, "The Velda is 140 km long.")
    assert reply_of(trace, found, preset("default")).abstention is None


@pytest.mark.parametrize("name", ["default", "as_printed", "seed_c", "seed_e"])
def test_a_sweep_takes_the_ways_of_the_chain(judged, name):
    answers = [
        "I don't know.", "The Velda is 140 km long. I don't know how deep it is.",
        "The Velda is 140 km long. Bankers admire its gold. I don't know how deep it is.",
        "Bankers admire its gold. I don't know who painted it.",
    ]  # fmt: skip
    asked = [judged(ANSWERED, answer, preset(name)) for answer in answers]
    cases = [LabelledCase(row={"query": ANSWERED, "expected": "abstain"}, trace=trace) for trace, _ in asked]
    decided = OpenBank.of(cases).decided_at(preset(name))
    assert [ROUTES[n] for n in decided.routes[0]] == [found.route for _, found in asked]
    assert [REASON_NAMES[n] for n in decided.reasons[0]] == [found.primary_reason or "" for _, found in asked]
