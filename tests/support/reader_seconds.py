"""What readers of PDFs take, however busy the computer is: seconds of the clock, less those waited for a processor."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from subprocess import Popen
from typing import Any

from core.pdf import sandbox

_taken: ContextVar[dict[int, float] | None] = ContextVar("taken", default=None)
_started = sandbox._process


@contextmanager
def reader_seconds() -> Iterator[dict[int, float]]:
    """What each reader that this thread starts within the block took, by its process id: it worked or slept so long.

    One that wanted a processor and had none is late by no fault of its own, and that time is left out.
    """
    before = _taken.set({})
    try:
        yield _taken.get()
    finally:
        _taken.reset(before)


def waited(pid: int) -> float:
    """Seconds in which a process wanted a processor and had none, so far; 0 where the system does not say."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0


@contextmanager
def _noted(*about: Any) -> Iterator[Popen]:
    """A reader as the sandbox starts it; what it took is noted whenever its end is waited for, after which the system
    knows nothing of it."""
    began = time.monotonic()
    with _started(*about) as process:
        seconds, wait = _taken.get(), process.wait

        def noted(*timeout: float) -> int:
            if seconds is not None and process.returncode is None:
                seconds[process.pid] = time.monotonic() - began - waited(process.pid)
            return wait(*timeout)

        process.wait = noted
        yield process


sandbox._process = _noted
