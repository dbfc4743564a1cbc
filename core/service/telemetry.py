"""Telemetry of the service: counts and times for Prometheus, and OpenTelemetry spans if an exporter is set."""

import os
import time
from collections.abc import Callable
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from core.chain import Verdict
from core.chain.check_results import Results
from core.thresholds import Preset

EXPORTER = "OTEL_EXPORTER_OTLP_ENDPOINT"
"""Environment variable with the address of the span collector, as is standard for OpenTelemetry."""
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


def tracer_provider(exporter: str) -> Any:
    """A provider that sends spans to `exporter`, such as http://localhost:4317; None (no spans) without an address."""
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
    """One span per step of the chain, and one for the verdict, with the values and limits of the checks."""

    def __init__(self, provider: Any = None) -> None:
        self._tracer = provider and provider.get_tracer("guardrail")

    def step(self, name: str, round_: str, results: Results, began: int, tracing_context: Any) -> None:
        """Record a step. began: nanoseconds since 1970. tracing_context: the tracing context of the request."""
        if self._tracer:
            self._record(name, {"guardrail.round": round_} | _attributes_of(results), began, tracing_context)

    def verdict(self, decision: Verdict, preset: Preset, began: int, tracing_context: Any) -> None:
        if self._tracer:
            attributes = {
                "guardrail.route": decision.route, "guardrail.reason": decision.primary_reason or "",
                "guardrail.preset": preset.name,
            }  # fmt: skip
            if decision.confidence is not None:
                attributes["guardrail.confidence"] = decision.confidence
            self._record("verdict", attributes | _attributes_of(decision.checks), began, tracing_context)

    def _record(self, name: str, attributes: dict[str, Any], began: int, tracing_context: Any) -> None:
        self._tracer.start_span(name, tracing_context, attributes=attributes, start_time=began).end(time.time_ns())


def _attributes_of(results: Results) -> dict[str, Any]:
    """The numbers of each check as span attributes; only the state of a check that did not run."""
    attributes = {
        f"guardrail.{name}.{field}": getattr(result, field)
        for name, result in results.items()
        for field in ("state", "value", "limit", "margin")
    }
    return {name: value for name, value in attributes.items() if value is not None}
