"""Opens a run-time folder: its library, the models of a profile, and the explorer over both."""

from collections.abc import Callable
from pathlib import Path

from core.graph import Explorer
from core.library import Library
from core.models.profile import load
from core.platform.home import home_folder
from core.settings import Settings
from core.settings.domains import use_home


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
