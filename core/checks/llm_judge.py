"""Does a language model confirm that the passages say the answer?"""

import numpy as np

from core.case import Case, Signals
from core.check import Bound, Check, Features, NotApplicable, Signal, require_claim
from core.decision import Decision, at_least, lowest, mean, position_list
from core.thresholds import Threshold


class LlmJudge(Check):
    """A language model is sure enough that the passages support each sentence of the answer.

    Source document E has a language model mark the whole answer; here the value is the mean over its sentences. Catches
    what models that compare word by word accept wrongly. Blind to what the model itself believes to be true, and slow:
    a second and more for each sentence. The check runs only if such a judge is chosen.
    """

    short = "Judge"
    plain = "A language model says that the passages support the answer"
    source_document = "E"
    stage = "answer"
    fails_as = "low_grounding"
    mode = "watches"
    decided_by = lowest, "yes"

    yes = Signal(
        items=("sentence",), gaps=True, unit="probability", help="Probability that the model says yes to each sentence."
    )

    min_yes = Threshold(
        label="The judge says yes", default=0.7, unit="probability", stricter="higher", source_document="E",
        help="The mean probability that the language model says yes to a sentence must be at least this.",
    )  # fmt: skip

    def measure(self, case: Case, features: Features) -> Signals:
        require_claim(case, features)
        if case.judgement is None:
            raise NotApplicable("no language model is chosen as a judge")
        return {"yes": np.where(features.abstaining, np.nan, case.judgement.yes)}

    def decide(self, s: Bound, t: Bound) -> Decision:
        return at_least(mean(s.yes, np.nan), t.min_yes, "min_yes")

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        judge = case.judgement.by if case.judgement else "The language model"
        numbers = [str(n + 1) for n in (case.judgement.unreadable if case.judgement else ())]
        unreadable = f"{'Sentence' if len(numbers) == 1 else 'Sentences'} {' and '.join(numbers)}" if numbers else ""
        note = f" {unreadable}: the reply could not be read and counts as 0.5." if unreadable else ""
        rejections = position_list(s.yes < 0.5)
        verdict = f"tends to say no to sentence {rejections}" if rejections else "rejects no sentence"
        verdict = verdict if rejections or unreadable else "tends to say yes to every sentence"
        return f"{judge} {verdict}.{note}"
