"""The command line's contract, with real PDFs, a real Chroma and the recorded models."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.__main__ import main
from tests.support.recorded import put_in_place

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def recorded(monkeypatch):
    """tests/test_packages_at_work.py runs the commands with the weights in a process of their own."""
    put_in_place(monkeypatch)


@pytest.fixture(scope="module")
def home(sample_home):
    return sample_home("contract")


def asked(capsys, home, *arguments):
    assert main(["ask", *arguments, "--home", str(home), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_question_of_the_book_is_answered_with_its_page(home, capsys):
    row = asked(capsys, home, "What is the common difference of an arithmetic progression?", "--preset", "lenient")
    assert row["passages"][0]["document"] == "arithmetic_progressions.pdf" and row["passages"][0]["page"] >= 1
    assert row["sentences"] and all(s["citations"] for s in row["sentences"])
    assert row["judged"].endswith("]")


def test_a_question_off_the_syllabus_is_refused_with_questions_that_the_books_answer(home, capsys):
    row = asked(capsys, home, "How do I make chocolate chip cookies?")
    assert (row["route"], row["answered"], row["delivered"]) == ("refuse", False, False)
    assert row["answer"] == "I don't know based on NCERT textbooks." and 1 <= len(row["suggestions"]) <= 3
    assert asked(capsys, home, row["suggestions"][0])["answered"]


def test_a_given_answer_is_attributed_and_an_altered_number_is_caught(home, capsys):
    right = "In an arithmetic progression the difference between one term and the next stays the same."
    row = asked(capsys, home, "What is an arithmetic progression?", "--answer", right)
    assert row["judged"] == right and row["sentences"][0]["attributed"]
    wrong = asked(
        capsys, home, "What is an arithmetic progression?", "--answer", right + " There are always 4711 terms."
    )
    assert wrong["route"] == "deliver_corrected" and "numbers" in wrong["failed"]
    assert "[1]" in wrong["answer"] and "4711" not in wrong["answer"]


def test_what_was_said_before_and_what_a_tool_gave_are_options_too(home, capsys):
    said = ("--history", "user: What is photosynthesis?", "--history", "assistant: How plants make their food.")
    assert asked(capsys, home, "And where does it happen?", *said)["understood"].endswith("(photosynthesis)?")
    told = asked(capsys, home, "What does the calculator give?", "--tool-result", "The calculator gives 42.")
    assert told["kind"] == "tool_result"


def test_a_threshold_is_set_by_its_name_and_a_mode_too(home, capsys):
    question = "What is the common difference of an arithmetic progression?"
    row = asked(capsys, home, question, "--set", "confidence.min_confidence=100", "--set", "numbers.mode=off")
    assert row["checks"]["confidence"]["limit"] == 100 and row["checks"]["numbers"]["cause"] == "off"


@pytest.mark.parametrize(("arguments", "said"), [
    (["--set", "confidence.min_confidence=101"], "from 0 to 100"), (["--set", "nothing=1"], "is no threshold"),
    (["--set", "confidence.min_confidence=abc"], "must be a number"), (["--preset", "mine"], "is no preset"),
    (["--set", "numbers.mode=maybe"], "blocks, watches or off"), (["--profile", "best"], "is no profile"),
    (["--document", "other.pdf"], "is not in the library"), (["--history", "sound"], "user, assistant, tool, a colon"),
])  # fmt: skip
def test_a_wrong_option_is_one_sentence(home, capsys, arguments, said):
    assert main(["ask", "What is sound?", "--home", str(home), *arguments]) == 1
    assert said in capsys.readouterr().err


def test_judge_writes_a_row_for_every_row_in_order(home, tmp_path):
    rows = [
        {"id": 1, "query": "What is chlorophyll?", "answer": "Chlorophyll is a green pigment. [1]"}, "",
        b'{"query": "caf\xe9"}', {"id": 2}, "not json",
        {"id": 4, "query": "What is sound?", "documents": ["sound.pdf"], "pages": ["1-2"]},
        {"id": 5, "query": "What is sound?", "answer": "Iron rusts. Milk is white.", "citations": [[1]]},
        {"id": "\u2028", "query": "What is \u2028 sound?"}, {"id": "\ud83d", "query": "What is sound?"},
        "[" * 100_000, '{"id": NaN, "query": "What is sound?"}',
    ]  # fmt: skip
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    written = [json.dumps(row) if isinstance(row, dict) else row for row in rows]
    source.write_bytes(b"\xef\xbb\xbf" + b"\n".join(row.encode() if isinstance(row, str) else row for row in written))
    assert main(["judge", "--in", str(source), "--out", str(target), "--home", str(home)]) == 0
    out = [json.loads(line) for line in target.read_text().splitlines()]
    assert [r["id"] for r in out] == [1, None, 2, None, 4, 5, "\u2028", "\ud83d", None, None]
    assert ["error" in r for r in out] == [False, True, True, True, False, True, False, False, True, True]
    assert all("answer" in r for r in out if "error" not in r)
    assert out[1]["error"].startswith("Line 3 is no row of JSON")
    assert {p["document"] for p in out[4]["passages"]} == {"sound.pdf"}
    assert {p["page"] for p in out[4]["passages"]} <= {1, 2}
    assert "one list for each sentence" in out[5]["error"]


@pytest.mark.parametrize("out", [".", "none/out.jsonl"])
def test_judge_without_a_place_to_write_is_one_sentence(home, tmp_path, capsys, out):
    (tmp_path / "in.jsonl").write_text("{}")
    assert main(["judge", "--in", str(tmp_path / "in.jsonl"), "--out", str(tmp_path / out), "--home", str(home)]) == 1
    assert "a place to write to" in capsys.readouterr().err


def test_a_fresh_home_starts_empty_and_refuses_honestly(tmp_path, capsys):
    row = asked(capsys, tmp_path / "new", "What is sound?")
    assert row["route"] == "refuse" and row["passages"] == [] and row["confidence"] == 0


def test_it_runs_as_a_module():
    done = subprocess.run(
        [sys.executable, "-m", "core", "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert all(name in done.stdout for name in ("ingest", "ask", "judge", "bench", "docs"))
