"""Does the question name what it asks about?"""

import numpy as np

from core.case import Case, Signals
from core.check import Bound, Check, Features, NotApplicable, Signal
from core.decision import Decision, at_least
from core.thresholds import Threshold


class Clarity(Check):
    """The question names what it asks about, so that there is one thing to search for.

    A word that only points ("it", "the other one") or that is in many sections names too little. A question that fails
    gets a question back, which names what the library could mean. Catches questions that any passage would fit. Blind
    to a clear question about something that has two meanings.
    """

    short = "Clear"
    plain = "The question names what it is about"
    source_document = "E"
    stage = "query"
    fails_as = "unclear"

    clarity = Signal(unit="score", help="How clearly the question names one thing to search for.")

    min_clarity = Threshold(
        label="Clarity of the question", default=0.6, low=0.0, high=1.0, step=0.05, unit="score", stricter="higher",
        source_document="E", help="If a question is less clear than this, the app asks what is meant.",
    )  # fmt: skip

    def measure(self, case: Case, features: Features) -> Signals:
        if case.kind != "question":
            raise NotApplicable("this turn asks nothing of the library")
        return {"clarity": np.asarray(features.clarity)}

    def decide(self, s: Bound, t: Bound) -> Decision:
        return at_least(s.clarity, t.min_clarity, "min_clarity")

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        if self.decide(s, t).passed:
            return "The question names what it asks about."
        if s.clarity > 0:
            return "A word of the question fits several sections, or points to something that is not named."
        return "The question names nothing to search for."
