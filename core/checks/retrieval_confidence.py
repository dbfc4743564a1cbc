"""Are the passages about the topic of the question?"""

import numpy as np

from core.book_titles import place_of
from core.case import Case, Signals
from core.check import Bound, Check, Features, Signal
from core.decision import Decision, at_least, highest, mean
from core.thresholds import Threshold


class RetrievalConfidence(Check):
    """The three best passages are, on average, about the topic of the question.

    Catches questions that share only a single word with the books. Blind to a topic that the books name without
    answering the question.
    """

    short = "Best three"
    plain = "The three best passages are on the question's topic"
    source_document = "A"
    stage = "query"
    fails_as = "low_confidence"
    decided_by = highest, "related"

    related = Signal(items=("passage",), unit="probability", help="Probability that each passage is about the topic.")

    min_retrieval_confidence = Threshold(
        label="Mean of the best three", default=0.6, unit="probability", stricter="higher", source_document="A",
        help="The mean probability that the best three passages are about the topic must be at least this.",
    )  # fmt: skip

    def measure(self, case: Case, features: Features) -> Signals:
        return {"related": [e.related for e in case.evidence]}

    def decide(self, s: Bound, t: Bound) -> Decision:
        # NaN sorts last; with fewer than three passages the mean is over all of them
        best_three = -np.sort(-s.related, axis=-1)[..., :3]
        return at_least(mean(best_three), t.min_retrieval_confidence, "min_retrieval_confidence")

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        if not case.evidence:
            return "No passage was found."
        best = max(case.evidence, key=lambda e: e.related).passage
        return f"The passage that is most about the topic is {place_of(best)}."
