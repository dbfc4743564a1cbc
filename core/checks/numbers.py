"""Does every number, unit and named term of the answer stand in its evidence?"""

import numpy as np

from core.case import Case, Signals
from core.check import Bound, Check, Decision, NotApplicable, Signal, at_most
from core.features.case_features import CaseFeatures


class Numbers(Check):
    """Each number, unit and named term of a sentence stands in its evidence or in the question.

    A number that follows from those by one arithmetic step counts as computed, and passes. Catches a changed figure,
    unit or name. Blind to the right figure in the wrong place.
    """

    plain = "Every number and name stands in the evidence"
    seed = "ours"
    stage = "answer"

    missing = Signal(
        items=("sentence",),
        high=999,
        whole=True,
        unit="items",
        help="Numbers, units and names of each sentence without evidence.",
    )
    computed = Signal(
        items=("sentence",),
        high=999,
        whole=True,
        unit="numbers",
        help="Numbers that follow by one arithmetic step.",
    )

    def measure(self, case: Case, features: CaseFeatures) -> Signals:
        if not case.sentences:
            raise NotApplicable("there is no answer to look at")
        found = features.unheld
        return {"missing": [len(f.missing) for f in found], "computed": [len(f.computed) for f in found]}

    def decide(self, s: Bound, t: Bound) -> Decision:
        missing = np.nansum(s.missing, -1)
        return at_most(np.where(np.isnan(s.missing).all(-1), np.nan, missing), np.zeros(()))

    def reason(self, s: Bound, t: Bound) -> str:
        return "hallucination_detected"

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        where = np.flatnonzero(s.missing) + 1
        if len(where):
            return f"Sentence {', '.join(map(str, where))} has a number, unit or name that its evidence does not hold."
        return (
            f"{s.computed.sum():.0f} computed by one arithmetic step."
            if s.computed.sum()
            else "All stand in the evidence."
        )
