"""The result of every check on one round under a preset, and the reason why no answer goes out. Pure."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.case import Absence, Round
from core.check import Bound, Check, Component, mode_of
from core.checks import all_checks
from core.thresholds import Mode, Preset
from core.words import REASONS

ON_TOPIC = 0.35
"""A question counts as on a topic of the books if its closest passage has at least this cosine.

It decides only the words of a refusal, so it is no adjustable threshold. Among 0.30 to 0.50 in steps of 0.05 it
separates the off-topic questions of the sample banks best from the others, by the mean of both shares. On the tuning
half it labels 30 of 38 off-topic questions so, and 8 of 83 others (7 of 42 that these books leave unanswered); on the
reporting half 15 of 22 and 5 of 85. No other signal separates them better, neither P(a passage answers) nor the
closeness to questions outside the domain.
"""
SURELY_ON_TOPIC = 0.45
"""From this cosine of a passage outside the scope, the refusal says that the books have the topic.

P(related) is one half there; 1 of 38 off-topic questions of the tuning half is above it.
"""


@dataclass(frozen=True, kw_only=True)
class CheckResult:
    """Result of one check on one case.

    state: passed, failed, or not_run with its cause. value, limit, margin: numbers of the decision; None if the check
    did not run. by: name of the threshold that decided. why: an explanation in one sentence. reason: key of `REASONS`,
    "" if the check passed. components: the numbers that the check combined into `value`. sentence: the text that
    decided: a sentence of the answer or, for a query check, of a passage; "" if no single sentence did.
    """

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
    components: tuple[Component, ...] = ()
    sentence: str = ""

    @property
    def blocks(self) -> bool:
        """True if this result forbids delivery: a blocking check that failed or broke."""
        return self.mode == "blocks" and (self.state == "failed" or self.cause == "error")


Results = Mapping[str, CheckResult]
"""Results of the checks on one round by name, query checks first."""


def judge(measured_round: Round, preset: Preset, stage: str = "") -> dict[str, CheckResult]:
    """Results of all checks, or those of one stage, on one round under `preset`, by name, query checks first."""
    return {c.name: result(c, measured_round, preset) for c in all_checks() if stage in ("", c.stage)}


def result(check: Check, measured_round: Round, preset: Preset) -> CheckResult:
    """Result of one check on one round. It depends only on the check's mode and its own limits in `preset`."""
    mode = mode_of(check, preset)
    fields = {"name": check.name, "stage": check.stage, "mode": mode}
    if mode == "off":
        return CheckResult(**fields, state="not_run", cause="off", why="Switched off.")
    absence = measured_round.absent.get(check.name)
    if absence is None and check.name not in measured_round.signals:
        absence = Absence(cause="error", why="The question was measured before this check existed; ask again.")
    if absence:
        reason = "model_failure" if absence.cause == "error" else ""
        return CheckResult(**fields, state="not_run", cause=absence.cause, why=absence.why, reason=reason)
    s, t, case = Bound(**measured_round.signals[check.name]), check.bind(preset), measured_round.case
    decision, reason_text = check.decide(s, t), check.explain(case, s, t)
    if np.isnan(decision.margin):
        return CheckResult(**fields, state="not_run", cause="not applicable", why=reason_text)
    sentence, index = "", check.deciding(s, t)
    if index is not None and check.stage == "answer":
        sentence = case.sentences[index].text
    elif index is not None:  # the first relevant sentence of the passage
        passage, kept = case.evidence[index].passage, case.evidence[index].kept
        sentence = passage.sentences[kept[0]] if kept else passage.text
    return CheckResult(
        **fields, state="passed" if decision.passed else "failed", cause=None,
        value=float(decision.value), limit=float(decision.limit), margin=float(decision.margin),
        by=str(decision.by), why=reason_text, reason="" if decision.passed else reason_of(check, measured_round, t),
        components=check.components(s), sentence=sentence,
    )  # fmt: skip


def blocking(results: Results, stage: str = "") -> list[CheckResult]:
    """The results that forbid delivery; those of one stage if `stage` is given."""
    return [r for r in results.values() if r.blocks and stage in ("", r.stage)]


def reason_of(check: Check, measured_round: Round, t: Bound) -> str:
    """The reason for a check that fails on one round: the check's own reason, or one that explains the failure better.

    A weak search is explained by the question's language, topic or scope. It depends on the signals only, never on a
    limit: a question that barely passes a topic limit can still be off the topic. A question for which no passage was
    found never counts as off topic.
    """
    own, case = check.reason(Bound(**measured_round.signals[check.name]), t), measured_round.case
    if check.stage == "answer":
        return own
    if case.language:
        return "other_language"
    if own not in ("off_topic", "insufficient_context", "low_confidence"):
        return own
    if case.closest is None:
        return "insufficient_context" if own == "off_topic" else own
    if case.closest.cosine < ON_TOPIC:
        return "off_topic"
    return "outside_scope" if case.closest.asked < ON_TOPIC and case.closest.cosine >= SURELY_ON_TOPIC else own


def sort_reasons(reasons: Collection[str]) -> tuple[str, ...]:
    """Sort reasons by their order in `REASONS`, the primary one first."""
    return tuple(sorted(reasons, key=list(REASONS).index))
