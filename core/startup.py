"""Opens a run-time folder: its library, the models of a profile, and the explorer over both."""

import os
from pathlib import Path

from core.graph import Explorer
from core.library import Library
from core.models.profile import load
from core.settings import Settings

DEFAULT_HOME = Path(__file__).parents[1] / ".guardrail"
"""Where the app keeps what it writes; git ignores it. GUARDRAIL_HOME names another folder."""


def home_folder(home: Path | None = None) -> Path:
    """The run-time folder: the one given, else GUARDRAIL_HOME, else the default."""
    return home or Path(os.environ.get("GUARDRAIL_HOME", DEFAULT_HOME))


def open_explorer(home: Path | None = None, profile: str = "bundled", settings: Settings = Settings()) -> Explorer:  # noqa: B008 - frozen
    """An explorer over the library in `home` with the models of `profile`. ModelError or LibraryError in a sentence."""
    models = load(profile)
    return Explorer(Library(home_folder(home), models.embedder), models, settings)
