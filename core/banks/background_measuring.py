"""Banks measured in the background: once, to full depth, behind people, and on from where it was after a kill."""

import logging
import os
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from filelock import FileLock, Timeout

from core.banks.measured_bank import Conditions, KeptTraces, MeasuredBank, conditions_of, require_unchanged
from core.banks.saved import SavedBanks
from core.case import CaseError, Trace
from core.evaluation.cases import measured
from core.platform.jobs import PEOPLE, standing_back

if TYPE_CHECKING:
    from core.graph import Explorer

log = logging.getLogger(__name__)

NICE = 10
"""How far the thread stands back behind the rest of the computer, where the system can be told; 19 is farthest."""
_TURN = threading.Lock()
"""Held while a question is measured: several banks take turns."""
_HAND_OVER = 0.002
"""Seconds between two questions in which another bank may have its turn."""


@dataclass(eq=False, kw_only=True)
class BankRun:
    """One bank being measured. state: waiting, measuring, then done, stopped or broken; `sentence` says what broke.

    done, count: rows that are measured, of all. failed: rows that could not be measured in this run.
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
    _took: list[float] = field(default_factory=list)
    _waited: float = 0.0

    def begin(self) -> None:
        threading.Thread(target=self._work, name=f"measuring {self.name}", daemon=True).start()

    @property
    def seconds_left(self) -> float | None:
        """As long as the others took, each, while nobody was waited for; None before the first."""
        if not self._took:
            return None
        return sum(self._took) / len(self._took) * (self.count - self.done - len(self.failed))

    def _work(self) -> None:
        _stand_back()
        try:
            with FileLock(SavedBanks(self.home).path(self.name).with_suffix(".measuring.lock"), timeout=0):
                self.state = "measuring"
                self._measure_all()
            self.state = "stopped" if self.stopping.is_set() else "done"
        except Timeout:
            self._broken(f"Another process is measuring {self.name}; wait until it is done, or stop it there.")
        except CaseError as error:
            self._broken(str(error))
        except Exception as error:  # the edge of a thread: nobody above would hear of it
            log.exception("the bank %s could not be measured", self.name)
            self._broken(f"{self.name} broke while it was measured ({type(error).__name__}: {error}); go on with it.")
        finally:
            self.ended.set()

    def _measure_all(self) -> None:
        """Every row that is missing, those too that are added meanwhile, until there is none, or a stop."""
        conditions, kept = conditions_of(self.explorer), KeptTraces(self.home)
        kept.use(conditions.key, vars(conditions))
        while not self.stopping.is_set() and (missing := self._missing(conditions)):
            for question, row in missing.items():
                with _TURN:
                    self._give_way()
                    if self.stopping.is_set():
                        return
                    self._measure(conditions, kept, question, row)
                time.sleep(_HAND_OVER)

    def _missing(self, conditions: Conditions) -> dict[str, dict[str, Any]]:
        """The rows to measure by what they ask, each question once."""
        rows = SavedBanks(self.home).rows(self.name)
        bank = MeasuredBank(self.home, rows, conditions)
        known = bank.kept.known(conditions.key)
        wanted = dict(zip(bank.questions, rows, strict=True))
        self.count, self.done = len(wanted), sum(q in known for q in wanted)
        return {q: row for q, row in wanted.items() if q not in known and q not in self.failed}

    def _measure(self, conditions: Conditions, kept: KeptTraces, question: str, row: dict[str, Any]) -> None:
        """One row, to full depth."""
        started, waited = time.monotonic(), self._waited
        with standing_back(self._give_way):
            found = next(measured([row], self.explorer, ()))
        if keep(kept, conditions, question, found, self.explorer):
            self.failed.add(question)
        else:
            self.done += 1
        self._took.append(time.monotonic() - started - (self._waited - waited))

    def _give_way(self) -> None:
        self._waited += PEOPLE.wait(self.stopping.is_set)

    def _broken(self, sentence: str) -> None:
        self.sentence, self.state = sentence, "broken"


class Background:
    """The banks of one run-time folder that this process measures, or has measured; a thread each, in turns."""

    def __init__(self, home: Path) -> None:
        self.home = Path(home)
        self._changing = threading.Lock()
        self._runs: dict[str, BankRun] = {}

    def start(self, name: str, explorer: "Explorer") -> BankRun:
        """Measure what is missing of a bank, or go on with it; the run that is under way when there is one."""
        with self._changing:
            run = self._runs.get(name)
            if run is None or run.ended.is_set():
                run = self._runs[name] = BankRun(name=name, home=self.home, explorer=explorer)
                run.begin()
            return run

    def stop(self, name: str) -> None:
        """End the measuring of a bank after the question that it is at; what is measured stays."""
        with self._changing:
            if name in self._runs:
                self._runs[name].stopping.set()

    def run(self, name: str) -> BankRun | None:
        """The run of a bank that was started last."""
        return self._runs.get(name)


def keep(
    kept: KeptTraces, conditions: Conditions, question: str, found: Trace | Exception, explorer: "Explorer"
) -> str:
    """Keep what was measured of a question, "", or the sentence that says why it could not be, which is returned.

    CaseError where the library changed meanwhile: then nothing is kept.
    """
    why = _failure(found)
    require_unchanged(explorer, conditions)
    if why:
        kept.fail(conditions.key, question, why)
    else:
        kept.put(conditions.key, question, found)
    return why


def _failure(found: Trace | Exception) -> str:
    """Why a row could not be asked, or a model failed somewhere on the way; "" when all was measured."""
    if isinstance(found, Exception):
        return str(found) if isinstance(found, CaseError) else f"{type(found).__name__}: {found}"
    absent = (a for one in (found, *found.parts) for r in one.rounds for a in r.absent.values())
    return next((a.why for a in absent if a.cause == "error"), "")


def _stand_back() -> None:
    """This thread comes after others, where the system knows priorities of threads."""
    if sys.platform == "linux":
        try:
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
        except OSError as error:
            log.info("the background has no lower priority: %s", error)
