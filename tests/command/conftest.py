"""A command on a bank, in a real library with models that count words."""

import json

import pytest

from core.__main__ import main
from core.graph import Explorer
from tests.conftest import one_chapter

TEXT = (
    "Photosynthesis is the process by which green plants make their own food. Plants need sunlight, water and carbon "
    "dioxide for photosynthesis. The green substance in the leaves is called chlorophyll. Chlorophyll takes in the "
    "energy of sunlight. Oxygen is given out during photosynthesis. Starch is the form in which food is stored."
)


@pytest.fixture
def home(models, tmp_path, monkeypatch):
    """A library of one chapter, opened as the command line opens one."""
    with one_chapter(tmp_path / "home", models, TEXT) as library:
        for command in ("commands", "judge", "tune"):
            monkeypatch.setattr(f"core.command.{command}.open_explorer", lambda *_: Explorer(library, models))
        yield tmp_path


def run_on(command, rows, home, capsys, *arguments):
    """The exit code of a command on a bank of these rows, and what it printed."""
    bank = home / "bank.jsonl"
    bank.write_text("\n".join(json.dumps(row) for row in rows))
    code = main([command, "--bank", str(bank), "--home", str(home / "home"), *arguments])
    return code, capsys.readouterr()
