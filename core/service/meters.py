"""Counts and times of the service, for Prometheus."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from core.decide import Verdict

_SECONDS = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)


class Meters:
    """Counts and times of one service, without any text of a question."""

    def __init__(self, in_line: Callable[[], int]) -> None:
        self._registry = registry = CollectorRegistry()
        self._verdicts = Counter("guardrail_verdicts", "Questions decided.", ["route", "reason"], registry=registry)
        self._problems = Counter("guardrail_problems", "Questions without a verdict.", ["status"], registry=registry)
        self._seconds = Histogram(
            "guardrail_question_seconds", "Of a question, its wait included.", buckets=_SECONDS, registry=registry
        )
        self._steps = Histogram(
            "guardrail_step_seconds", "Of a step of the chain.", ["step"], buckets=_SECONDS, registry=registry
        )
        waiting = Gauge("guardrail_in_line", "Questions that are worked on or wait.", registry=registry)
        waiting.set_function(in_line)

    def step(self, name: str, seconds: float) -> None:
        self._steps.labels(name).observe(seconds)

    def record_decision(self, verdict: Verdict, seconds: float) -> None:
        self._verdicts.labels(verdict.route, verdict.primary_reason or "").inc()
        self._seconds.observe(seconds)

    def problem(self, status: int) -> None:
        self._problems.labels(str(status)).inc()

    def text(self) -> bytes:
        return generate_latest(self._registry)
