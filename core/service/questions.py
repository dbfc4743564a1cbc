"""The questions of the service: each is processed or queued in a thread, its events are sent as they happen, and it is
counted for Prometheus.
"""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from core.case import Question, Trace
from core.decide import Step, Verdict, confidence_of
from core.decide.check_results import judge
from core.graph import Explorer
from core.graph.explorer import measured_by, node_of
from core.platform.jobs import StoppedWaiting, report_waits
from core.reply.reply import reply_of
from core.service.problems import FullError, problem, sentence_of
from core.settings.domains import domain
from core.thresholds import Preset

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


MOST = 200
"""Maximum number of questions processed or queued at a time; further ones are rejected."""

Event = tuple[str, dict[str, Any]]
"""(kind, content); kind is waiting, stage, verdict or problem."""
Note = Callable[[Trace, Verdict, Preset], None]
Send = Callable[[str, dict[str, Any]], None]


class Questions:
    """All questions that a service is working on, each in a thread of its own; they share the one queue of the process.

    note: called with every decision. in_line: number of questions that are worked on or wait.
    """

    def __init__(self, explorer: Explorer, note: Note) -> None:
        self.explorer, self.in_line = explorer, 0
        self.meters = Meters(lambda: self.in_line)
        self._note, self._threads = note, ThreadPoolExecutor(MOST, "question")

    async def events(self, question: Question, preset_: Preset, id_: Any = None) -> AsyncIterator[Event]:
        """Yield the events of a question, up to its verdict or problem. Work ends when the caller stops iterating."""
        if self.in_line >= MOST:
            raise FullError(f"{MOST} questions wait already, and more are not taken; ask again in a while.")
        events, closed, loop = asyncio.Queue(), threading.Event(), asyncio.get_running_loop()

        def send(kind: str, content: dict[str, Any]) -> None:
            if closed.is_set():
                raise StoppedWaiting
            loop.call_soon_threadsafe(events.put_nowait, (kind, content))

        self.in_line += 1
        future = loop.run_in_executor(self._threads, self._run, question, preset_, id_, send)
        future.add_done_callback(self._finished)
        try:
            while True:
                kind, content = await events.get()
                yield kind, content
                if kind in ("verdict", "problem"):
                    return
        finally:
            closed.set()

    def _finished(self, _: asyncio.Future) -> None:
        self.in_line -= 1

    def _run(self, question: Question, preset_: Preset, id_: Any, send: Send) -> None:
        try:
            with report_waits(lambda wait: send("waiting", vars(wait)) if wait else None):
                send("verdict", self._decide(question, preset_, id_, send))
        except StoppedWaiting:
            return
        except Exception as error:  # reported to the caller with a fitting status
            status, sentence = sentence_of(error)
            self.meters.problem(status)
            send("problem", problem(status, sentence))

    def _decide(self, question: Question, preset_: Preset, id_: Any, send: Send) -> dict[str, Any]:
        started = time.perf_counter()
        trace, verdict = self.explorer.ask(question, preset_, self._step_listener(preset_, send))
        trace = replace(trace, seconds=time.perf_counter() - started)
        self._note(trace, verdict, preset_)
        self.meters.record_decision(verdict, trace.seconds)
        return {**reply_of(trace, verdict, preset_, domain(self.explorer.settings.domain)).row(), "id": id_}

    def _step_listener(self, preset_: Preset, send: Send) -> Callable[[Step, Trace | None], None]:
        """A listener that reports and counts each step as it begins and as it ends."""
        began = 0.0

        def watch(step: Step, grown: Trace | None) -> None:
            nonlocal began
            about = {"step": node_of(step), "round": step.round, "part": step.part}
            if grown is None:
                began = time.perf_counter()
                send("stage", {**about, "state": "begins", "query": None, "confidence": None, "failed": []})
                return
            measured = measured_by(step, grown)
            self.meters.step(about["step"], time.perf_counter() - began)
            failed = [name for name, result in judge(measured, preset_).items() if result.state == "failed"]
            done = {"query": measured.case.query, "confidence": confidence_of(measured), "failed": failed}
            send("stage", {**about, "state": "done", **done})

        return watch
