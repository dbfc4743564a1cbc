"""The passage and the page that a verdict names as the source of its answer."""

from core.case import Evidence
from core.decide import Verdict


def first_source(decision: Verdict) -> Evidence | None:
    """The first passage that a delivered answer cites, else the best one retrieved; None without passages."""
    evidence = decision.round.case.evidence
    if not evidence:
        return None
    citations = (
        [c for s in decision.delivered_sentences for c in s.citations if 1 <= c <= len(evidence)]
        if decision.answered
        else []
    )
    return evidence[citations[0] - 1] if citations else max(evidence, key=lambda e: e.answers)


def page_of(decision: Verdict, source: Evidence) -> int | None:
    """The page on which the text of `source` that the answer cites begins; None if unknown."""
    return decision.page_of(decision.round.case.evidence.index(source)) or None
