"""python -m core evaluate, on a real library with models that count words."""

import json

import pytest

from core.checks import all_checks
from tests.command.conftest import run_on

ROWS = [
    {"id": "a", "query": "What is the green substance in the leaves called?", "kind": "answerable", "expected": "answered",
     "facts": ["chlorophyll"], "document": "plants.pdf"},
    {"id": "b", "query": "How do I bake cookies?", "kind": "off_topic", "expected": "refused", "facts": []},
    {"id": "c", "query": "What is given out?", "kind": "pair", "alteration": "name", "expected": "altered",
     "answer": "Helium is given out during <b>photosynthesis</b>.", "facts": ["helium"], "document": "plants.pdf"},
    {"id": "d", "query": "Why?", "kind": "uncited", "expected": "refused", "answer": "Iron rusts. Milk is white.", "citations": [[1]]},
]  # fmt: skip


def evaluated(home, capsys, *arguments, rows=ROWS):
    return run_on("evaluate", rows, home, capsys, *arguments)


def test_it_counts_every_row(home, capsys):
    code, said = evaluated(home, capsys, "--json")
    found = json.loads(said.out)
    asked, judged = found["questions"]["kinds"], found["answers"]["kinds"]
    assert code == 0 and (found["bank"], found["preset"], found["missing_documents"]) == ("bank.jsonl", "default", [])
    assert asked["off_topic"]["refused"]["all"]["right_refusal"]["count"] == 1
    assert asked["answerable"]["answered"]["all"]["n"] == 1
    assert judged["pair"]["altered"]["name"]["refused"] == judged["pair"]["altered"]["all"]["refused"]
    assert judged["pair"]["altered"]["all"]["falsehood"]["count"] == 0
    assert judged["uncited"]["refused"]["all"]["unreadable"]["count"] == 1


def test_a_preset_moves_what_it_counts(home, capsys):
    checks = [f"--set={name}.mode=off" for name in sorted(c.name for c in all_checks())]
    _, said = evaluated(home, capsys, "--json", *checks)
    found = json.loads(said.out)
    assert found["answers"]["kinds"]["pair"]["altered"]["all"]["falsehood"]["count"] == 1
    assert found["questions"]["kinds"]["answerable"]["answered"]["all"]["right_answer"]["count"] == 1
    assert found["moved"] == [c.removeprefix("--set=") for c in checks]


def test_progress_with_the_time_left_goes_to_stderr(home, capsys):
    _, said = evaluated(home, capsys)
    assert "4 of 4 rows, 0 s left" in said.err and "rows" not in said.out.splitlines()[1]
    assert "off_topic, refused: n 1; refused where nothing can be answered 1 (100 %, 21-100)" in said.out


def test_it_writes_a_report(home, capsys):
    report = home / "out.html"
    evaluated(home, capsys, "--report", str(report))
    text = report.read_text(encoding="utf-8")
    assert "&lt;b&gt;photosynthesis&lt;/b&gt;" in text and "<b>" not in text
    assert "one list for each sentence" in text


def test_a_library_without_the_documents_is_said_in_one_sentence(home, capsys):
    code, said = evaluated(home, capsys, "--json", rows=[ROWS[0] | {"document": "sound.pdf"}])
    assert code == 0 and json.loads(said.out)["missing_documents"] == ["sound.pdf"]
    assert "does not hold sound.pdf, which the bank asks about" in said.err


@pytest.mark.parametrize(
    ("row", "said"), [({"query": 7}, "line 1 of bank.jsonl"), ({"query": "Q?", "expected": 3}, "expected")]
)
def test_a_bank_that_cannot_be_read_is_one_sentence(home, capsys, row, said):
    code, out = evaluated(home, capsys, rows=[row])
    assert code == 1 and said in out.err and out.out == ""


def test_a_report_that_cannot_be_written_is_said_before_the_run(home, capsys):
    code, out = evaluated(home, capsys, "--report", str(home / "none" / "out.html"))
    assert code == 1 and "cannot be written" in out.err and "rows" not in out.err
