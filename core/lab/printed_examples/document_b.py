"""The examples that source document B prints, and the outcome of each here."""

from core.case import Scope
from core.lab.printed_examples.example import COOKIES, Example, scored

PLANTS = (
    "Photosynthesis is the process by which green plants make their own food. Plants need sunlight, water and carbon "
    "dioxide for photosynthesis. The green substance in the leaves is called chlorophyll. Chlorophyll takes in the "
    "energy of sunlight. Oxygen is given out during photosynthesis. Starch is the form in which food is stored."
)
"""A chapter of one paragraph."""
ABOUT = "What is photosynthesis?"
ANSWER = "Photosynthesis is the process by which green plants make their own food."
FREE, NAMED = Scope(), Scope(documents=("plants.pdf",))
SYNTHESIZER, REFINE = "synthesizer", "refine_retrieve"
EARTH = "The earth moves round the sun. The moon moves round the earth. The earth turns once in a day."


def row(printed: str, *scores: float, **fields: object) -> Example:
    """An example of source document B.

    printed: the node of its graph that follows, REFINE (search again) or SYNTHESIZER (write). scores: the final score
    of each passage, as the document prints them; without scores, the `contexts` in `fields` are measured.
    """
    contexts = tuple(context for score in scores for context in scored((PLANTS,), score))
    return Example(printed=printed, **{"query": ABOUT, "answer": ANSWER, "contexts": contexts} | fields)


def zone(score: float, free: str, named: str) -> dict[str, Example]:
    """Two examples with the same confidence, which lies in a zone of the picture that document B prints: one for a
    search in the whole library, one for a search in named documents.

    free, named: the node that the document prints for the first and for the second example.
    """
    return {
        f"7 a confidence of {100 * score:g}, free search": row(free, score),
        f"7 a confidence of {100 * score:g}, documents named": row(named, score, scope=NAMED),
    }


TABLE = {
    **zone(0.0, REFINE, REFINE),
    **zone(0.29, REFINE, REFINE),
    **zone(0.30, REFINE, SYNTHESIZER),
    **zone(0.39, REFINE, SYNTHESIZER),
    **zone(0.40, SYNTHESIZER, SYNTHESIZER),
    **zone(1.0, SYNTHESIZER, SYNTHESIZER),
    "4 the mean is low and the maximum is not": row(SYNTHESIZER, 0.8, 0.1, 0.1, 0.1),
    "9.1 the top chunks share a score": row(SYNTHESIZER, contexts=scored((PLANTS, PLANTS, EARTH))),
    "9.2 no valid chunks": row(REFINE),
    "9.3 the cross-encoder gives every chunk the same": row(SYNTHESIZER, contexts=scored((PLANTS, PLANTS))),
    "9.4 all chunks score extremely low": row(REFINE, query=COOKIES, contexts=scored((PLANTS, EARTH))),
}  # fmt: skip
