"""Measures the memory of a function in a process of its own."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

_ROOT = Path(__file__).parents[3]


def megabytes(function: Callable[..., None], *arguments: str) -> list[float]:
    """The numbers that `function` prints, such as `resident()`, and last the peak of its process; in megabytes.

    function: at the top level of a module. It runs in the project's folder with `arguments`. Raises RuntimeError with
    its last line of output if it fails.
    """
    module, name = function.__module__, function.__name__
    code = f"import sys; from {module} import {name}; {name}(*sys.argv[1:])"
    peak = f"from {__name__} import resident; print(resident(field='VmHWM'))"
    command = [sys.executable, "-c", f"{code}; {peak}", *arguments]
    process = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)
    if process.returncode:
        raise RuntimeError((process.stderr.strip().splitlines() or [f"it ended with {process.returncode}"])[-1])
    return [float(line) for line in process.stdout.split()]


def resident(process: int | str = "self", field: str = "VmRSS") -> float:
    """Resident megabytes of a process: now, or with "VmHWM" at its peak; getrusage would inherit the parent's."""
    return int(re.search(rf"{field}:\s+(\d+)", Path(f"/proc/{process}/status").read_text())[1]) / 1024
