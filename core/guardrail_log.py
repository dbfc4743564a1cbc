"""Seed D's message metadata and guardrail log, as views of a verdict, in the seed's own fields."""

from typing import Any

import numpy as np

from core.chain import CheckResult, Verdict
from core.check import Bound, Check
from core.domains import Domain
from core.thresholds import Preset

INTEREST, GROUNDING = "interest", "fact_grounding"


def metadata(verdict: Verdict, preset: Preset, house: Domain) -> dict[str, Any]:
    """What seed D keeps with every message. Fields of stage 2 are null when it did not run.

    `originalMessage` is the answer that was judged, when something else goes out.
    """
    facts = _fact_grounding(verdict, preset) or {}
    draft = verdict.round.case.draft
    judged = draft.text if draft else ""
    return {
        "companyInterest": _company_interest(verdict, preset, house),
        "confidence": facts.get("score"),
        "confidenceTier": facts.get("tier"),
        "confidenceBreakdown": facts.get("breakdown"),
        "confidenceDetails": facts.get("details"),
        "documentsUsed": facts.get("documentsUsed", []),
        "recheckAttempted": _rechecks(verdict) > 0,
        "recheckCount": _rechecks(verdict),
        "originalMessage": judged if judged and judged != verdict.answer else None,
    }


def log_entry(verdict: Verdict, preset: Preset, house: Domain, timestamp: str) -> dict[str, Any]:
    """One entry of seed D's guardrailLog. timestamp: when it was decided, in ISO format."""
    return {
        "timestamp": timestamp,
        "companyInterest": _company_interest(verdict, preset, house),
        "factGrounding": _fact_grounding(verdict, preset),
    }


def _company_interest(verdict: Verdict, preset: Preset, house: Domain) -> dict[str, Any] | None:
    """Stage 1; None when it did not run."""
    result, found = verdict.checks[INTEREST], _measured(verdict, INTEREST)
    if found is None or result.state == "not_run":
        return None
    check = Check.registry[INTEREST]
    violation = next(iter(check.violations(found, check.bind(preset))), "none")
    opinion = verdict.round.case.opinion
    return {
        "passed": result.state == "passed",
        "violationType": violation,
        "severity": (opinion and opinion.on(violation)[0]) or house.severity.get(violation, "none"),
        "shouldBlock": result.blocks,
        "requiresFactCheck": bool(found.needs_fact_check),
        "reasoning": result.why,
    }


def _fact_grounding(verdict: Verdict, preset: Preset) -> dict[str, Any] | None:
    """Stage 2; None when it was skipped or did not run."""
    result, found = verdict.checks[GROUNDING], _measured(verdict, GROUNDING)
    if found is None or result.state == "not_run":
        return None
    check = Check.registry[GROUNDING]
    parts = {name: _number(value) for name, value in check.parts(found).items()}
    return {
        "score": result.value,
        "tier": check.tier_of(result.value, check.bind(preset)),
        "breakdown": parts,
        "documentsUsed": _documents(verdict, found),
        "recheckAttempted": _rechecks(verdict) > 0,
        "recheckCount": _rechecks(verdict),
        "details": _details(result),
    }


def _measured(verdict: Verdict, name: str) -> Bound | None:
    signals = verdict.round.signals.get(name)
    return Bound(**signals) if signals is not None else None


def _documents(verdict: Verdict, found: Bound) -> list[dict[str, Any]]:
    """The passages that stage 2 read for what the answer states."""
    read = ((found.considered > 0) & (found.read > 0) & (found.claims > 0)[:, None]).any(0)
    used = [e for e, is_read in zip(verdict.round.case.evidence, read, strict=True) if is_read]
    return [{"document": e.passage.document, "page": e.passage.page, "similarity": e.cosine} for e in used]


def _rechecks(verdict: Verdict) -> int:
    return verdict.steps.count("recheck")


def _details(result: CheckResult) -> str:
    return f"{result.state.capitalize()}. {result.why}"


def _number(value: Any) -> float | None:
    """A number as it is, null where there is none."""
    return None if np.isnan(value) else float(value)
