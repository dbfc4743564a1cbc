"""Do the passages, taken together, resemble the question?"""

from core.case import Case, Signals
from core.check import Bound, Check, Features, Signal
from core.decision import Decision, at_least, mean
from core.thresholds import Threshold


class ContextQuality(Check):
    """All retrieved passages together resemble the question: the mean of their similarities.

    Catches one lucky hit among unrelated passages. Blind to a single perfect passage with weak neighbours.
    """

    short = "All passages"
    plain = "The passages as a whole resemble the question"
    source_document = "E"
    stage = "query"
    fails_as = "low_confidence"

    cosine = Signal(items=("passage",), low=-1.0, unit="cosine", help="Similarity of each passage to the question.")

    min_context_quality = Threshold(
        label="Mean similarity", default=0.3, unit="cosine", stricter="higher", source_document="E",
        help="The passages must have at least this mean similarity to the question.",
    )  # fmt: skip

    def measure(self, case: Case, features: Features) -> Signals:
        return {"cosine": [e.cosine for e in case.evidence]}

    def decide(self, s: Bound, t: Bound) -> Decision:
        return at_least(mean(s.cosine), t.min_context_quality, "min_context_quality")

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        if not case.evidence:
            return "No passage was found."
        return f"The value is the mean over {len(case.evidence)} passage{'s' if len(case.evidence) > 1 else ''}."
