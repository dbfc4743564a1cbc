"""Does the answer hedge, or fill the page without saying anything?"""

import numpy as np

from core.case import Case, Signals
from core.check import Bound, Check, Decision, Signal, listed, none_of, require_answer
from core.features.case_features import CaseFeatures


class Hedging(Check):
    """The answer neither hedges nor fills: none of the patterns is found in it.

    Words that the cited passage itself holds do not count, so a book that says "perhaps" may be quoted. The patterns
    are a setting that can be edited. Catches answers that admit to guessing. Blind to a confident guess.
    """

    plain = "The answer does not hedge"
    seed = "C"
    stage = "answer"
    fails_as = "hedging"

    hits = Signal(
        items=("sentence",), high=999, whole=True, unit="phrases", help="Hedging or filler phrases in each sentence."
    )

    def measure(self, case: Case, features: CaseFeatures) -> Signals:
        require_answer(case)
        return {"hits": [len(found) for found in features.hedges]}

    def decide(self, s: Bound, t: Bound) -> Decision:
        hits = np.nansum(s.hits, -1)
        return none_of(np.where(np.isnan(s.hits).all(-1), np.nan, hits))

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        where = listed(s.hits)
        return f"Sentence {where} hedges or fills." if where else "No hedging and no filler was found."
