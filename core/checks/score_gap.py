"""Does a medium top passage at least stand out?"""

from collections.abc import Mapping

import numpy as np

from core.book_titles import place_of
from core.case import Case, Signals
from core.check import Bound, Check, Features, Signal
from core.decision import Decision, at_least, highest
from core.thresholds import Threshold


class ScoreGap(Check):
    """If the score of the top passage is only medium, it is clearly higher than that of the second passage.

    Catches searches in which everything fits a little and nothing well. Blind to a single passage: with nothing to
    compare, the check does not apply.
    """

    short = "Stands out"
    plain = "The best passage stands out"
    source_document = "C"
    stage = "query"
    fails_as = "low_confidence"
    decided_by = highest, "hybrid"

    hybrid = Signal(items=("passage",), unit="probability", help="Score of each passage in the hybrid search.")

    min_score_gap = Threshold(
        label="Gap to second passage", default=0.1, unit="probability", stricter="higher", source_document="C",
        help="The score of the top passage must be higher than that of the second passage by at least this.",
    )  # fmt: skip
    gap_applies_below = Threshold(
        label="Gap needed below score", default=0.5, unit="probability", stricter="higher", source_document="C",
        help="The gap is needed only if the score of the top passage is below this.",
    )  # fmt: skip

    def measure(self, case: Case, features: Features) -> Signals:
        return {"hybrid": [e.hybrid for e in case.evidence]}

    def decide(self, s: Bound, t: Bound) -> Decision:
        top, second = self._top_two(s.hybrid)
        d = at_least(top - second, t.min_score_gap)
        applies = (top < t.gap_applies_below) & ~np.isnan(second)
        return Decision(d.value, d.limit, np.where(applies, d.margin, np.nan), "min_score_gap")

    def _top_two(self, hybrid: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The two highest scores, NaN if there are fewer: two arrays of shape (...)."""
        padding = np.full((*hybrid.shape[:-1], 2), np.nan)
        ranking = -np.sort(-np.concatenate([hybrid, padding], -1), axis=-1)
        return ranking[..., 0], ranking[..., 1]

    def compared_values(self, s: Bound, t: Bound) -> Mapping[str, np.ndarray]:
        top, second = self._top_two(s.hybrid)
        if np.isnan(second):
            return {}
        return {"min_score_gap": np.atleast_1d(top - second), "gap_applies_below": np.atleast_1d(top)}

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        top, second = self._top_two(s.hybrid)
        if np.isnan(second):
            return "There is no second passage to compare with."
        if top >= t.gap_applies_below:
            return "The top passage is strong enough to need no gap."
        first, other = sorted(case.evidence, key=lambda e: -e.hybrid)[:2]
        return f"The best two are {place_of(first.passage)} and {place_of(other.passage)}."
