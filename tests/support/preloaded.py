"""Libraries of a few lines of C that stand between a program and the system, whatever language the program is made in."""

import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

_MADE = TemporaryDirectory(ignore_cleanup_errors=True)
NONE = "" if shutil.which("cc") else "there is no cc here, which makes what stands between a program and the system"
"""Why none can be made, "" where they can."""


@cache
def preloaded(source: str) -> str:
    """What LD_PRELOAD has to name for a program that is started."""
    library_path = Path(_MADE.name) / f"{len(list(Path(_MADE.name).iterdir()))}.so"
    command = ["cc", "-shared", "-fPIC", "-O2", "-x", "c", "-", "-o", library_path]
    subprocess.run(command, input=source.encode(), check=True, capture_output=True)
    return str(library_path)
