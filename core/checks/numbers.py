"""Does every number, unit and named term of the answer stand in its evidence?"""

import numpy as np

from core.case import Case, Signals
from core.check import Bound, Check, Decision, Signal, listed, none_of, require_claim
from core.features.case_features import CaseFeatures


class Numbers(Check):
    """Each number, unit and named term of a sentence stands in its evidence or in the question.

    A number that follows from those by one arithmetic step counts as computed, and passes. Catches a changed figure,
    unit or name. Blind to the right figure in the wrong place.
    """

    plain = "Every number and name stands in the evidence"
    seed = "ours"
    stage = "answer"
    fails_as = "hallucination_detected"

    missing = Signal(
        items=("sentence",), high=999, whole=True, unit="items",
        help="Numbers, units and names of each sentence without evidence.",
    )  # fmt: skip
    computed = Signal(
        items=("sentence",), high=999, whole=True, unit="numbers", help="Numbers that follow by one arithmetic step."
    )

    def measure(self, case: Case, features: CaseFeatures) -> Signals:
        require_claim(case, features)
        found = features.unheld
        return {"missing": [len(f.missing) for f in found], "computed": [len(f.computed) for f in found]}

    def decide(self, s: Bound, t: Bound) -> Decision:
        missing = np.nansum(s.missing, -1)
        return none_of(np.where(np.isnan(s.missing).all(-1), np.nan, missing))

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        if where := listed(s.missing):
            return f"Sentence {where} has a number, unit or name that its evidence does not hold."
        computed = s.computed.sum()
        return f"{computed:.0f} computed by one arithmetic step." if computed else "All stand in the evidence."
