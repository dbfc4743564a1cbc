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
    """The drafts of several models agree: each other draft says enough sentences of the answer.

    Who writes them is a setting: several writers, or the answer's own model again, which invents something else each
    time (SelfCheckGPT). Language inference and the numbers compare them. Catches made-up facts where the passages leave
    something open. Blind to what all of them get wrong, and costly, since the answer is written again by each. It runs
    only if further drafts are requested.
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
        help="The lower of the probabilities that each other draft says the sentence, with its numbers.",
    )  # fmt: skip

    min_consensus = Threshold(
        label="Drafts agree on", default=0.5, unit="share of sentences", stricter="higher", source_document="ours",
        help="The other drafts must say at least this share of the sentences.",
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
        return f"Not every draft says sentence {differences}." if differences else "All drafts say every sentence."
