"""Does a language model say yes when it is asked whether the passages say the answer?"""

import numpy as np

from core.case import Case, Signals
from core.check import Bound, Check, Decision, NotApplicable, Signal, at_least, listed, mean, require_claim
from core.features.case_features import CaseFeatures
from core.thresholds import Threshold


class LlmJudge(Check):
    """A language model, asked of each sentence whether the passages say it, is sure enough of its yes.

    Seed E has a language model mark the whole answer; this is the mean over its sentences. Catches what the models
    that read word by word take for said. Blind to what the model itself wants to be true, and slow: a second and more
    for each sentence. It runs where such a judge is chosen.
    """

    plain = "A language model says that the passages say it"
    seed = "E"
    stage = "answer"
    fails_as = "low_grounding"
    mode = "watches"

    yes = Signal(
        items=("sentence",), gaps=True, unit="probability", help="How probably the model says yes to each sentence."
    )

    min_yes = Threshold(
        label="The judge says yes", default=0.7, low=0.0, high=1.0, step=0.01, unit="probability", stricter="higher",
        seed="E", help="The language model must say yes to the sentences with at least this mean probability.",
    )  # fmt: skip

    def measure(self, case: Case, features: CaseFeatures) -> Signals:
        require_claim(case, features)
        if case.judgement is None:
            raise NotApplicable("no language model is chosen as a judge")
        return {"yes": np.where(features.abstaining, np.nan, case.judgement.yes)}

    def decide(self, s: Bound, t: Bound) -> Decision:
        return at_least(mean(s.yes, np.nan), t.min_yes, "min_yes")

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        by = case.judgement.by if case.judgement else "The language model"
        no = listed(s.yes < 0.5)
        return f"{by} rather says no to sentence {no}." if no else f"{by} rather says yes to every sentence."
