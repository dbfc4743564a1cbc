"""The run-time folder, in which the app keeps everything that it writes."""

import os
from pathlib import Path

DEFAULT_HOME = Path(__file__).parents[2] / ".guardrail"
"""The default folder for run-time data, ignored by git. GUARDRAIL_HOME names another one."""


def home_folder(home: Path | None = None) -> Path:
    """The run-time folder: `home` if given, else GUARDRAIL_HOME, else the default."""
    return home or Path(os.environ.get("GUARDRAIL_HOME", DEFAULT_HOME))
