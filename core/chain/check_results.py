"""What every check says of one round under a preset, and for which reason no answer goes out. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from core.case import Absence, Case, Round
from core.check import Bound, Check, Part, mode_of
from core.checks import all_checks
from core.thresholds import Mode, Preset

REASONS: Mapping[str, str] = {
    "model_failure": "Something broke while the answer was being checked, so nothing is delivered.",
    "interest": "This is not something to say here.",
    "other_language": "The question is in another language than the library.",
    "unclear": "The question can be read in more than one way.",
    "off_topic": "This question is not on a topic of the library.",
    "outside_scope": "The library has this topic, but not in the part that was asked for.",
    "insufficient_context": "The library holds too little about this to answer from.",
    "low_confidence": "The passages that were found are not close enough to the question.",
    "abstained": "The answer says that there is no answer.",
    "computed": "The answer is computed from numbers of the question, and nothing here says how to check it.",
    "hallucination_detected": "The answer says something that the passages contradict or do not hold.",
    "unreadable_citations": "The answer has a citation that cannot be read.",
    "invalid_citations": "The answer cites a passage that is not there.",
    "missing_citations": "Parts of the answer do not say where they come from.",
    "low_grounding": "Parts of the answer are not said by the passages.",
    "beside_question": "The answer does not answer what was asked.",
    "hedging": "The answer hedges instead of saying what the passages say.",
}
"""Why an answer does not go out as it is, in plain words. The first that applies is the primary reason.

After what broke and what is nothing to say here: a question that the library cannot be asked; off their topic; on it,
but nothing answers; found, but weak; written, but as an abstention, or computed; not borne out; borne out, but beside
the question.
"""

ON_TOPIC = 0.35
"""A question whose closest passage has at least this cosine is said to be on a topic of the books.

It decides nothing but the words of a refusal, so it is no threshold that moves. Of those of 0.30 to 0.50 in steps of
0.05 it tells best the off-topic questions of the sample banks from the others, in the mean of both shares: on the
tuning half 30 of 38 are told to be off topic, and 8 of 83 others (7 of 42 that these books leave unanswered). No other
signal told them apart better, neither P(a passage answers) nor how close the question lies to what does not belong.
On the reporting half it is 15 of 22 and 5 of 85.
"""
SURELY_ON_TOPIC = 0.45
"""From this cosine of another book on it is said that the books have the topic: P(related) is one half there, and 1 of
38 off-topic questions of the tuning half lies above it.
"""
_OF_THE_SEARCH = ("off_topic", "insufficient_context", "low_confidence")
"""What query checks say of a search that is not good enough; which of them explains it best, the case says."""


@dataclass(frozen=True, kw_only=True)
class CheckResult:
    """One check of one case. state: passed, failed or not_run with its cause; numbers are None when it did not run.
    parts: what the value is made of."""

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
    parts: tuple[Part, ...] = ()

    @property
    def blocks(self) -> bool:
        """True when this result forbids delivery: a blocking check that failed or broke."""
        return self.mode == "blocks" and (self.state == "failed" or self.cause == "error")


Results = Mapping[str, CheckResult]
"""What every check says of one round, by name, query checks first."""


def judge(measured: Round, preset: Preset) -> dict[str, CheckResult]:
    """What every check says of one round under `preset`, by name, query checks first."""
    return {check.name: result(check, measured, preset) for check in all_checks()}


def judge_answer(measured: Round, preset: Preset) -> dict[str, CheckResult]:
    """What the answer checks say of one round under `preset`, by name."""
    return {c.name: result(c, measured, preset) for c in all_checks() if c.stage == "answer"}


def result(check: Check, measured: Round, preset: Preset) -> CheckResult:
    """What one check says of one round under `preset`, which depends on nothing but its mode and its own limits."""
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
        by=str(decision.by), why=why, reason="" if decision.passed else reason_of(check, measured, t),
        parts=check.parts(s),
    )  # fmt: skip


def check_named(name: str) -> Check | None:
    """The check called `name`; None where there is none, so that the chain goes on without it."""
    all_checks()
    return Check.registry.get(name)


def in_force(name: str, preset: Preset) -> bool:
    """True when the check called `name` may change the route: it is there, and it blocks."""
    check = check_named(name)
    return check is not None and mode_of(check, preset) == "blocks"


def blocking(results: Results, stage: str = "") -> list[CheckResult]:
    """The results that forbid delivery, those of one stage only when it is named."""
    return [r for r in results.values() if r.blocks and stage in ("", r.stage)]


def passed(results: Sequence[CheckResult]) -> str:
    """How many of those that ran have passed, in words."""
    ran = [r for r in results if r.state != "not_run"]
    return f"{sum(r.state == 'passed' for r in ran)} of {len(ran)} checks passed" if ran else "no check ran"


def not_asked(results: Results, names: Collection[str], why: str) -> dict[str, CheckResult]:
    """`results` with the named checks as not applicable: on this way through the chain nobody asks them."""
    return {n: _unasked(r, why) if n in names and r.cause != "off" else r for n, r in results.items()}


def _unasked(result: CheckResult, why: str) -> CheckResult:
    return replace(
        result,
        state="not_run",
        cause="not applicable",
        value=None,
        limit=None,
        margin=None,
        by="",
        reason="",
        why=why,
        parts=(),
    )


def reason_of(check: Check, measured: Round, t: Bound) -> str:
    """The reason of one check that fails on one round: its own, or what explains it better.

    Like the check's own it depends on what was measured, never on a limit: a topic limit that a question passes by a
    hair does not hide that the question is off the topic. Where there is no passage at all, nothing is off topic.
    """
    own = check.reason(Bound(**measured.signals[check.name]), t)
    return own if check.stage == "answer" else _explained(own, measured.case)


def ordered(reasons: Collection[str]) -> tuple[str, ...]:
    """Reasons in the order in which they count, the primary one first."""
    return tuple(sorted(reasons, key=list(REASONS).index))


def _explained(own: str, case: Case) -> str:
    if case.language:
        return "other_language"
    if own not in _OF_THE_SEARCH:
        return own
    if case.closest is None:
        return "insufficient_context" if own == "off_topic" else own
    if case.closest.cosine < ON_TOPIC:
        return "off_topic"
    return "outside_scope" if case.closest.asked < ON_TOPIC and case.closest.cosine >= SURELY_ON_TOPIC else own
