"""Is there enough evidence to answer from?"""

from collections.abc import Mapping

import numpy as np

from core.case import Case, Signals
from core.check import Bound, Check, Features, Signal
from core.decision import Decision, at_least, highest, per_item, pick
from core.thresholds import Threshold


class ContextSufficiency(Check):
    """Enough passages count as evidence, and together they are long enough to answer from.

    A passage counts if it is both similar to the question and likely to answer it. If no passage is required, no
    length is either. Catches questions that the books hardly cover. Blind to passages that count but state something
    other than the answer.
    """

    short = "Enough text"
    plain = "There are enough passages to answer from"
    source_document = "A"
    stage = "query"
    fails_as = "insufficient_context"
    decided_by = highest, "answers"

    cosine = Signal(items=("passage",), low=-1.0, unit="cosine", help="Similarity of each passage to the question.")
    answers = Signal(items=("passage",), unit="probability", help="Probability that each passage answers the question.")
    characters = Signal(items=("passage",), high=1e6, whole=True, unit="characters", help="Length of each passage.")

    min_similarity_score = Threshold(
        label="Minimum similarity of a passage", default=0.5, unit="cosine", stricter="higher", source_document="A",
        help="A passage counts as evidence only if its similarity (cosine) to the question is at least this.",
    )  # fmt: skip
    min_rerank_score = Threshold(
        label="Minimum answer probability", default=0.5, unit="probability", stricter="higher",
        source_document="A",
        help="A passage counts as evidence only if it answers the question with at least this probability.",
    )  # fmt: skip
    min_chunks_required = Threshold(
        label="Minimum number of passages", default=1, low=0, high=8, step=1, unit="passages",
        stricter="higher", source_document="A", help="At least this many passages must count as evidence.",
    )  # fmt: skip
    min_total_context_length = Threshold(
        label="Minimum total length", default=100, low=0, high=4000, step=50, unit="characters", stricter="higher",
        source_document="A",
        help="The passages that count as evidence must together have at least this many characters.",
    )  # fmt: skip

    def measure(self, case: Case, features: Features) -> Signals:
        return {
            "cosine": [e.cosine for e in case.evidence],
            "answers": [e.answers for e in case.evidence],
            "characters": [len(p.text) for p in case.passages],
        }

    def decide(self, s: Bound, t: Bound) -> Decision:
        counts, characters = self._counts_and_lengths(s, t)
        passages = at_least(counts, t.min_chunks_required, "min_chunks_required")
        length = at_least(characters, t.min_total_context_length, "min_total_context_length")
        return pick(passages.passed & length.failed & (t.min_chunks_required > 0), length, passages)

    def _counts_and_lengths(self, s: Bound, t: Bound) -> tuple[np.ndarray, np.ndarray]:
        """The number of passages that count as evidence, and of their characters together: two arrays (...)."""
        near = s.cosine >= per_item(t.min_similarity_score)
        counts = near & (s.answers >= per_item(t.min_rerank_score))
        return counts.sum(-1), np.where(counts, s.characters, 0).sum(-1)

    def compared_values(self, s: Bound, t: Bound) -> Mapping[str, np.ndarray]:
        counts, characters = self._counts_and_lengths(s, t)
        # If they are too short, only the limit 0 passes, which requires no length.
        short = at_least(characters, t.min_total_context_length).failed
        return {
            "min_similarity_score": s.cosine, "min_rerank_score": s.answers,
            "min_chunks_required": np.atleast_1d(np.where(short, 0, counts)),
            "min_total_context_length": np.atleast_1d(characters),
        }  # fmt: skip

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        counts, characters = self._counts_and_lengths(s, t)
        found = f"{counts} of {len(case.evidence)} passages found count as evidence"
        return f"{found}; together they have {characters:.0f} characters."
