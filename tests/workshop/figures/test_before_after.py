"""The table of what moved holds what was stored before beside what is measured now."""

import json
import shutil
import sys

import pytest

from core.reports.sample_figures import MEASURED, FiguresError, share
from core.workshop.figures import before_after as moved

STORED = ("sample_bank.json", "ncert_qa.json", "chapter_pairs.json")


@pytest.fixture
def folder(tmp_path):
    """A copy of what is measured now, with one count that was another."""
    for name in STORED:
        shutil.copy(MEASURED / name, tmp_path)
    path = tmp_path / "ncert_qa.json"
    other = json.loads(path.read_text("utf-8"))
    other["default"]["answered"] |= {"count": 3, "n": 4}
    path.write_text(json.dumps(other), encoding="utf-8")
    return tmp_path


def test_each_row_compares_what_was_stored_with_what_is_measured(folder, monkeypatch, tmp_path_factory):
    now = moved.rates(MEASURED)
    ours = tmp_path_factory.mktemp("measured")
    for name in STORED:
        shutil.copy(MEASURED / name, ours)
    monkeypatch.setattr(moved, "MEASURED", ours)
    assert moved.moved_table() == moved.NOT_YET
    monkeypatch.setattr(sys, "argv", ["moved", "--before", str(folder)])
    moved.main()
    _, _, *rows = moved.moved_table().splitlines()
    assert len(rows) == len(now) > 12
    cells = [tuple(cell.strip() for cell in row.strip("|").split("|")) for row in rows]
    differing = [cell for cell in cells if cell[1] != cell[2]]
    assert [(name, before[:6], after) for name, before, after in differing] == [
        ("real questions: answered", "3 of 4", share(now["real questions: answered"]))
    ]


def test_a_folder_without_a_measurement_is_told(folder):
    (folder / "chapter_pairs.json").unlink()
    with pytest.raises(FiguresError, match=r"chapter_pairs\.json has not been measured"):
        moved.rates(folder)
