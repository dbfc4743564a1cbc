"""Does every sentence say where it comes from?"""

from collections.abc import Mapping

import numpy as np

from core.case import Case, Signals
from core.check import Bound, Check, Features, Signal, require_claim
from core.decision import Decision, at_least, first_index, none_of, per_item, pick, position_list, share
from core.thresholds import Threshold


class Citations(Check):
    """Enough sentences have citations, and every citation can be read and leads to an existing passage.

    A sentence without a citation mark is attributed to the passage that has the largest share of its content words, if
    that share reaches a limit. So an answer with one right mark is never worse off than an answer without marks. If
    the citations come as a list for each sentence, an empty list means that the sentence has no source. If only a
    sentence's own mark counts, no mark is added, as in the source document. Catches claims without a source. Blind to
    a citation of the wrong passage.
    """

    short = "Cited"
    faults = {"": "broken"}
    plain = "Every sentence is cited"
    source_document = "A"
    stage = "answer"

    marked = Signal(
        items=("sentence",), high=99, whole=True, gaps=True, unit="citations",
        help="Valid marks on each sentence; none are counted on a sentence that only says that there is no answer.",
    )  # fmt: skip
    invalid = Signal(items=("sentence",), high=99, whole=True, unit="citations", help="Marks that lead to no passage.")
    unreadable = Signal(
        items=("sentence",), high=99, whole=True, added=0.0, unit="citations", help="Marks that name no passage.",
    )  # fmt: skip
    attribution = Signal(
        items=("sentence",), unit="share of words", help="Best overlap of each sentence with a passage."
    )
    nearest = Signal(
        items=("sentence",), high=999, whole=True, unit="place", help="The passage, from 0, with that overlap."
    )
    inherited = Signal(
        items=("sentence",), whole=True, added=0.0, unit="yes or no",
        help="1 where the marks of a sentence are those of its paragraph or of a list of sources.",
    )  # fmt: skip
    borne_out = Signal(
        items=("sentence",), added=0.0, unit="probability", help="Some passage supports the sentence, cited or not."
    )
    min_citation_coverage = Threshold(
        label="Sentences cited", default=0.8, unit="share of sentences", stricter="higher", source_document="A",
        help="At least this share of the sentences must have a citation.",
    )  # fmt: skip
    min_attribution = Threshold(
        label="Overlap for a citation", default=0.5, unit="share of words", stricter="higher",
        source_document="A",
        help="A sentence without a citation mark is attributed to a passage that has at least this share of its words.",
    )  # fmt: skip
    every_sentence = Threshold(
        label="Count only a sentence's own mark", default=0, low=0, high=1, step=1, unit="off or on",
        stricter="higher", source_document="A",
        help="Only a sentence with its own mark counts as cited: a mark for a paragraph does not, and none is added.",
    )  # fmt: skip
    put_right = Threshold(
        label="Correct citations", default=0, low=0, high=1, step=1, unit="off or on", stricter="lower",
        source_document="ours",
        help="A sentence that cites the wrong passage goes out with the mark of the passage that supports it.",
    )  # fmt: skip

    def measure(self, case: Case, features: Features) -> Signals:
        require_claim(case, features)
        passage_count = len(case.evidence)
        marks = [s.citations for s in case.sentences]
        has_source_list = case.question.citations is not None and any(marks)  # an empty list then means: no source
        return {
            "marked": np.where(features.abstaining, np.nan, [sum(1 <= c <= passage_count for c in m) for m in marks]),
            "invalid": [sum(not 1 <= c <= passage_count for c in m) for m in marks],
            "unreadable": [s.unreadable for s in case.sentences],
            "attribution": features.overlap.max(axis=1, initial=0.0) * (not has_source_list) * ~features.abstaining,
            "nearest": features.nearest,
            "inherited": [s.inherited for s in case.sentences],
            "borne_out": np.nan_to_num(features.support_signals["probability"]) * (not has_source_list),
        }

    def decide(self, s: Bound, t: Bound) -> Decision:
        cited = share(self._cited(s, t), items=s.marked)
        coverage = at_least(cited, t.min_citation_coverage, "min_citation_coverage")
        faults = none_of(np.nansum(np.where(supported_mask(s, t), 0, s.invalid), -1) + np.nansum(s.unreadable, -1))
        return pick(faults.failed, faults, coverage)

    def _cited(self, s: Bound, t: Bound) -> np.ndarray:
        by_words = attribution_mask(s) & (s.attribution >= per_item(t.min_attribution))
        own = (s.marked > 0) & ~(s.inherited > 0)
        return np.where(per_item(t.every_sentence) >= 1, own, (s.marked > 0) | by_words | supported_mask(s, t))

    def compared_values(self, s: Bound, t: Bound) -> Mapping[str, np.ndarray]:
        needs_own, coverage = t.every_sentence >= 1, share(self._cited(s, t), items=s.marked)
        by_words = attribution_mask(s) & ~needs_own
        # Support cites a sentence without a valid mark, and lets a mark that leads to no passage be put right.
        by_support = (t.put_right >= 1) & ((s.invalid > 0) | ((s.marked == 0) & ~needs_own))
        overlap = np.fmax(np.where(by_words, s.attribution, np.nan), np.where(by_support, s.borne_out, np.nan))
        compared = {"min_citation_coverage": np.atleast_1d(coverage)}
        return compared | ({"min_attribution": overlap[~np.isnan(overlap)]} if not np.isnan(overlap).all() else {})

    def reason(self, s: Bound, t: Bound) -> str:
        if np.nansum(s.unreadable):
            return "unreadable_citations"
        return "invalid_citations" if np.nansum(s.invalid) else "missing_citations"

    def deciding(self, s: Bound, t: Bound) -> int | None:
        faulty = (s.invalid > 0) | (s.unreadable > 0) | (~self._cited(s, t) & ~np.isnan(s.marked))
        return first_index(faulty)

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        if where := position_list(s.unreadable):
            return f"Sentence {where} has a citation that cannot be read."
        if faults := int(np.where(supported_mask(s, t), 0, s.invalid).sum()):
            return f"{faults} citation{'s lead' if faults > 1 else ' leads'} to no passage."
        if missing := position_list(~self._cited(s, t) & ~np.isnan(s.marked)):
            if t.every_sentence >= 1:
                return f"Sentence {missing} has no citation of its own."
            return f"Sentence {missing} has no citation, and no passage holds enough of its words."
        if attribution_mask(s).all():
            return "Citations added automatically."
        return "All sentences are cited." if s.marked.all() else "Missing citations added automatically."


def supported_mask(s: Bound, t: Bound) -> np.ndarray:
    """True for each sentence that some passage supports, if the preset lets citations be corrected: (..., sentence)."""
    return (per_item(t.put_right) >= 1) & (s.borne_out >= per_item(t.min_attribution))


def attribution_mask(s: Bound) -> np.ndarray:
    """True for each sentence without any mark, which can be attributed to a passage: bool (..., sentence)."""
    return s.marked + s.invalid + s.unreadable == 0
