"""The examples that seed B prints, and the outcome of each here."""

from dataclasses import dataclass

from core.case import Scope
from tests.support.plants import PLANTS
from tests.support.seed_example import COOKIES, Example

ABOUT = "What is photosynthesis?"
FREE, NAMED = Scope(), Scope(documents=("plants.pdf",))
SYNTHESIZER, REFINE = "synthesizer", "refine_retrieve"
EARTH = "The earth moves round the sun. The moon moves round the earth. The earth turns once in a day"


@dataclass(frozen=True, kw_only=True)
class Row(Example):
    """What a search found. scores: final scores as printed; texts: passages that the reranker reads itself."""

    scope: Scope = FREE
    query: str = ABOUT
    scores: tuple = ()
    texts: tuple = ()


def zone(score, free, named):
    return {
        f"7 a confidence of {100 * score:g}, free search": Row(scores=(score,), seed=free),
        f"7 a confidence of {100 * score:g}, documents named": Row(scores=(score,), scope=NAMED, seed=named),
    }


TABLE = {
    **zone(0.0, REFINE, REFINE),
    **zone(0.29, REFINE, REFINE),
    **zone(0.30, REFINE, SYNTHESIZER),
    **zone(0.39, REFINE, SYNTHESIZER),
    **zone(0.40, SYNTHESIZER, SYNTHESIZER),
    **zone(1.0, SYNTHESIZER, SYNTHESIZER),
    "4 the mean is low and the maximum is not": Row(scores=(0.8, 0.1, 0.1, 0.1), seed=SYNTHESIZER),
    "9.1 the top chunks share a score": Row(texts=(PLANTS, PLANTS, EARTH), seed=SYNTHESIZER),
    "9.2 no valid chunks": Row(
        seed=REFINE, ours="refuse", difference="without a passage there is nothing to refine with, and a search that "
        "found nothing at all is not repeated: the question is refused at once, with confidence 0 as in the seed",
    ),
    "9.3 the cross-encoder gives every chunk the same": Row(texts=(PLANTS, PLANTS), seed=SYNTHESIZER),
    "9.4 all chunks score extremely low": Row(query=COOKIES, texts=(PLANTS, EARTH), seed=REFINE),
}  # fmt: skip
