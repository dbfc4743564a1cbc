"""How much of the answer as a whole do the passages say?"""

import numpy as np

from core.case import Case, Signals
from core.check import Bound, Check, Features
from core.checks.entailment import Entailment, label_indices, read_by_passage, sentence_probabilities
from core.decision import Decision, at_least, lowest, mean
from core.thresholds import Threshold


class FactCheck(Check):
    """The mean probability that the passages support a sentence is high enough; a contradicted sentence counts as zero.

    Source document E asks a language model for such a number; here it comes from the labels of the sentences. Catches
    answers that are a little wrong everywhere. Blind to one false sentence among many true ones.
    """

    short = "Average"
    plain = "The answer as a whole is supported"
    source_document = "E"
    stage = "answer"
    fails_as = "low_grounding"

    entailment, neutral = Entailment.entailment, Entailment.neutral
    contradiction, considered = Entailment.contradiction, Entailment.considered

    min_fact_check_score = Threshold(
        label="Average support", default=0.7, unit="probability", stricter="higher", source_document="E",
        help="The mean probability that the passages support a sentence must be at least this.",
    )  # fmt: skip
    correction = Threshold(
        label="Auto-correct", default=1, low=0, high=1, step=1, unit="off or on", stricter="neither",
        source_document="E", help="An answer that fails is rewritten from the book, and checked again.",
    )  # fmt: skip

    def measure(self, case: Case, features: Features) -> Signals:
        return read_by_passage(case, features)

    def reduced(self, s: Bound) -> Bound:
        probabilities = sentence_probabilities(s)
        support = np.where(label_indices(probabilities) == 2, 0.0, probabilities[..., 0])
        return Bound(support=mean(support, np.nan))

    def decide_reduced(self, r: Bound, t: Bound) -> Decision:
        return at_least(r.support, t.min_fact_check_score, "min_fact_check_score")

    def deciding(self, s: Bound, t: Bound) -> int | None:
        return lowest(sentence_probabilities(s)[:, 0])

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        count = len(case.sentences)
        return f"The value is the mean over {count} sentence{'s' if count > 1 else ''} of the answer."
