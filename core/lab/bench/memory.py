"""Measures the memory of a piece of code in a process of its own."""

import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[3]
_STATUS = (
    "import re, sys; from pathlib import Path; "
    "mb = lambda what: int(re.search(what + r':\\s+(\\d+)', Path('/proc/self/status').read_text())[1]) / 1024"
)
"""Reads the kernel's high-water mark; getrusage would inherit that of the parent process."""


def megabytes(code: str, *arguments: str) -> list[float]:
    """The numbers that `code` prints, such as mb('VmRSS'), and last its peak; in resident megabytes.

    It runs in the project's folder with `arguments` as sys.argv[1:]. Raises RuntimeError with its last line of output
    if it fails.
    """
    command = [sys.executable, "-c", f"{_STATUS}; {code}; print(mb('VmHWM'))", *arguments]
    process = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)
    if process.returncode:
        raise RuntimeError((process.stderr.strip().splitlines() or [f"it ended with {process.returncode}"])[-1])
    return [float(line) for line in process.stdout.split()]
