"""Opens a run-time folder: its library, the models of a profile, and the explorer over both."""

import os
from collections.abc import Callable
from pathlib import Path

from core.graph import Explorer
from core.library import Library
from core.models.profile import load
from core.settings import Settings
from core.settings.domains import use_home

DEFAULT_HOME = Path(__file__).parents[2] / ".guardrail"
"""The default folder for run-time data, ignored by git. GUARDRAIL_HOME names another one."""


def home_folder(home: Path | None = None) -> Path:
    """The run-time folder: `home` if given, else GUARDRAIL_HOME, else the default."""
    return home or Path(os.environ.get("GUARDRAIL_HOME", DEFAULT_HOME))


def open_explorer(
    home: Path | None = None,
    profile: str = "bundled",
    settings: Settings = Settings(),  # noqa: B008 - frozen
    listen: Callable[[str], None] | None = None,
) -> Explorer:
    """An explorer over the library in `home` with the models of `profile`. Raises ModelError or LibraryError.

    listen: called with the text that a language model is writing.
    """
    use_home(home_folder(home))
    models = load(profile)
    return Explorer(Library(home_folder(home), models.embedder), models, settings, listen)
