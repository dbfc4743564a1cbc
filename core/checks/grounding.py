"""Are the words of the answer in its passages?"""

from collections.abc import Mapping

import numpy as np

from core.case import Case, Signals
from core.check import Bound, Check, Features, Signal, require_claim
from core.decision import Decision, at_least, first_index, lowest, none_of, per_item, pick, position_list, share
from core.thresholds import Threshold


class Grounding(Check):
    """Enough sentences share their content words with their passages, and none adds anything new.

    New means a number, name, quotation, superlative or date that is in no passage and not in the question. Catches
    outside knowledge. Blind to the same words combined into another meaning.
    """

    short = "Wording"
    faults = {"": "not in the book"}
    plain = "The wording matches the passages"
    source_document = "A"
    stage = "answer"

    overlap = Signal(
        items=("sentence",), gaps=True, unit="share of words", help="Content words that are in the sentence's passages."
    )
    invented = Signal(
        items=("sentence",), high=999, whole=True, unit="items",
        help="New numbers, names, quotations, superlatives, dates.",
    )  # fmt: skip

    min_grounding_score = Threshold(
        label="Sentences grounded", default=0.7, unit="share of sentences", stricter="higher", source_document="A",
        help="At least this share of the sentences must be grounded.",
    )  # fmt: skip
    min_sentence_overlap = Threshold(
        label="Words a sentence must share", default=0.5, unit="share of words", stricter="higher", source_document="A",
        help="A sentence is grounded if its passages have at least this share of its words.",
    )  # fmt: skip
    partial_answers = Threshold(
        label="Partial answers", default=1, low=0, high=1, step=1, unit="off or on", stricter="neither",
        source_document="A",
        help="If an answer fails, its sentences that pass still go out; if this is off, the whole answer is refused.",
    )  # fmt: skip

    def measure(self, case: Case, features: Features) -> Signals:
        if case.sentences:
            require_claim(case, features)
        overlap = np.where(features.abstaining, np.nan, features.own_overlap)
        return {"overlap": overlap, "invented": [len(i) for i in features.invented]}

    def decide(self, s: Bound, t: Bound) -> Decision:
        grounded = at_least(self._share(s, t), t.min_grounding_score, "min_grounding_score")
        new = none_of(np.nansum(s.invented, -1))
        return pick(new.failed, new, grounded)

    def _share(self, s: Bound, t: Bound) -> np.ndarray:
        return share(s.overlap >= per_item(t.min_sentence_overlap), items=s.overlap)

    def compared_values(self, s: Bound, t: Bound) -> Mapping[str, np.ndarray]:
        overlaps = s.overlap[~np.isnan(s.overlap)]
        return {"min_grounding_score": np.atleast_1d(self._share(s, t)), "min_sentence_overlap": overlaps}

    def reason(self, s: Bound, t: Bound) -> str:
        return "hallucination_detected" if np.nansum(s.invented) else "low_grounding"

    def deciding(self, s: Bound, t: Bound) -> int | None:
        return first_index(s.invented > 0) if np.nansum(s.invented) else lowest(s.overlap)

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        if not case.sentences:
            return "The answer is empty, and an empty answer is not grounded."
        if new := position_list(s.invented):
            return f"Sentence {new} adds something that is in no passage."
        if weak_sentences := position_list(s.overlap < t.min_sentence_overlap):
            return f"Sentence {weak_sentences} shares too few words with its passages."
        return "Every sentence shares enough words with its passages."
