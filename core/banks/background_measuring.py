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
from typing import TYPE_CHECKING, Any, Literal

from filelock import Timeout

from core.banks.measured_bank import MeasuredBank, StoredTraces, require_same_conditions
from core.banks.saved import SavedBanks
from core.case import CaseError, Trace
from core.evaluation.cases import measure_or_error
from core.evaluation.conditions import Conditions, conditions_of
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
        _lower_priority()
        try:
            with SavedBanks(self.home).measuring_lock(self.name):
                self.state = "measuring"
                self._measure_all()
            self.state = "stopped" if self.stopping.is_set() else "done"
        except Timeout:
            self._fail(f"Another process is measuring {self.name}; wait until it is done, or stop it there.")
        except CaseError as error:
            self._fail(str(error))
        except Exception as error:  # edge of a thread: nothing above would report it
            log.exception("the bank %s could not be measured", self.name)
            self._fail(f"{self.name} broke while it was measured ({type(error).__name__}: {error}); go on with it.")
        finally:
            self.ended.set()

    def _measure_all(self) -> None:
        """Measure all missing rows, including those added meanwhile, until none is left or the run is stopped."""
        conditions, store = conditions_of(self.explorer), StoredTraces(self.home)
        store.use(conditions.key, vars(conditions))
        while not self.stopping.is_set() and (missing := self._missing(conditions)):
            for question, row in missing.items():
                with _MEASURING_LOCK:
                    self._yield_to_users()
                    if self.stopping.is_set():
                        return
                    self._measure(conditions, store, question, row)
                time.sleep(_PAUSE_SECONDS)

    def _missing(self, conditions: Conditions) -> dict[str, dict[str, Any]]:
        """The rows that are neither measured nor failed, by question digest; of equal questions only the last row.

        They are sorted by digest, which is as good as a random order, so that the rows measured first represent the
        whole bank.
        """
        rows = SavedBanks(self.home).rows(self.name)
        bank = MeasuredBank(self.home, rows, conditions)
        measured_digests = bank.measured_digests()
        row_by_digest = dict(sorted(zip(bank.questions, rows, strict=True), key=lambda pair: pair[0]))
        self.count, self.done = len(row_by_digest), sum(digest in measured_digests for digest in row_by_digest)
        return {
            digest: row
            for digest, row in row_by_digest.items()
            if digest not in measured_digests and digest not in self.failed
        }

    def _measure(self, conditions: Conditions, store: StoredTraces, question: str, row: dict[str, Any]) -> None:
        """Measure every round of one row that a preset could need, and store its trace or the reason of its failure."""
        started, waited_before = time.monotonic(), self._waiting_seconds
        with use_pause(self._yield_to_users):
            result = next(measure_or_error([row], self.explorer, ()))
        if store_result(store, conditions, question, result, self.explorer):
            self.failed.add(question)
        else:
            self.done += 1
        self._durations.append(time.monotonic() - started - (self._waiting_seconds - waited_before))

    def _yield_to_users(self) -> None:
        self._waiting_seconds += PEOPLE.wait(self.stopping.is_set)

    def _fail(self, sentence: str) -> None:
        self.sentence, self.state = sentence, "broken"


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
        """The latest run of a bank; None if there was none."""
        return self._runs.get(name)


def store_result(
    store: StoredTraces, conditions: Conditions, question: str, result: Trace | Exception, explorer: "Explorer"
) -> str:
    """Store the trace of a question, or the reason why it could not be measured. Returns that reason; "" for a whole
    trace.

    question: its digest. Raises CaseError if the library changed meanwhile; then nothing is stored.
    """
    problem = _failure(result)
    require_same_conditions(explorer, conditions)
    if problem:
        store.fail(conditions.key, question, problem)
    else:
        store.store(conditions.key, question, result)
    return problem


def _failure(result: Trace | Exception) -> str:
    """The reason why a row could not be measured as a whole, such as the error of a model; "" if everything was
    measured.
    """
    if isinstance(result, Exception):
        return str(result) if isinstance(result, CaseError) else f"{type(result).__name__}: {result}"
    absent = (a for trace in (result, *result.parts) for r in trace.rounds for a in r.absent.values())
    return next((a.why for a in absent if a.cause == "error"), "")


def _lower_priority() -> None:
    """Lower the priority of this thread, on systems that support it per thread."""
    if sys.platform == "linux":
        try:
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
        except OSError as error:
            log.info("the background has no lower priority: %s", error)
