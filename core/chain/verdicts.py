"""The verdict: what the user gets at the end of the way, and why. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.case import Round
from core.chain.check_results import CheckResult, blocking, check_named
from core.chain.delivery import Change, Delivery
from core.chain.evidence_confidence import Band, band_of, confidence_of
from core.chain.judged_sentences import JudgedSentence, judged_sentences
from core.chain.messages import clarifying, fallback, handed_over, refusal
from core.chain.refusal_reasons import REASONS, ordered
from core.chain.routing import GROUNDING, Path, Route
from core.chain.trace_facts import TraceFacts
from core.checks.fact_grounding import Tier
from core.thresholds import Preset


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What the user gets, and why. `confidence` is the evidence confidence 0-100, `answer` what goes out.

    `round`, `checks` and `sentences` are of the answer that was judged; `delivery` is what goes out of it, None when
    nothing does. `primary_reason` says why the judged answer does not go out as it is. `parts` are the verdicts on
    the parts of a question that asks several things.
    """

    route: Route
    steps: tuple[str, ...]
    primary_reason: str | None
    reasons: tuple[str, ...]
    failed: tuple[str, ...]
    confidence: float
    band: Band
    answer: str
    checks: Mapping[str, CheckResult]
    sentences: tuple[JudgedSentence, ...]
    round: Round
    tier: Tier | None = None
    delivery: Delivery | None = None
    parts: tuple["Verdict", ...] = ()

    @property
    def answered(self) -> bool:
        return self.route.startswith("deliver")

    @property
    def explanation(self) -> str:
        """The primary reason in plain words; empty when the answer goes out as it is."""
        return REASONS[self.primary_reason] if self.primary_reason else ""

    @property
    def supported(self) -> int:
        """How many sentences the passages say."""
        return sum(s.supported for s in self.sentences)

    @property
    def changes(self) -> tuple[Change, ...]:
        """What became of each sentence of the judged answer; empty when nothing goes out."""
        return self.delivery.changes if self.delivery else ()


def concluded(found: TraceFacts, path: Path) -> Verdict:
    """The verdict at the end of `path`, which one question took alone by what was `found`."""
    judged, results, preset = found.round(path.place), found.results(path.look), found.preset
    delivery, reasons = found.delivery(path), _reasons(path.route, judged, results)
    confidence = confidence_of(judged)
    return Verdict(
        route=path.route, steps=path.steps, primary_reason=reasons[0] if reasons else None, reasons=reasons,
        failed=failed_of(results), confidence=confidence, band=band_of(confidence, preset),
        answer=_answer(found, path, delivery), checks=results, sentences=judged_sentences(judged, preset),
        round=judged, tier=tier_of(results, preset), delivery=delivery,
    )  # fmt: skip


def counted_sentences(verdict: Verdict, preset: Preset) -> tuple[JudgedSentence, ...]:
    """The sentences that go out, of all parts of a question; those that were judged when none does."""
    if verdict.answered and verdict.parts:
        return tuple(s for part in verdict.parts if part.answered for s in counted_sentences(part, preset))
    if verdict.route in ("deliver_part", "deliver_corrected"):
        return judged_sentences(verdict.delivery.round, preset)
    return verdict.sentences


def failed_of(results: Mapping[str, CheckResult]) -> tuple[str, ...]:
    """The names of the checks that failed or broke, whether they block or only watch."""
    return tuple(r.name for r in results.values() if r.state == "failed" or r.cause == "error")


def tier_of(results: Mapping[str, CheckResult], preset: Preset) -> Tier | None:
    """Stage 2's tier: high, medium or low; None when stage 2 did not run."""
    found, check = results.get(GROUNDING), check_named(GROUNDING)
    if found is None or found.value is None:
        return None
    return check.tier_of(found.value, check.bind(preset))


def _reasons(route: Route, judged: Round, results: Mapping[str, CheckResult]) -> tuple[str, ...]:
    """Why the judged answer does not go out as it is, the primary reason first."""
    found = {r.reason for r in blocking(results)}
    if route == "refuse" and not judged.case.sentences:
        found.add("low_grounding")  # an empty answer is not grounded, whichever checks are on
    return ordered(found)


def _answer(found: TraceFacts, path: Path, delivery: Delivery | None) -> str:
    if delivery:
        return delivery.told
    if path.route == "escalate":
        return handed_over(found.trace)
    if path.route == "clarify":
        return clarifying(found.trace)
    of_its_stages = path.steps[-2] in ("stage 1", "stage 2")
    return fallback(found.trace) if of_its_stages else refusal(found.trace, found.preset)
