"""A question of the service: a thread works on it or waits, and what happens is heard where replies are sent."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from opentelemetry import context

from core.case import Question, Trace
from core.chain import Step, Verdict, confidence_of
from core.chain.check_results import judge
from core.chain.serialization import verdict_row
from core.graph import Explorer
from core.graph.steps import measured_by, node_of
from core.platform.jobs import StoppedWaiting, telling
from core.reports.seed_outputs import log_entry, metadata
from core.service.problems import FullError, problem, sentence_of
from core.service.telemetry import Meters, Spans
from core.settings.domains import domain
from core.thresholds import Preset

MOST = 200
"""Questions that are worked on or wait at the same time; whoever comes then is told to come again."""

Event = tuple[str, dict[str, Any]]
"""waiting, stage, verdict or problem, and what it holds."""
Note = Callable[[Trace, Verdict, Preset], None]


class Questions:
    """All questions of one service. They stand in the one line of the process, each in a thread of its own.

    note: told of every decision.
    """

    def __init__(self, explorer: Explorer, note: Note, spans: Spans) -> None:
        self.explorer, self.spans, self.in_line = explorer, spans, 0
        self.meters = Meters(lambda: self.in_line)
        self._note, self._threads = note, ThreadPoolExecutor(MOST, "question")

    async def events(self, question: Question, under: Preset, id_: Any = None) -> AsyncIterator[Event]:
        """What becomes of a question, to its verdict or problem. Whoever stops listening ends the work on it."""
        if self.in_line >= MOST:
            raise FullError(f"{MOST} questions wait already, and more are not taken; ask again in a while.")
        told, over, loop = asyncio.Queue(), threading.Event(), asyncio.get_running_loop()

        def tell(kind: str, what: dict[str, Any]) -> None:
            if over.is_set():
                raise StoppedWaiting
            loop.call_soon_threadsafe(told.put_nowait, (kind, what))

        self.in_line += 1
        work = loop.run_in_executor(self._threads, self._worked, question, under, id_, tell, context.get_current())
        work.add_done_callback(self._left)
        try:
            while True:
                kind, what = await told.get()
                yield kind, what
                if kind in ("verdict", "problem"):
                    return
        finally:
            over.set()

    def _left(self, _: asyncio.Future) -> None:
        self.in_line -= 1

    def _worked(
        self, question: Question, under: Preset, id_: Any, tell: Callable[[str, dict[str, Any]], None], within: Any
    ) -> None:
        try:
            with telling(lambda wait: tell("waiting", vars(wait)) if wait else None):
                tell("verdict", self._decided(question, under, id_, tell, within))
        except StoppedWaiting:
            return
        except Exception as error:  # said to whoever asked, with the status that fits
            status, said = sentence_of(error)
            self.meters.problem(status)
            tell("problem", problem(status, said))

    def _decided(self, question: Question, under: Preset, id_: Any, tell: Any, within: Any) -> dict[str, Any]:
        started, began = time.perf_counter(), time.time_ns()
        trace, verdict = self.explorer.ask(question, under, self._watching(under, tell, within))
        trace = replace(trace, seconds=time.perf_counter() - started)
        self._note(trace, verdict, under)
        self.meters.decided(verdict, trace.seconds)
        self.spans.verdict(verdict, under, began, within)
        house = domain(self.explorer.settings.domain)
        log = log_entry(verdict, under, house, datetime.now(UTC).isoformat(timespec="milliseconds"))
        records = {"metadata": metadata(verdict, under, house), "guardrailLog": [log]}
        return {"id": id_, **verdict_row(trace, verdict), **records}

    def _watching(self, under: Preset, tell: Any, within: Any) -> Callable[[Step, Trace | None], None]:
        """Each step told as it begins and as it ends, counted and traced."""
        began = 0

        def watch(step: Step, grown: Trace | None) -> None:
            nonlocal began
            about = {"step": node_of(step), "round": step.round, "part": step.part}
            if grown is None:
                began = time.time_ns()
                tell("stage", {**about, "state": "begins", "query": None, "confidence": None, "failed": []})
                return
            measured = measured_by(step, grown)
            self.meters.step(about["step"], (time.time_ns() - began) / 1e9)
            results = judge(measured, under)
            self.spans.step(about["step"], step.round, results, began, within)
            failed = [name for name, result in results.items() if result.state == "failed"]
            found = {"query": measured.case.query, "confidence": confidence_of(measured), "failed": failed}
            tell("stage", {**about, "state": "done", **found})

        return watch
