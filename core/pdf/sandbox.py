"""Runs the programs that open PDFs, each in a process of its own: a hostile file takes all that its limits give it."""

import ctypes
import json
import logging
import math
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

from core.platform.jobs import Turns
from core.platform.quotas import whole_number

try:
    import resource
except ImportError:  # Windows
    resource = None

_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux
_OUT_OF_TIME = getattr(signal, "SIGXCPU", None)  # how a process ends that has worked for too long
_COMPLAINTS = 2**20  # bytes that a program may write into a file, which is where its complaints go
log = logging.getLogger(__name__)

_NEEDED = ("PATH", "PYTHON", "LANG", "LC_", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "TMP", "TEMP", "SYSTEMROOT", "COVERAGE")
_ROOT = Path(__file__).parents[2]
_TICK = 0.2  # seconds between two looks at whether the work is still wanted
_LONGEST = 2**26  # bytes of a line; no page says more

Heard = "queue.SimpleQueue[tuple[int, bytes | None, float]]"  # program, what it said, when


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What is read of a document at most. seconds: of a processor, for each process that reads; page_seconds: for any
    one page of it; silence: of the clock, between two pages, for a process that hangs: a busy computer is no fault.

    memory: MB of address space of each process that reads. letters: of all its pages together; page_letters: of one.
    """

    megabytes: float = 100
    pages: int = 1000
    seconds: int = 900
    page_seconds: int = 30
    silence: float = 300
    memory: int = 1024
    letters: int = 5_000_000
    page_letters: int = 200_000


LIMITS = Limits()
READERS = "GUARDRAIL_READERS"
"""How many programs may run at once, for all documents and pictures together; each takes LIMITS.memory at most."""
_MOST_OF_ONE = 8


@lru_cache(maxsize=1)
def readers() -> Turns:
    """The line that whoever starts programs stands in. AccessError when READERS is no number."""
    return Turns(_at_once())


def processes() -> int:
    """How many programs read one document: two documents and a picture find room at once, where READERS allows it."""
    return max(1, min(_MOST_OF_ONE, _cores(), (_at_once() - 1) // 2))


def _at_once() -> int:
    return whole_number(READERS) or 2 * min(_MOST_OF_ONE, _cores()) + 1


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def confine(memory: int, parent: int, seconds: int) -> None:
    """Bind this process: `memory` MB and `seconds` of a processor at most, no large files, no core dump, and no life
    after `parent`, a process id.

    An interrupt from the keyboard is left to the parent, which ends this process when it should.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    bounds = {"AS": memory * 2**20, "FSIZE": _COMPLAINTS, "CORE": 0, "CPU": seconds + 1}
    for kind, most in bounds.items() if resource else ():
        with suppress(ValueError):  # macOS knows no bound of the first kind; or a harder one is set
            resource.setrlimit(getattr(resource, f"RLIMIT_{kind}"), (most, most))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    if parent and os.getppid() != parent:  # it died before the line above
        sys.exit(1)


def allow(seconds: int) -> None:
    """From now on this process may work for so many seconds of a processor, within its bounds, or it is ended."""
    if resource:
        most = resource.getrlimit(resource.RLIMIT_CPU)[1]
        until = math.ceil(time.process_time() + seconds)  # one before the last: that end is not told from others
        resource.setrlimit(resource.RLIMIT_CPU, (until if most < 0 else min(until, most - 1), most))


class Halted(Exception):  # noqa: N818 - an end, not always an error
    """A program was stopped or stopped by itself. cause: "slow" or "died". program: its place among those started."""

    def __init__(self, cause: str, program: int) -> None:
        super().__init__(f"program {program}: {cause}")
        self.cause, self.program = cause, program


def spoken(
    data: bytes, programs: Sequence[Sequence[str]], limits: Limits, look: Callable[[], None] = lambda: None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every line that the programs say about `data`, as it comes, with the place of its program.

    programs: for each its module and options. look: called often; what it raises stops all programs, as does
    the end of this generator. Raises Halted when a program fails, takes too much of a processor, or keeps silent.
    """
    heard: Heard = queue.SimpleQueue()
    with _started(data, programs, limits) as processes:
        for n, process in enumerate(processes):
            threading.Thread(target=_pump, args=(n, process.stdout, heard), daemon=True).start()
        for n, line in _in_time(heard, len(processes), limits, look):
            if line is None:
                _require_success(processes[n], n, limits)
            else:
                yield n, _read(line, n)


@contextmanager
def _started(data: bytes, programs: Sequence[Sequence[str]], limits: Limits) -> Iterator[list[subprocess.Popen]]:
    """The programs, with `data` as a file on standard input; none of them is left at the end of the block."""
    with ExitStack() as stack:
        source, complaints = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(2))
        source.write(data)
        source.flush()
        stack.callback(_log, complaints)
        yield [stack.enter_context(_process(program, source, complaints, limits)) for program in programs]


@contextmanager
def _process(
    program: Sequence[str], source: IO[bytes], complaints: IO[bytes], limits: Limits
) -> Iterator[subprocess.Popen]:
    module, *options = program
    bounds = ["--parent", str(os.getpid()), "--memory", str(limits.memory), "--seconds", str(limits.seconds)]
    bounds += ["--page-seconds", str(limits.page_seconds)]
    process = subprocess.Popen(
        [sys.executable, "-m", module, *options, *bounds],
        cwd=_ROOT, stdin=source, stdout=subprocess.PIPE, stderr=complaints, env=_environment(),
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def _environment() -> dict[str, str]:
    """What a program needs to start. Keys and whatever else the environment holds are none of a PDF's business."""
    return {name: value for name, value in os.environ.items() if name.startswith(_NEEDED)}


def _pump(program: int, stream: IO[bytes], heard: Heard) -> None:
    with stream:
        while line := stream.readline(_LONGEST):
            heard.put((program, line, time.monotonic()))
    heard.put((program, None, time.monotonic()))


def _in_time(
    heard: Heard, programs: int, limits: Limits, look: Callable[[], None]
) -> Iterator[tuple[int, bytes | None]]:
    """What was heard, until every program has ended; Halted when one keeps silent for too long.

    A program's silence ends when it speaks, not when it is listened to: a busy computer changes nothing.
    """
    due = dict.fromkeys(range(programs), time.monotonic() + limits.silence)
    while due:
        look()
        try:
            n, line, at = heard.get(timeout=_TICK)
        except queue.Empty:
            n, line, at = min(due, key=due.__getitem__), b"", time.monotonic()
        if at >= due[n]:
            raise Halted("slow", n)
        if line == b"":
            continue
        due[n] = at + limits.silence
        if line is None:
            del due[n]
        yield n, line


def _require_success(process: subprocess.Popen, program: int, limits: Limits) -> None:
    try:
        end = process.wait(limits.silence)
    except subprocess.TimeoutExpired:
        raise Halted("slow", program) from None
    if end:
        raise Halted("slow" if -end == _OUT_OF_TIME else "died", program)


def _read(line: bytes, program: int) -> dict[str, Any]:
    try:
        return json.loads(line)
    except ValueError:  # cut off in the middle, or longer than any page
        raise Halted("died", program) from None


def _log(complaints: IO[bytes]) -> None:
    complaints.seek(0)
    if said := complaints.read()[-2000:]:
        log.info("%s", said.decode(errors="replace"))
