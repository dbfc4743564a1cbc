"""How much memory a piece of work takes, in a process of its own."""

import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[3]
_STATUS = (
    "import re, sys; from pathlib import Path; "
    "mb = lambda what: int(re.search(what + r':\\s+(\\d+)', Path('/proc/self/status').read_text())[1]) / 1024"
)
"""The kernel's own high-water mark; getrusage would pass on that of the process that started this one."""


def megabytes(code: str, *arguments: str) -> list[float]:
    """What `code` prints of itself, such as mb('VmRSS'), and last its peak, in resident megabytes.

    Its folder is that of the project, sys.argv[1:] are `arguments`. RuntimeError with what it said last when it fails.
    """
    command = [sys.executable, "-c", f"{_STATUS}; {code}; print(mb('VmHWM'))", *arguments]
    done = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or [f"it ended with {done.returncode}"])[-1])
    return [float(line) for line in done.stdout.split()]
