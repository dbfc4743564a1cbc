"""The examples that seed A prints, and the outcome of each here."""

from dataclasses import dataclass

from core.safety import SafetyThresholds
from tests.support.seed_example import COOKIES, Example

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
CHUNK = {"text": PROGRESSION, "document": "jemh105.pdf", "page": 3, "class_number": 10, "subject": "Mathematics"}
ANSWER = "An AP is a sequence [1]. It has a common difference [1]."
STRICTER = SafetyThresholds(min_retrieval_confidence=0.85, min_chunks_required=3, min_grounding_score=0.9)
TERM = "Each term is obtained by adding a fixed number to the preceding term [1]."
ACCEPTED = "accepted"


@dataclass(frozen=True, kw_only=True)
class Row(Example):
    """One call of the seed's interface; `seed` is the reason of a rejection, or ACCEPTED."""

    query: str
    chunks: tuple
    answer: str | None = None
    thresholds: SafetyThresholds | None = None


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
        query="What is the capital of Mars?", chunks=(), seed="insufficient_context",
    ),
    "2 less than 100 characters": Row(
        query=ABOUT, chunks=scored("An arithmetic progression is a sequence of numbers.", 0.9),
        seed="insufficient_context",
    ),
    "3 cookies, the score printed": Row(
        query=COOKIES, chunks=scored(FOOD, 0.25), seed="off_topic",
    ),
    "3 cookies, measured": Row(
        query=COOKIES, chunks=(FOOD,), seed="off_topic",
    ),
    "3 another class": Row(
        query=ABOUT, chunks=({"text": PROGRESSION, "class_number": 9},), seed="off_topic",
    ),
    "4 only the first sentence cited": Row(
        query=ABOUT, chunks=(PROGRESSION,), answer="An AP is a sequence [1]. It has a common difference.",
        seed="missing_citations", ours=ACCEPTED,
        difference="one mark on the first or the last sentence of a paragraph cites the whole paragraph",
    ),
    "4 a citation that maps to no chunk": Row(
        query=ABOUT, chunks=(PROGRESSION,), answer="An AP is a sequence [4].",
        seed="invalid_citations",
    ),
    "4 no mark at all": Row(
        query=ABOUT, chunks=(PROGRESSION,), answer="An AP is a sequence. It has a common difference.",
        seed="missing_citations", ours=ACCEPTED,
        difference="an answer without any mark is attributed: its citations are added automatically",
    ),
    "4 four of five sentences cited": Row(
        query=ABOUT, chunks=(PROGRESSION,), answer=f"An AP is a sequence [1]. {TERM} {TERM} {TERM} It has a difference.",
        seed="missing_citations", ours=ACCEPTED,
        difference="the trigger says any sentence, its limit min_citation_coverage says 0.8; the limit stands",
    ),
    "5 external knowledge": Row(
        query=ABOUT, chunks=(PROGRESSION,),
        answer="An AP is a sequence of numbers [1]. Bankers everywhere love such clever schemes [1].",
        seed="low_grounding",
    ),
    "5 external knowledge with a name": Row(
        query=ABOUT, chunks=(PROGRESSION,),
        answer="An AP is a sequence of numbers [1]. Bankers in Greece love such clever schemes [1].",
        seed="low_grounding", ours="hallucination_detected",
        difference="the seed has a word of its own for what no chunk holds, and a name is that",
    ),
    "usage, an answer that its chunks bear out": Row(query=ABOUT, chunks=(CHUNK,), answer=ANSWER, seed=ACCEPTED),
    "usage, stricter thresholds and one chunk": Row(
        query=ABOUT, chunks=(CHUNK,), answer=ANSWER, thresholds=STRICTER, seed="insufficient_context",
    ),
    "usage, stricter thresholds and three chunks": Row(
        query=ABOUT, chunks=(CHUNK,) * 3, answer=ANSWER, thresholds=STRICTER, seed=ACCEPTED,
    ),
}  # fmt: skip
