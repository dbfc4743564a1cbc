"""The examples that source document A prints, and the outcome of each here."""

from core.case import Context, Scope
from core.lab.printed_examples.example import COOKIES, Example, scored

ABOUT = "What is an arithmetic progression?"
PROGRESSION = (
    "An arithmetic progression is a sequence of numbers in which each term is obtained by adding a fixed number to the "
    "preceding term. This fixed number is called the common difference of the AP. An AP has a common difference, which "
    "may be positive, negative or zero."
)
PARTICLES = "Physics explains how the smallest particles behave. Two particles can pull on each other over a distance."
"""It mentions particles; its measured cosine with the question is near the score of 0.35 that the document prints."""
FOOD = (
    "Plants prepare their own food. Animals take in food made by plants. Food contains carbohydrates, proteins, fats "
    "and vitamins."
)
CLASS_10 = Scope(class_number=10, subject="Mathematics")
CHUNK = Context(text=PROGRESSION, document="jemh105.pdf", page=3, class_number=10, subject="Mathematics")
ANSWER = "An AP is a sequence [1]. It has a common difference [1]."
SIGN = "The difference may be positive, negative or zero [1]."
TERM = "Each term is obtained by adding a fixed number to the preceding term [1]."
STRICTER = (
    "retrieval_confidence.min_retrieval_confidence=0.85", "context_sufficiency.min_chunks_required=3",
    "grounding.min_grounding_score=0.9",
)  # fmt: skip
ACCEPTED = "accepted"


def row(printed: str, **fields: object) -> Example:
    """An example of source document A: one call of the interface that it describes.

    printed: the reason of a rejection, or ACCEPTED. fields: further fields of the example.
    """
    return Example(printed=printed, **{"query": ABOUT, "scope": CLASS_10} | fields)


TABLE = {
    "1 quantum entanglement, with the printed score": row(
        query="Explain quantum entanglement", contexts=scored((PARTICLES,), 0.35),
        printed="low_confidence",
    ),
    "1 quantum entanglement, with the measured score": row(
        query="Explain quantum entanglement", contexts=scored((PARTICLES,)), printed="low_confidence",
    ),
    "2 capital of Mars, nothing retrieved": row(
        query="What is the capital of Mars?", contexts=(), printed="insufficient_context",
    ),
    "2 less than 100 characters": row(
        contexts=scored(("An arithmetic progression is a sequence of numbers.",), 0.9),
        printed="insufficient_context",
    ),
    "3 cookies, with the printed score": row(
        query=COOKIES, contexts=scored((FOOD,), 0.25), printed="off_topic",
    ),
    "3 cookies, with the measured score": row(
        query=COOKIES, contexts=scored((FOOD,)), printed="off_topic",
    ),
    "3 another class": row(
        contexts=(Context(text=PROGRESSION, class_number=9),), printed="off_topic",
    ),
    "4 only the first sentence cited": row(
        contexts=scored((PROGRESSION,)), answer="An AP is a sequence [1]. It has a common difference.",
        printed="missing_citations",
    ),
    "4 a citation that leads to no chunk": row(
        contexts=scored((PROGRESSION,)), answer="An AP is a sequence [4].",
        printed="invalid_citations",
    ),
    "4 no mark at all": row(
        contexts=scored((PROGRESSION,)), answer="An AP is a sequence. It has a common difference.",
        printed="missing_citations",
    ),
    "4 four of five sentences cited, the 80 % of the configuration": row(
        contexts=scored((PROGRESSION,)), answer=f"{ANSWER} {TERM} {SIGN} The number is fixed.", printed=ACCEPTED,
    ),
    "5 external knowledge": row(
        contexts=scored((PROGRESSION,)),
        answer="An AP is a sequence of numbers [1]. Bankers everywhere love such clever schemes [1].",
        printed="low_grounding",
    ),
    "5 a hallucination pattern, a name that no chunk holds": row(
        contexts=scored((PROGRESSION,)),
        answer="An AP is a sequence of numbers [1]. Bankers in Greece love such clever schemes [1].",
        printed="hallucination_detected",
    ),
    "usage, an answer that its chunks bear out": row(contexts=(CHUNK,), answer=ANSWER, printed=ACCEPTED),
    "usage, stricter thresholds and one chunk": row(
        contexts=(CHUNK,), answer=ANSWER, changes=STRICTER, printed="insufficient_context",
    ),
    "usage, stricter thresholds and three chunks": row(
        contexts=(CHUNK,) * 3, answer=ANSWER, changes=STRICTER, printed=ACCEPTED,
    ),
}  # fmt: skip
