"""What an operator sees of the service: counts and times for Prometheus, and spans where an exporter is named."""

import os
import time
from collections.abc import Callable
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from core.chain import Verdict
from core.chain.check_results import Results
from core.thresholds import Preset

EXPORTER = "OTEL_EXPORTER_OTLP_ENDPOINT"
"""Where the environment names the collector of spans, as everywhere with OpenTelemetry."""
_SECONDS = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)


class Meters:
    """Counts and times of one service; no text of a question is among them."""

    def __init__(self, in_line: Callable[[], int]) -> None:
        self._registry = known = CollectorRegistry()
        self._verdicts = Counter("guardrail_verdicts", "Questions decided.", ["route", "reason"], registry=known)
        self._problems = Counter("guardrail_problems", "Questions without a verdict.", ["status"], registry=known)
        self._seconds = Histogram(
            "guardrail_question_seconds", "Of a question, its wait included.", buckets=_SECONDS, registry=known
        )
        self._steps = Histogram(
            "guardrail_step_seconds", "Of a step of the chain.", ["step"], buckets=_SECONDS, registry=known
        )
        waiting = Gauge("guardrail_in_line", "Questions that are worked on or wait.", registry=known)
        waiting.set_function(in_line)

    def step(self, name: str, seconds: float) -> None:
        self._steps.labels(name).observe(seconds)

    def decided(self, verdict: Verdict, seconds: float) -> None:
        self._verdicts.labels(verdict.route, verdict.primary_reason or "").inc()
        self._seconds.observe(seconds)

    def problem(self, status: int) -> None:
        self._problems.labels(str(status)).inc()

    def text(self) -> bytes:
        return generate_latest(self._registry)


def tracer_provider(exporter: str) -> Any:
    """Sends spans to `exporter`, an address such as http://localhost:4317; None, and no spans, without one."""
    address = exporter or os.environ.get(EXPORTER, "")
    if not address:
        return None
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(resource=Resource.create({"service.name": "guardrail"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=address)))
    return provider


class Spans:
    """One span a step of the chain, and one for the verdict, with the values and limits of its checks."""

    def __init__(self, provider: Any = None) -> None:
        self._tracer = provider and provider.get_tracer("guardrail")

    def step(self, name: str, round_: str, results: Results, began: int, within: Any) -> None:
        """began: nanoseconds since 1970. within: the context of the request that asked."""
        if self._tracer:
            self._ended(name, {"guardrail.round": round_} | _told(results), began, within)

    def verdict(self, found: Verdict, under: Preset, began: int, within: Any) -> None:
        if self._tracer:
            about = {
                "guardrail.route": found.route, "guardrail.reason": found.primary_reason or "",
                "guardrail.preset": under.name,
            }  # fmt: skip
            if found.confidence is not None:
                about["guardrail.confidence"] = found.confidence
            self._ended("verdict", about | _told(found.checks), began, within)

    def _ended(self, name: str, about: dict[str, Any], began: int, within: Any) -> None:
        self._tracer.start_span(name, within, attributes=about, start_time=began).end(time.time_ns())


def _told(results: Results) -> dict[str, Any]:
    """What each check found, as attributes; of one that did not run its state alone."""
    numbers = {
        f"guardrail.{name}.{what}": getattr(result, what)
        for name, result in results.items()
        for what in ("state", "value", "limit", "margin")
    }
    return {name: value for name, value in numbers.items() if value is not None}
