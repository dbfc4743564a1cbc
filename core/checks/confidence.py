"""The evidence confidence: how well the best passage answers. Source document B calls it the confidence.

It decides whether the question is answered, searched for again, or refused.
"""

import numpy as np

from core.book_titles import place_of
from core.case import Case, Signals
from core.check import Bound, Check, Features, Signal
from core.decision import Decision, at_least, best, highest
from core.thresholds import Threshold


class Confidence(Check):
    """The best passage answers the question well enough: the probability of that, times a hundred, reaches the limit.

    The limit is lower if a person picked the book or its pages. Below the limit, the app rewrites the question and
    searches again. The confidence measures the evidence, not the truth of the answer. Catches questions that the books
    do not answer. Blind to everything but the single best passage.
    """

    short = "Evidence"
    plain = "The best passage is good enough"
    source_document = "B"
    stage = "query"
    fails_as = "low_confidence"
    decided_by = highest, "answers"

    answers = Signal(items=("passage",), unit="probability", help="Probability that each passage answers the question.")
    named = Signal(whole=True, unit="yes or no", help="1 when documents or pages were named.")

    min_confidence = Threshold(
        label="Evidence confidence", default=40, low=0, high=100, step=1, unit="of 100", stricter="higher",
        source_document="B",
        help="If no book is picked, the app answers only with at least this evidence confidence.",
    )  # fmt: skip
    min_confidence_named = Threshold(
        label="Confidence, book picked", default=30, low=0, high=100, step=1, unit="of 100", stricter="higher",
        source_document="B",
        help="If a book or pages are picked, the app answers only with at least this evidence confidence.",
    )  # fmt: skip
    refine_rounds = Threshold(
        label="Refined searches", default=2, low=0, high=2, step=1, unit="times", stricter="neither",
        source_document="B",
        help="Below the limit the app rewrites the question and searches again, at most this many times.",
    )  # fmt: skip
    stable_within = Threshold(
        label="Minimum search gain", default=2, low=0, high=20, step=1, unit="of 100", stricter="neither",
        source_document="B",
        help="The app does not search again if the last search changed the confidence by less than this.",
    )  # fmt: skip

    def measure(self, case: Case, features: Features) -> Signals:
        return {"answers": [e.answers for e in case.evidence], "named": float(case.question.scope.named)}

    def decide(self, s: Bound, t: Bound) -> Decision:
        # Divide the limit instead of multiplying the score: 100 * 0.29 is 28.999999999999996.
        named = s.named > 0
        limit = np.where(named, t.min_confidence_named, t.min_confidence)
        d = at_least(best(s.answers), limit / 100)
        by = np.where(named, "min_confidence_named", "min_confidence")
        return Decision(100 * d.value, 100 * d.limit, 100 * d.margin, by)

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        if not case.evidence:
            return "No passage was found, so the confidence is 0."
        top = max(case.evidence, key=lambda e: e.answers).passage
        return f"The best passage is {place_of(top)}."
