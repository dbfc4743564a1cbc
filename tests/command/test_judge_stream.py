"""`judge` reads, judges and writes row by row, and goes on where a run has ended."""

import json
import os
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.__main__ import main
from core.command.judge import lines_in
from tests.support.replies import timeless

HELIUM = {"query": "Which gas is given out by stars?", "answer": "Helium is given out by stars."}


def write_rows(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def run(home, *more):
    source, target = home / "rows.jsonl", home / "out.jsonl"
    return main(["judge", "--in", str(source), "--out", str(target), "--home", str(home / "home"), *more])


def results(home):
    return [json.loads(line) for line in (home / "out.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture
def rows(home):
    rows = [{"id": f"row {n}", **HELIUM} if n % 3 else {"id": f"row {n}", "query": ""} for n in range(10)]
    write_rows(home / "rows.jsonl", rows)
    return rows


def test_results_stand_in_the_order_of_the_rows_with_errors_between_them(home, rows):
    assert run(home) == 0
    assert [row["id"] for row in results(home)] == [row["id"] for row in rows]
    assert [row["id"] for row in results(home) if "error" in row] == ["row 0", "row 3", "row 6", "row 9"]


@pytest.mark.parametrize("finished_count", [0, 1, 4, 9, 10])
def test_a_run_that_is_resumed_has_the_results_of_a_whole_one(home, rows, finished_count):
    run(home)
    whole, text = results(home), (home / "out.jsonl").read_bytes().splitlines(keepends=True)
    next_line = b"".join(text[finished_count : finished_count + 1])
    (home / "out.jsonl").write_bytes(b"".join(text[:finished_count]) + next_line[:20])
    assert run(home, "--resume") == 0
    assert (home / "out.jsonl").read_bytes().splitlines(keepends=True)[:finished_count] == text[:finished_count]
    assert list(map(timeless, results(home))) == list(map(timeless, whole))


def test_rows_from_a_pipe_are_judged_and_each_keeps_its_id(home):
    rows = [{"id": id_, **HELIUM} for id_ in ("a", 7, 1.5, [1])]
    os.mkfifo(home / "rows.jsonl")
    with ThreadPoolExecutor() as pool:
        pool.submit(write_rows, home / "rows.jsonl", rows)
        assert run(home) == 0
    assert [row["id"] for row in results(home)] == ["a", 7, 1.5, [1]]


def test_results_of_other_rows_are_not_continued(home, rows, capsys):
    run(home)
    write_rows(home / "rows.jsonl", [{"id": "another", **HELIUM}] * 10)
    assert run(home, "--resume") == 1 and "Result 10 in out.jsonl has the id 'row 9'" in capsys.readouterr().err
    write_rows(home / "rows.jsonl", rows[:4])
    assert run(home, "--resume") == 1 and "holds 10 results, --in only 4 rows" in capsys.readouterr().err
    assert len(results(home)) == 10


def test_a_file_that_is_no_result_is_not_continued(home, rows, capsys):
    (home / "out.jsonl").write_text("a poem\nof two lines\n", encoding="utf-8")
    assert run(home, "--resume") == 1 and "Line 2 of out.jsonl is no result of judge" in capsys.readouterr().err
    assert run(home, "--resume", "--columns=ragas") == 1 and "leave --columns out" in capsys.readouterr().err


def test_the_memory_does_not_grow_with_the_number_of_rows(tmp_path):
    def peak(count):
        write_rows(tmp_path / f"{count}.jsonl", ({"id": n, "query": "x" * 200} for n in range(count)))
        tracemalloc.start()
        assert sum(1 for _ in lines_in(tmp_path / f"{count}.jsonl")) == count
        highest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return highest

    peak(10)
    assert peak(20_000) < peak(10_000) + 50_000
