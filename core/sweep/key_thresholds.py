"""The thresholds that matter most for one question: those that its verdict hangs on."""

from collections.abc import Mapping

from core.chain.check_results import CheckResult
from core.checks import all_thresholds

COUNT = 5
TO_BEGIN_WITH = (
    "retrieval_confidence.min_retrieval_confidence", "confidence.min_confidence", "citations.min_citation_coverage",
    "grounding.min_grounding_score", "entailment.nli_threshold",
)  # fmt: skip
"""The first of each kind of evidence: shown before a question, and where fewer checks ran than are shown."""


def main_limits(results: Mapping[str, CheckResult]) -> tuple[str, ...]:
    """Keys of five thresholds: of the blocking checks that ran, those with the smallest margin over the range.

    Margins are signed, so what stops an answer comes first, what it passed only just follows.
    """
    known = all_thresholds()
    deciding = {f"{r.name}.{r.by}": r.margin for r in results.values() if r.mode == "blocks" and r.margin is not None}
    near = {key: margin / (known[key].high - known[key].low) for key, margin in deciding.items() if key in known}
    return tuple(dict.fromkeys([*sorted(near, key=near.__getitem__), *TO_BEGIN_WITH]))[:COUNT]
