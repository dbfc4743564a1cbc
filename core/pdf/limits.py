"""What the reading of a PDF may take: a hostile file takes all that it is given."""

import ctypes
import os
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass

try:
    import resource
except ImportError:  # Windows
    resource = None

_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux
_COMPLAINTS = 2**20  # bytes that a program may write into a file, which is where its complaints go


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What is read of a document at most. `seconds` is for all of it, `page_seconds` for any one page.

    memory: MB of address space of each process that reads. letters: of all its pages together.
    """

    megabytes: float = 100
    pages: int = 1000
    seconds: float = 900
    page_seconds: float = 30
    memory: int = 1024
    letters: int = 5_000_000


LIMITS = Limits()


def confine(memory: int, parent: int) -> None:
    """Bind this process: `memory` MB at most, no large files, no core dump, and no life after `parent`, a process id.

    An interrupt from the keyboard is left to the parent, which ends this process when it should.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if resource:
        for kind, most in (("AS", memory * 2**20), ("FSIZE", _COMPLAINTS), ("CORE", 0)):
            with suppress(ValueError):  # macOS knows no bound of the first kind; or a harder one is set
                resource.setrlimit(getattr(resource, f"RLIMIT_{kind}"), (most, most))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    if parent and os.getppid() != parent:  # it died before the line above
        sys.exit(1)
