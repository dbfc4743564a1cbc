"""Does a language model say yes when it is asked whether the passages say the answer?"""

import numpy as np

from core.case import Case, Signals
from core.check import Bound, Check, Decision, NotApplicable, Signal, at_least
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
    mode = "watches"

    yes = Signal(items=("sentence",), unit="probability", help="How probably the model says yes to each sentence.")

    min_yes = Threshold(
        label="The judge says yes", default=0.7, low=0.0, high=1.0, step=0.01, unit="probability", stricter="higher",
        seed="E", help="The language model must say yes to the sentences with at least this mean probability.",
    )  # fmt: skip

    def measure(self, case: Case, features: CaseFeatures) -> Signals:
        if not case.sentences:
            raise NotApplicable("there is no answer to look at")
        if case.judgement is None:
            raise NotApplicable("no language model is chosen as a judge")
        return {"yes": case.judgement.yes}

    def decide(self, s: Bound, t: Bound) -> Decision:
        count = (~np.isnan(s.yes)).sum(-1)
        mean = np.divide(np.nansum(s.yes, -1), count, out=np.full(count.shape, np.nan), where=count > 0)
        return at_least(mean, t.min_yes, "min_yes")

    def reason(self, s: Bound, t: Bound) -> str:
        return "low_grounding"

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        by = case.judgement.by if case.judgement else "The language model"
        if len(no := np.flatnonzero(s.yes < 0.5) + 1):
            return f"{by} rather says no to sentence {', '.join(map(str, no))}."
        return f"{by} rather says yes to every sentence."
