"""Did the search find anything good at all?"""

from core.book_titles import place_of
from core.case import Case, Signals
from core.check import Bound, Check, Features, Signal
from core.decision import Decision, at_least, best, highest
from core.thresholds import Threshold


class RetrievalScore(Check):
    """The top passage of the hybrid search scores high enough.

    Catches searches that found nothing. Blind to a high score from the right words in the wrong sense.
    """

    short = "Search"
    plain = "The first search result scores high enough"
    source_document = "C"
    stage = "query"
    fails_as = "low_confidence"
    decided_by = highest, "hybrid"

    hybrid = Signal(items=("passage",), unit="probability", help="Score of each passage in the hybrid search.")

    min_retrieval_score = Threshold(
        label="Top search score", default=0.3, unit="probability", stricter="higher", source_document="C",
        help="The top passage of the search must have at least this score.",
    )  # fmt: skip

    def measure(self, case: Case, features: Features) -> Signals:
        return {"hybrid": [e.hybrid for e in case.evidence]}

    def decide(self, s: Bound, t: Bound) -> Decision:
        return at_least(best(s.hybrid), t.min_retrieval_score, "min_retrieval_score")

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        if not case.evidence:
            return "No passage was found."
        top = max(case.evidence, key=lambda e: e.hybrid).passage
        return f"The first result of the search is {place_of(top)}."
