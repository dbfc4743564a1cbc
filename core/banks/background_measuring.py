"""Measures banks in background threads, with lower priority than the questions of users; resumes after a kill.

Each row is measured with every round that any preset could need.
"""

import logging
import os
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from filelock import Timeout

from core.banks.measured_bank import MeasuredBank, StoredTraces
from core.banks.saved import SavedBanks
from core.case import CaseError, Trace
from core.evaluation.cases import measure_or_error
from core.evaluation.conditions import conditions_of
from core.platform.jobs import PEOPLE, use_pause

if TYPE_CHECKING:
    from core.graph import Explorer

log = logging.getLogger(__name__)

NICE = 10
"""The niceness of the thread, on systems that support it; 19 is the lowest priority."""
_MEASURING_LOCK = threading.Lock()
"""Held while a question is measured; several banks take turns."""
_PAUSE_SECONDS = 0.002
"""Pause in seconds between two questions, in which another bank can take the lock."""


@dataclass(eq=False, kw_only=True)
class BankRun:
    """The measuring of one bank.

    name: of the bank. home: the run-time folder. state: "broken" if an error ended the run; `sentence` is then the
    error in one sentence. done, count: number of rows that are measured, and of all rows. failed: question digests of
    the rows that could not be measured in this run. stopping: set to request the end of the run. ended: set when the
    run is over. _durations: seconds for each row, without waiting. _waiting_seconds: time in which the run waited for
    users.
    """

    name: str
    home: Path
    explorer: "Explorer"
    state: Literal["waiting", "measuring", "done", "stopped", "broken"] = "waiting"
    done: int = 0
    count: int = 0
    failed: set[str] = field(default_factory=set)
    sentence: str = ""
    stopping: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)
    _durations: list[float] = field(default_factory=list)
    _waiting_seconds: float = 0.0

    def begin(self) -> None:
        """Start measuring in a thread of its own."""
        threading.Thread(target=self._work, name=f"measuring {self.name}", daemon=True).start()

    @property
    def seconds_left(self) -> float | None:
        """Estimated seconds until all rows are measured, from the mean duration of a row; None before the first row.
        Time in which the run waits for users is not counted.
        """
        if not self._durations:
            return None
        return sum(self._durations) / len(self._durations) * (self.count - self.done - len(self.failed))

    def _work(self) -> None:
        if sys.platform == "linux":
            try:
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
            except OSError as error:
                log.info("the background has no lower priority: %s", error)
        try:
            with SavedBanks(self.home).measuring_lock(self.name):
                self.state = "measuring"
                self._measure_all()
            self.state = "stopped" if self.stopping.is_set() else "done"
        except Exception as error:  # edge of a thread: nothing above would report it
            if isinstance(error, Timeout):
                self.sentence = f"Another process is measuring {self.name}; wait until it is done, or stop it there."
            elif isinstance(error, CaseError):
                self.sentence = str(error)
            else:
                log.exception("the bank %s could not be measured", self.name)
                cause = f"{type(error).__name__}: {error}"
                self.sentence = f"{self.name} broke while it was measured ({cause}); go on with it."
            self.state = "broken"
        finally:
            self.ended.set()

    def _measure_all(self) -> None:
        """Measure every round that a preset could need of all missing rows, including those added meanwhile, until none
        is left or the run is stopped. The trace of a row is stored, or the reason why it could not be measured.

        Rows are sorted by digest, which is as good as a random order, so that the rows measured first represent the
        whole bank.
        """
        conditions = conditions_of(self.explorer)
        StoredTraces(self.home).use(conditions.key, vars(conditions))
        while not self.stopping.is_set():
            bank = MeasuredBank(self.home, SavedBanks(self.home).rows(self.name), conditions)
            missing = bank.missing_rows()
            self.count = len(set(bank.questions))
            self.done = self.count - len(missing)
            left = sorted(missing.keys() - self.failed)
            if not left:
                return
            for question in left:
                with _MEASURING_LOCK, use_pause(self._yield_to_users):
                    self._yield_to_users()
                    if self.stopping.is_set():
                        return
                    started, waited_before = time.monotonic(), self._waiting_seconds
                    result = next(measure_or_error([missing[question]], self.explorer, ()))
                    if store_result(bank, question, result, self.explorer):
                        self.failed.add(question)
                    else:
                        self.done += 1
                    self._durations.append(time.monotonic() - started - (self._waiting_seconds - waited_before))
                time.sleep(_PAUSE_SECONDS)

    def _yield_to_users(self) -> None:
        self._waiting_seconds += PEOPLE.wait(self.stopping.is_set)


class Background:
    """The banks of one run-time folder that this process measures or has measured; one thread each, taking turns."""

    def __init__(self, home: Path) -> None:
        self.home = Path(home)
        self._lock = threading.Lock()
        self._runs: dict[str, BankRun] = {}

    def start(self, name: str, explorer: "Explorer") -> BankRun:
        """Start measuring the missing rows of a bank and return the run; if the bank is being measured already, return
        that run.
        """
        with self._lock:
            run = self._runs.get(name)
            if run is None or run.ended.is_set():
                run = self._runs[name] = BankRun(name=name, home=self.home, explorer=explorer)
                run.begin()
            return run

    def stop(self, name: str) -> None:
        """Stop measuring a bank after its current question. Everything measured so far stays."""
        with self._lock:
            if name in self._runs:
                self._runs[name].stopping.set()

    def run(self, name: str) -> BankRun | None:
        return self._runs.get(name)


def store_result(bank: MeasuredBank, question: str, result: Trace | Exception, explorer: "Explorer") -> str:
    """Store the trace of a question, or the reason why it could not be measured as a whole, such as the error of a
    model. Returns that reason; "" if everything was measured.

    question: its digest. Raises CaseError if the conditions of `explorer` are no longer those of the bank: what was
    measured in between depends on both, and must not be stored.
    """
    if isinstance(result, Exception):
        problem = str(result) if isinstance(result, CaseError) else f"{type(result).__name__}: {result}"
    else:
        absent = (a for trace in (result, *result.parts) for r in trace.rounds for a in r.absent.values())
        problem = next((a.why for a in absent if a.cause == "error"), "")
    if conditions_of(explorer) != bank.conditions:
        raise CaseError("The library changed while the bank was measured; measure it again with what it holds now.")
    if problem:
        bank.stored_traces.fail(bank.conditions.key, question, problem)
    else:
        bank.stored_traces.store(bank.conditions.key, question, result)
    return problem
