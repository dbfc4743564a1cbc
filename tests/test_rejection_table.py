"""Seed A's rejection table, its five triggers with their own examples, with the real models; each difference is named."""

from dataclasses import dataclass

import pytest

from core.safety import RejectionReason, check_safety

pytestmark = pytest.mark.usefixtures("bundled_models")

ABOUT = "What is an arithmetic progression?"
PROGRESSION = (
    "An arithmetic progression is a sequence of numbers in which each term is obtained by adding a fixed number to the "
    "preceding term. This fixed number is called the common difference of the AP. An AP has a common difference, which "
    "may be positive, negative or zero."
)
PARTICLES = (
    "Matter is made up of particles. The particles of matter are very small. Particles of matter have space between "
    "them and are continuously moving."
)
FOOD = (
    "Plants prepare their own food. Animals take in food made by plants. Food contains carbohydrates, proteins, fats "
    "and vitamins."
)
TERM = "Each term is obtained by adding a fixed number to the preceding term [1]."


@dataclass(frozen=True, kw_only=True)
class Row:
    """One example of the seed. seed: what it prints. ours: what is said here, None for an accepted answer.

    difference: why ours is another; "" where it is the same.
    """

    query: str
    chunks: tuple
    answer: str | None = None
    seed: str
    ours: str | None
    difference: str = ""


def scored(text, score):
    return ({"text": text, "score": score},)


TABLE = {
    "1 quantum entanglement, the score printed": Row(
        query="Explain quantum entanglement", chunks=scored(PARTICLES, 0.35),
        seed="low_confidence", ours="insufficient_context",
        difference="min_similarity_score is 0.5 too, so no chunk counts; of two reasons that there is nothing to "
        "answer from explains more than that it is weak",
    ),
    "1 quantum entanglement, measured": Row(
        query="Explain quantum entanglement", chunks=(PARTICLES,), seed="low_confidence", ours="off_topic",
        difference="the real cosine with a passage that mentions particles is lower than the 0.35 printed, below the "
        "topic limit",
    ),
    "2 capital of Mars, nothing retrieved": Row(
        query="What is the capital of Mars?", chunks=(), seed="insufficient_context", ours="insufficient_context",
    ),
    "2 less than 100 characters": Row(
        query=ABOUT, chunks=scored("An arithmetic progression is a sequence of numbers.", 0.9),
        seed="insufficient_context", ours="insufficient_context",
    ),
    "3 cookies, the score printed": Row(
        query="How do I make chocolate chip cookies?", chunks=scored(FOOD, 0.25), seed="off_topic", ours="off_topic",
    ),
    "3 cookies, measured": Row(
        query="How do I make chocolate chip cookies?", chunks=(FOOD,), seed="off_topic", ours="off_topic",
    ),
    "3 another class": Row(
        query=ABOUT, chunks=({"text": PROGRESSION, "class_number": 9},), seed="off_topic", ours="off_topic",
    ),
    "4 only the first sentence cited": Row(
        query=ABOUT, chunks=(PROGRESSION,), answer="An AP is a sequence [1]. It has a common difference.",
        seed="missing_citations", ours="missing_citations",
    ),
    "4 a citation that maps to no chunk": Row(
        query=ABOUT, chunks=(PROGRESSION,), answer="An AP is a sequence [4].",
        seed="invalid_citations", ours="invalid_citations",
    ),
    "4 no mark at all": Row(
        query=ABOUT, chunks=(PROGRESSION,), answer="An AP is a sequence. It has a common difference.",
        seed="missing_citations", ours=None,
        difference="an answer without any mark is attributed: its sources are found by us",
    ),
    "4 four of five sentences cited": Row(
        query=ABOUT, chunks=(PROGRESSION,), answer=f"An AP is a sequence [1]. {TERM} {TERM} {TERM} It has a difference.",
        seed="missing_citations", ours=None,
        difference="the trigger says any sentence, its limit min_citation_coverage says 0.8; the limit stands",
    ),
    "5 external knowledge": Row(
        query=ABOUT, chunks=(PROGRESSION,),
        answer="An AP is a sequence of numbers [1]. Bankers everywhere love such clever schemes [1].",
        seed="low_grounding", ours="low_grounding",
    ),
    "5 external knowledge with a name": Row(
        query=ABOUT, chunks=(PROGRESSION,),
        answer="An AP is a sequence of numbers [1]. Bankers in Greece love such clever schemes [1].",
        seed="low_grounding", ours="hallucination_detected",
        difference="the seed has a word of its own for what no chunk holds, and a name is that",
    ),
}  # fmt: skip


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE)
def test_an_example_of_the_seed_is_rejected_for_its_reason(row):
    result = check_safety(row.query, list(row.chunks), row.answer, class_number=10)
    assert result.rejection_reason is (RejectionReason(row.ours) if row.ours else None), result.explanation
    assert result.should_reject is (row.ours is not None)


def test_every_difference_from_the_seed_is_named_and_nothing_else_is():
    assert [bool(row.difference) for row in TABLE.values()] == [row.ours != row.seed for row in TABLE.values()]
    assert {row.seed for row in TABLE.values()} == {
        "low_confidence", "insufficient_context", "off_topic", "missing_citations", "invalid_citations", "low_grounding",
    }  # fmt: skip
