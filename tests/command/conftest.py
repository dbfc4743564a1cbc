"""A command on a bank, in a real library with models that count words."""

import pytest

from core.graph import Explorer
from tests.support.libraries import one_chapter
from tests.support.plants import PLANTS


@pytest.fixture
def home(models, tmp_path, monkeypatch):
    """A library of one chapter, opened as the command line opens one."""
    with one_chapter(tmp_path / "home", models, PLANTS) as library:
        for command in ("commands", "judge", "tune"):
            monkeypatch.setattr(f"core.command.{command}.open_explorer", lambda *_: Explorer(library, models))
        yield tmp_path
