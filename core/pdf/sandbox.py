"""Runs the programs that open PDFs, each in a process of its own with limits, so that a hostile file can do no other
harm.
"""

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
_OUT_OF_TIME = getattr(signal, "SIGXCPU", None)  # the signal that ends a process whose processor time is used up
_COMPLAINTS = 2**20  # maximum bytes that a program may write to a file: to its standard error
log = logging.getLogger(__name__)

_INHERITED_VARIABLES = ("PATH", "PYTHON", "LANG", "LC_", "LD_", "VIRTUAL_ENV", "TMP", "TEMP", "SYSTEMROOT", "COVERAGE")
_ROOT = Path(__file__).parents[2]
_TICK = 0.2  # seconds between two calls of check_cancelled
_LONGEST = 2**26  # bytes of a line; no page is longer

Program = tuple[str, dict[str, Any]]
"""A module, and its job as a JSON object: values that it gets beside those of `Limits` and the id of this process."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Limits for reading one document.

    megabytes: size of the file. pages: number of pages. seconds: CPU time of each reading process; page_seconds: CPU
    time for one page. silence: seconds of wall time without output before a process counts as hung; a busy computer
    slows down healthy processes too. memory: MB of address space of each process. letters: of all pages together;
    page_letters: of one page.
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
"""Environment variable: the maximum number of programs that run at once, for all documents and pictures together. Each
takes at most LIMITS.memory.
"""
_MAX_PROGRAMS = 8


@lru_cache(maxsize=1)
def readers() -> Turns:
    """The queue in which programs that read PDFs wait until they may start. Raises AccessError if the environment
    variable READERS is not a number.
    """
    return Turns(_program_count())


def processes() -> int:
    """The number of programs that read one document: low enough that two documents and a picture can be read at
    once.
    """
    return max(1, min(_MAX_PROGRAMS, _cores(), (_program_count() - 1) // 2))


def _program_count() -> int:
    return whole_number(READERS) or 2 * min(_MAX_PROGRAMS, _cores()) + 1


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def confine(memory: int, parent: int, seconds: int) -> None:
    """Limit this process to `memory` MB, `seconds` of processor time and small files, without a core dump.

    The process ends with `parent`, a process id; 0 means none. It ignores an interrupt from the keyboard: the parent
    ends it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limits = {"AS": memory * 2**20, "FSIZE": _COMPLAINTS, "CORE": 0, "CPU": seconds + 1}
    for kind, limit in limits.items() if resource else ():
        with suppress(ValueError):  # macOS has no limit of the first kind; or a stricter one is set
            resource.setrlimit(getattr(resource, f"RLIMIT_{kind}"), (limit, limit))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    if parent and os.getppid() != parent:  # the parent died before the line above
        sys.exit(1)


def allow(seconds: int) -> None:
    """Allow this process `seconds` of processor time from now on, within its limits; when they are used up, it is
    ended.
    """
    if resource:
        hard_limit = resource.getrlimit(resource.RLIMIT_CPU)[1]
        soft_limit = math.ceil(time.process_time() + seconds)
        if hard_limit >= 0:
            soft_limit = min(soft_limit, hard_limit - 1)  # the signal of the hard limit does not name the cause
        resource.setrlimit(resource.RLIMIT_CPU, (soft_limit, hard_limit))


class ProgramHalted(Exception):  # noqa: N818 - an end, not always an error
    """Raised if a program was stopped, or stopped by itself. cause: "slow" or "died". program: its index among those
    started.
    """

    def __init__(self, cause: str, program: int) -> None:
        super().__init__(f"program {program}: {cause}")
        self.cause, self.program = cause, program


def printed_lines(
    data: bytes, programs: Sequence[Program], limits: Limits, check_cancelled: Callable[[], None] = lambda: None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield every line that the programs print about `data` as soon as it is printed, with the index of its program.

    programs: for each its module and its job. check_cancelled: called often; an exception from it stops all programs,
    as closing this generator does. Raises ProgramHalted if a program fails, uses too much processor time, or prints
    nothing for too long. The time at which it prints counts, not the time at which its line is read, which may be late
    on a busy computer.
    """
    output: queue.SimpleQueue[tuple[int, bytes | None, float]] = queue.SimpleQueue()  # as `_pump` puts them
    with ExitStack() as stack:
        source, errors = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(2))
        source.write(data)
        source.flush()
        stack.callback(_log_errors, errors)
        processes = [stack.enter_context(_process(program, source, errors, limits)) for program in programs]
        for n, process in enumerate(processes):
            threading.Thread(target=_pump, args=(n, process.stdout, output), daemon=True).start()
        deadlines = dict.fromkeys(range(len(processes)), time.monotonic() + limits.silence)
        while deadlines:
            check_cancelled()
            try:
                n, line, printed_at = output.get(timeout=_TICK)
            except queue.Empty:
                n, line, printed_at = min(deadlines, key=deadlines.__getitem__), b"", time.monotonic()
            if printed_at >= deadlines[n]:
                raise ProgramHalted("slow", n)
            if line is None:
                del deadlines[n]
                _require_success(processes[n], n, limits)
            elif line:
                deadlines[n] = printed_at + limits.silence
                try:
                    yield n, json.loads(line)
                except ValueError:  # cut off in the middle, or longer than any page
                    raise ProgramHalted("died", n) from None


@contextmanager
def _process(program: Program, source: IO[bytes], errors: IO[bytes], limits: Limits) -> Iterator[subprocess.Popen]:
    """Start one program with its job, the limits and `source` on standard input; kill it at the end of the block."""
    module, job = program
    argument = json.dumps(vars(limits) | {"parent": os.getpid()} | job)
    # It gets only the variables that it needs to start, and no others, such as API keys.
    environment = {name: value for name, value in os.environ.items() if name.startswith(_INHERITED_VARIABLES)}
    process = subprocess.Popen(
        [sys.executable, "-m", module, argument],
        cwd=_ROOT, stdin=source, stdout=subprocess.PIPE, stderr=errors, env=environment,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def _pump(program: int, stream: IO[bytes], output: queue.SimpleQueue) -> None:
    """For each line that a program prints, put (program, line, time) into the queue `output`; at its end put None as
    the line. program: its index.
    """
    with stream:
        while line := stream.readline(_LONGEST):
            output.put((program, line, time.monotonic()))
    output.put((program, None, time.monotonic()))


def _require_success(process: subprocess.Popen, program: int, limits: Limits) -> None:
    """Raise ProgramHalted unless the program ended without an error."""
    try:
        end = process.wait(limits.silence)
    except subprocess.TimeoutExpired:
        raise ProgramHalted("slow", program) from None
    if end:
        raise ProgramHalted("slow" if -end == _OUT_OF_TIME else "died", program)


def _log_errors(errors: IO[bytes]) -> None:
    errors.seek(0)
    if text := errors.read()[-2000:]:
        log.info("%s", text.decode(errors="replace"))
