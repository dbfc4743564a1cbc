"""From the rounds of a trace to the next step and the verdict. Pure: no model, no file, no clock."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.case import Absence, Round, Trace
from core.check import Bound, Check, all_checks, mode_of
from core.sentences import JudgedSentence, judged_sentences
from core.thresholds import Mode, Preset

REFUSAL = "I don't know based on NCERT textbooks."

REASONS: Mapping[str, str] = {
    "model_failure": "Something broke while the answer was being checked, so nothing is delivered.",
    "insufficient_context": "The books hold too little about this to answer from.",
    "off_topic": "This question is not on a topic of these books.",
    "low_confidence": "The passages that were found are not close enough to the question.",
    "hallucination_detected": "The answer says something that the passages contradict or do not hold.",
    "invalid_citations": "The answer cites a passage that is not there.",
    "missing_citations": "Parts of the answer do not say where they come from.",
    "low_grounding": "Parts of the answer are not said by the passages.",
    "hedging": "The answer hedges instead of saying what the books say.",
}
"""Why an answer is refused, in plain words. The first that applies is the primary reason."""

ROUNDS = ("first", "refined 1", "refined 2")
"""Names of the rounds that a trace may hold here, in the order in which they are measured."""


@dataclass(frozen=True, kw_only=True)
class CheckResult:
    """One check of one case. state: passed, failed or not_run with its cause; numbers are None when it did not run."""

    name: str
    stage: str
    state: Literal["passed", "failed", "not_run"]
    cause: Literal["not applicable", "off", "error"] | None
    mode: Mode
    value: float | None = None
    limit: float | None = None
    margin: float | None = None
    by: str = ""
    why: str = ""
    reason: str = ""

    @property
    def blocks(self) -> bool:
        """True when this result forbids delivery: a blocking check that failed or broke."""
        return self.mode == "blocks" and (self.state == "failed" or self.cause == "error")


@dataclass(frozen=True, kw_only=True)
class Step:
    """What to do next: measure the round that is missing, or end the route."""

    action: Literal["measure", "deliver", "refuse"]
    round: str = ""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What the user gets, and why. `confidence` is the evidence confidence 0-100, `answer` what goes out."""

    route: Literal["deliver", "refuse"]
    steps: tuple[str, ...]
    primary_reason: str | None
    reasons: tuple[str, ...]
    failed: tuple[str, ...]
    confidence: float
    band: Literal["never", "named_only", "answer"]
    answer: str
    checks: Mapping[str, CheckResult]
    sentences: tuple[JudgedSentence, ...]
    round: Round
    tier: str | None = None

    @property
    def answered(self) -> bool:
        return self.route.startswith("deliver")

    @property
    def explanation(self) -> str:
        """The primary reason in plain words; empty when the answer is delivered."""
        return REASONS[self.primary_reason] if self.primary_reason else ""

    @property
    def supported(self) -> int:
        """How many sentences the passages say."""
        return sum(s.supported for s in self.sentences)


@dataclass(frozen=True)
class _Walk:
    """How far the critic's loop came: steps so far, the best round, and the round that is missing, if any."""

    steps: tuple[str, ...]
    best: int
    missing: str = ""


def next_step(trace: Trace, preset: Preset) -> Step:
    """The next step for `trace` under `preset`: measure a round that is not there yet, deliver, or refuse."""
    walk = _walk(trace, preset)
    if walk.missing:
        return Step(action="measure", round=walk.missing)
    chosen = trace.rounds[walk.best]
    blocked = any(r.blocks for r in judge(chosen, preset).values())
    return Step(action="refuse" if blocked or not chosen.case.sentences else "deliver")


def verdict(trace: Trace, preset: Preset) -> Verdict:
    """The verdict on the rounds that `trace` holds; a round still missing is left out of it, as a step shows."""
    walk = _walk(trace, preset)
    chosen = trace.rounds[walk.best]
    checks = judge(chosen, preset)
    blocking = [r for r in checks.values() if r.blocks]
    reasons = {r.reason for r in blocking}
    if not chosen.case.sentences:
        reasons.add("low_grounding")  # an empty answer is not grounded, whichever checks are on
    ordered = tuple(sorted(reasons, key=list(REASONS).index))
    confidence = confidence_of(chosen)
    return Verdict(
        route="refuse" if ordered else "deliver",
        steps=(*walk.steps, *_ending(blocking, ordered)),
        primary_reason=ordered[0] if ordered else None,
        reasons=ordered,
        failed=tuple(r.name for r in checks.values() if r.state == "failed" or r.cause == "error"),
        confidence=confidence,
        band=band_of(confidence, preset),
        answer=REFUSAL if ordered else chosen.case.draft.text,
        checks=checks,
        sentences=judged_sentences(chosen, preset),
        round=chosen,
    )


def judge(measured: Round, preset: Preset) -> dict[str, CheckResult]:
    """What every check says of one round under `preset`, by name, query checks first."""
    return {check.name: _result(check, measured, preset) for check in all_checks()}


def confidence_of(measured: Round) -> float:
    """Seed B's evidence confidence of one round: 100 times the best `answers`, 0 without passages."""
    return 100 * max((e.answers for e in measured.case.evidence), default=0.0)


def band_of(confidence: float, preset: Preset) -> Literal["never", "named_only", "answer"]:
    """The zone of the band in which a confidence lies; the zones move with the two limits."""
    limits = _check("confidence").bind(preset)
    if confidence / 100 >= limits.min_confidence / 100 - 1e-9:
        return "answer"
    return "named_only" if confidence / 100 >= limits.min_confidence_named / 100 - 1e-9 else "never"


def _walk(trace: Trace, preset: Preset) -> _Walk:
    """Seed B's loop: below the limit, refine until the confidence is stable or the rounds are used up."""
    if not trace.rounds:
        return _Walk(("retrieve",), 0, ROUNDS[0])
    critic = _check("confidence")
    t = critic.bind(preset)
    watching = mode_of(critic, preset) == "blocks"
    steps = ["retrieve", "critic"]
    for n in range(int(t.refine_rounds) if watching else 0):
        if n >= len(trace.rounds) or not _wants_another(trace, n, preset, t):
            break
        if n + 1 >= len(trace.rounds):
            return _Walk(tuple(steps), _best(trace, n + 1), ROUNDS[n + 1])
        steps += [f"refine {n + 1}", "critic"]
    seen = 1 + sum(s.startswith("refine") for s in steps)
    return _Walk(tuple(steps), _best(trace, seen))


def _wants_another(trace: Trace, n: int, preset: Preset, t: Bound) -> bool:
    """True when round n is too weak and another search may still help."""
    current = trace.rounds[n]
    critic = _result(_check("confidence"), current, preset)
    if critic.state != "failed" or not current.case.evidence or _off_topic(current, preset):
        return False
    moved = abs(confidence_of(current) - confidence_of(trace.rounds[n - 1])) if n else np.inf
    return bool(moved >= t.stable_within - 1e-9)


def _off_topic(measured: Round, preset: Preset) -> bool:
    """True when even the closest passage of the library is below the topic limit: another search is no use."""
    limit = _check("topic_relevance").bind(preset).max_topic_mismatch_score
    closest = measured.case.closest
    return closest is None or closest.cosine < limit


def _best(trace: Trace, count: int) -> int:
    """Place of the most confident of the first `count` rounds; the earliest of equals."""
    return max(range(count), key=lambda n: (confidence_of(trace.rounds[n]), -n))


def _ending(blocking: list[CheckResult], reasons: tuple[str, ...]) -> tuple[str, ...]:
    if any(r.stage == "query" for r in blocking):
        return ("query checks", "refuse")
    return ("query checks", "write", "answer checks", "refuse" if reasons else "deliver")


def _result(check: Check, measured: Round, preset: Preset) -> CheckResult:
    mode = mode_of(check, preset)
    about = {"name": check.name, "stage": check.stage, "mode": mode}
    if mode == "off":
        return CheckResult(**about, state="not_run", cause="off", why="Switched off.")
    gone = measured.absent.get(check.name)
    if gone is None and check.name not in measured.signals:
        gone = Absence(cause="error", why="This was measured before the check existed; ask again.")
    if gone:
        reason = "model_failure" if gone.cause == "error" else ""
        return CheckResult(**about, state="not_run", cause=gone.cause, why=gone.why, reason=reason)
    s, t = Bound(**measured.signals[check.name]), check.bind(preset)
    decision = check.decide(s, t)
    why = check.explain(measured.case, s, t)
    if np.isnan(decision.margin):
        return CheckResult(**about, state="not_run", cause="not applicable", why=why)
    return CheckResult(
        **about, state="passed" if decision.passed else "failed", cause=None,
        value=float(decision.value), limit=float(decision.limit), margin=float(decision.margin),
        by=str(decision.by), why=why, reason="" if decision.passed else check.reason(s, t),
    )  # fmt: skip


def _check(name: str) -> Check:
    all_checks()
    return Check.registry[name]
