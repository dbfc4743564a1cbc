"""Is every number, unit and named term of the answer in its evidence?"""

import numpy as np

from core.case import Case, Signals
from core.check import Bound, Check, Features, Signal, require_claim
from core.decision import Decision, first_index, none_of, position_list


class Numbers(Check):
    """Each number, unit and named term of a sentence is in its evidence or in the question.

    Catches a changed figure, unit or name. Blind to the right figure in the wrong place.
    """

    short = "Numbers"
    faults = {"": "unsupported"}
    plain = "Numbers and names match the passages"
    source_document = "ours"
    stage = "answer"
    fails_as = "hallucination_detected"

    missing = Signal(
        items=("sentence",), high=999, whole=True, unit="items",
        help="Numbers, units, names and other details of each sentence without evidence.",
    )  # fmt: skip

    def measure(self, case: Case, features: Features) -> Signals:
        require_claim(case, features)
        return {"missing": [len(facts) for facts in features.unheld]}

    def decide(self, s: Bound, t: Bound) -> Decision:
        return none_of(np.where(np.isnan(s.missing).all(-1), np.nan, np.nansum(s.missing, -1)))

    def deciding(self, s: Bound, t: Bound) -> int | None:
        return first_index(s.missing > 0)

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        if where := position_list(s.missing):
            return f"In sentence {where}, a number, unit, name or other detail has no evidence."
        return "All numbers and names are in the evidence."
