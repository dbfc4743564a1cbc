"""Does every sentence say where it comes from?"""

from collections.abc import Mapping

import numpy as np

from core.case import Case, Signals
from core.check import Bound, Check, Decision, Signal, at_least, listed, none_of, per_item, pick, require_answer, share
from core.features.case_features import CaseFeatures
from core.thresholds import Threshold


class Citations(Check):
    """Enough sentences are cited, and every citation leads to a passage that is there.

    An answer without any mark is attributed: a sentence cites the passage that shares most of its content words, when
    that share reaches a limit. Catches claims without a source. Blind to a citation of the wrong passage.
    """

    plain = "Every sentence is cited"
    seed = "A"
    stage = "answer"

    marked = Signal(items=("sentence",), high=99, whole=True, unit="citations", help="Valid marks on each sentence.")
    invalid = Signal(items=("sentence",), high=99, whole=True, unit="citations", help="Marks that lead to no passage.")
    attribution = Signal(
        items=("sentence",), unit="share of words", help="Best overlap of each sentence with a passage."
    )
    nearest = Signal(
        items=("sentence",), high=999, whole=True, unit="place", help="The passage, from 0, with that overlap."
    )
    unmarked = Signal(
        whole=True, unit="yes or no", help="1 when the answer has no mark at all, so that we attribute it."
    )

    min_citation_coverage = Threshold(
        label="Sentences cited", default=0.8, low=0.0, high=1.0, step=0.01, unit="share of sentences",
        stricter="higher", seed="A", help="At least this share of the sentences must be cited.",
    )  # fmt: skip
    min_attribution = Threshold(
        label="Overlap that counts as found", default=0.5, low=0.0, high=1.0, step=0.01, unit="share of words",
        stricter="higher", seed="A", help="A sentence without a mark is attributed to a passage with this overlap.",
    )  # fmt: skip

    def measure(self, case: Case, features: CaseFeatures) -> Signals:
        require_answer(case)
        known = len(case.evidence)
        marks = [s.citations for s in case.sentences]
        return {
            "marked": [sum(1 <= c <= known for c in m) for m in marks],
            "invalid": [sum(not 1 <= c <= known for c in m) for m in marks],
            "attribution": features.overlap.max(axis=1, initial=0.0),
            "nearest": features.nearest,
            "unmarked": float(not any(marks)),
        }

    def decide(self, s: Bound, t: Bound) -> Decision:
        coverage = at_least(share(self._cited(s, t), of=s.marked), t.min_citation_coverage, "min_citation_coverage")
        invalid = none_of(np.nansum(s.invalid, -1))
        return pick(invalid.failed, invalid, coverage)

    def _cited(self, s: Bound, t: Bound) -> np.ndarray:
        found = (per_item(s.unmarked) > 0) & (s.attribution >= per_item(t.min_attribution))
        return found | (s.marked > 0)

    def compared(self, s: Bound, t: Bound) -> Mapping[str, np.ndarray]:
        covered = np.atleast_1d(share(self._cited(s, t), of=s.marked))
        return {"min_citation_coverage": covered} | ({"min_attribution": s.attribution} if s.unmarked else {})

    def reason(self, s: Bound, t: Bound) -> str:
        return "invalid_citations" if np.nansum(s.invalid) else "missing_citations"

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        if broken := int(s.invalid.sum()):
            return f"{broken} citation{'s lead' if broken > 1 else ' leads'} to no passage."
        missing, how = listed(~self._cited(s, t)), "found by us" if s.unmarked else "marked"
        return f"Sentence {missing} has no citation ({how} for the others)." if missing else f"All citations are {how}."
