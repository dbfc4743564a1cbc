"""The tables of what moved: stored before beside measured now, and what thresholds proposed are worth."""

import json
import shutil
import sys

import pytest

from core.lab.docs import sample_bank as moved
from core.reports.evaluation_report import MEASUREMENTS, FiguresError, share

STORED = ("sample_bank.json", "ncert_qa.json", "chapter_pairs.json")


@pytest.fixture
def folder(tmp_path):
    """A copy of what is measured now, with one count that was another."""
    for name in STORED:
        shutil.copy(MEASUREMENTS / name, tmp_path)
    path = tmp_path / "ncert_qa.json"
    other = json.loads(path.read_text("utf-8"))
    other["default"]["answered"] |= {"count": 3, "n": 4}
    path.write_text(json.dumps(other), encoding="utf-8")
    return tmp_path


def test_each_row_compares_what_was_stored_with_what_is_measured(folder, monkeypatch, tmp_path_factory):
    now = moved.rates(MEASUREMENTS)
    ours = tmp_path_factory.mktemp("measured")
    for name in STORED:
        shutil.copy(MEASUREMENTS / name, ours)
    monkeypatch.setattr(moved, "MEASUREMENTS", ours)
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


AIM = {
    "default_wrong": 0.05, "wrong": 0.04, "default_over_refused": 0.4, "over_refused": 0.35,
    "default_mean_cost": 0.31, "mean_cost": 0.27, "saved": 0.04, "interval": [0.02, 0.06],
    "splits_that_cost_more": 3, "splits_without_a_proposal": 8,
}  # fmt: skip
UNMOVED = {**AIM, "wrong": 0.05}
PROPOSALS = {"n": 181, "splits": 20, "cost 5": AIM, "cost 1": UNMOVED, "over-refusals under 0.1": AIM}


def test_each_aim_has_a_row_with_its_interval(tmp_path, monkeypatch):
    monkeypatch.setattr(moved, "MEASUREMENTS", tmp_path)
    assert moved.proposals_table() == "Not measured yet."
    (tmp_path / "proposals.json").write_text(json.dumps(PROPOSALS))
    head, _, *rows = moved.proposals_table().splitlines()
    assert head.startswith("181 questions, 20 random splits")
    costs = "0.310 to 0.270 | 0.040 (0.020 to 0.060) | 3 |"
    assert rows[2:] == [
        f"| a wrong answer costs five over-refusals | 12 of 20 | 5 to 4 % | 40 to 35 % | {costs}",
        f"| a wrong answer costs as much as an over-refusal | 12 of 20 | 5 % | 40 to 35 % | {costs}",
        "| fewest wrong answers, at most 10 % over-refusals | 12 of 20 | 5 to 4 % | 40 to 35 % | "
        "not compared: the default breaks the limit | |  |",
    ]
    kept = PROPOSALS | {"over-refusals under 0.1": AIM | {"default_over_refused": 0.1}}
    (tmp_path / "proposals.json").write_text(json.dumps(kept))
    assert moved.proposals_table().splitlines()[-1].endswith(f"| 10 to 35 % | {costs}")
