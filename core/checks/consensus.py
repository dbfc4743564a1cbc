"""Does a language model write the same answer again?"""

import numpy as np

from core.case import Case, Signals
from core.check import Bound, Check, Features, NotApplicable, Signal, require_claim
from core.decision import Decision, at_least, lowest, position_list, share
from core.thresholds import Threshold

MIN_AGREEMENT = 0.5
"""Another draft agrees with a sentence if it entails the sentence with at least this probability and has its
numbers.
"""


class Consensus(Check):
    """Independent drafts agree: each other draft says the same as enough sentences of the answer.

    Which models write the drafts is a setting: several models, or the answer's own model again, which invents something
    else each time (SelfCheckGPT). Language inference (NLI) and the numbers compare the drafts. Catches made-up facts
    where the passages leave something open. Blind to what all drafts get wrong, and costly, since each model writes the
    answer again. The check runs only if further drafts are requested.
    """

    short = "Drafts agree"
    plain = "Independent drafts say the same"
    source_document = "A"
    stage = "answer"
    fails_as = "low_grounding"
    mode = "watches"
    decided_by = lowest, "agreement"

    agreement = Signal(
        items=("sentence",), gaps=True, unit="probability",
        help="The lowest probability with which another draft says the same as the sentence, with the same numbers.",
    )  # fmt: skip

    min_consensus = Threshold(
        label="Agreement of drafts", default=0.5, unit="share of sentences", stricter="higher", source_document="ours",
        help="The other drafts must agree with at least this share of the sentences of the answer.",
    )  # fmt: skip

    def measure(self, case: Case, features: Features) -> Signals:
        require_claim(case, features)
        if not case.drafts:
            raise NotApplicable("only one draft was written")
        return {"agreement": np.where(features.abstaining, np.nan, features.agreement)}

    def decide(self, s: Bound, t: Bound) -> Decision:
        agreed = share(s.agreement >= MIN_AGREEMENT, s.agreement)
        return at_least(np.where(np.isnan(s.agreement).all(-1), np.nan, agreed), t.min_consensus, "min_consensus")

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        differences = position_list(s.agreement < MIN_AGREEMENT)
        return f"Not every draft agrees with sentence {differences}." if differences else "All drafts agree."
