"""Does the answer hedge, fill the page, or say that there is no answer?"""

import numpy as np

from core.case import Case, Signals
from core.check import Bound, Check, Features, Signal, require_answer
from core.decision import Decision, first_index, none_of, position_list
from core.thresholds import Threshold


class Hedging(Check):
    """The answer has no hedging and no filler, and does not abstain: no pattern for these is in any of its sentences.

    Words of the cited passage do not count, so a book that says "perhaps" may be quoted. The patterns are a setting
    that can be edited. An answer that only says that there is no answer fails for a reason of its own; beside other
    sentences, such a sentence is allowed. Catches answers that admit to guessing. Blind to a confident guess.
    """

    short = "No hedging"
    faults = {"": "hedged"}
    plain = "The answer does not hedge"
    source_document = "C"
    stage = "answer"

    hits = Signal(
        items=("sentence",), high=999, whole=True, unit="phrases", help="Hedging or filler phrases in each sentence."
    )

    abstains = Signal(
        items=("sentence",), whole=True, added=0.0, unit="yes or no",
        help="1 where the sentence only says that there is no answer.",
    )  # fmt: skip
    answerable = Signal(
        added=0.0, unit="probability", help="How probably the passages answer the question; 0 without an abstention."
    )
    abstention = Threshold(
        label="Abstain, do not correct", default=0, low=0, high=1, step=1, unit="off or on", stricter="neither",
        source_document="C",
        help="An answer that a check of document C stops is not corrected or shortened: the message of C goes out.",
    )  # fmt: skip

    def measure(self, case: Case, features: Features) -> Signals:
        require_answer(case)
        return {
            "hits": [len(phrases) for phrases in features.hedges],
            "abstains": features.abstaining,
            "answerable": features.answerable if features.abstaining.all() else 0.0,
        }

    def decide(self, s: Bound, t: Bound) -> Decision:
        is_sentence = ~np.isnan(s.hits)
        hits = np.nansum(np.where(s.abstains > 0, 0.0, s.hits), -1)
        counts = np.where(is_abstention(s), is_sentence.sum(-1), hits)
        return none_of(np.where(is_sentence.any(-1), counts, np.nan))

    def reason(self, s: Bound, t: Bound) -> str:
        return "abstained" if is_abstention(s) else "hedging"

    def deciding(self, s: Bound, t: Bound) -> int | None:
        return first_index(s.hits > 0)

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        if is_abstention(s):
            probability = f"The passages answer the question with a probability of {float(s.answerable):.2f}."
            return f"The answer says that there is no answer. {probability}"
        where = position_list(np.where(s.abstains > 0, 0.0, s.hits))
        return f"Sentence {where} hedges or is filler." if where else "No hedging and no filler was found."


def is_abstention(s: Bound) -> np.ndarray:
    """True if every sentence of the answer belongs to an abstention: bool (...)."""
    is_sentence = ~np.isnan(s.hits)
    return (is_sentence & (s.abstains > 0)).any(-1) & ~(is_sentence & ~(s.abstains > 0)).any(-1)
