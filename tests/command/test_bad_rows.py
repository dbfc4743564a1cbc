"""`judge` on rows of other programs: a bad row is a row with an error, and no answer to judge is a state of its own."""

import csv
import io
import json
from contextlib import closing

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.__main__ import main
from core.banks.columns import COLUMNS
from core.banks.files import KINDS, for_program, sound, write_for_program
from core.graph import Explorer
from core.library import Library
from core.question import NO_ANSWER
from tests.support.fake_models import fake_models
from tests.support.set_files import read_lines

HELIUM = "Helium is given out by stars."
GOOD = {
    "user_input": "Which gas is given out by stars?",
    "retrieved_contexts": [HELIUM],
    "response": f"{HELIUM[:-1]} [1].",
}


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """The rows that `judge` makes of the text of a file, with models that count words; columns "" for our own JSONL."""
    home, models = tmp_path_factory.mktemp("home"), fake_models()

    def run(data, name="rows.jsonl", columns="ragas", kind="jsonl"):
        source, target = home / name, home / f"out.{kind}"
        source.write_bytes(data if isinstance(data, bytes) else data.encode())
        more = [f"--columns={columns}"] if columns else []
        arguments = ["judge", "--in", str(source), "--out", str(target), "--home", str(home / "library"), *more]
        assert main([*arguments, "--preset=lenient"]) == 0
        return rows_of(target, kind)

    with closing(Library(home / "library", models.embedder)) as library, pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.command.judge.open_explorer", lambda *_: Explorer(library, models))
        yield run


def rows_of(target, kind):
    if kind == "jsonl":
        return [json.loads(line) for line in target.read_text("utf-8").splitlines()]
    if kind == "json":
        return json.loads(target.read_text("utf-8"))
    table = pd.read_parquet(target) if kind == "parquet" else pd.read_csv(target)
    return table.astype(object).where(table.notna(), None).to_dict("records")


def lines(*rows):
    return "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)


BAD = {
    "half a character in the question": {"user_input": "What is \ud800 given out?"},
    "half a character in another column": {"note": "a\udfffb"},
    "half a character in the id": {"id": "\ud83d"},
    "half a character in a context": {"retrieved_contexts": [HELIUM, "It \ud800 shines."]},
    "half a character in the answer": {"response": "Helium \udc00 shines."},
    "half a character in the name of a column": {"no\ud800te": "x"},
    "half a character deep in a column": {"about": {"by": [{"who": "\ud800"}]}},
    "half a character in the reference": {"reference": "\ud800"},
    "NUL in the question": {"user_input": "What is \0 given out?"},
    "NUL in another column": {"note": "\0"},
    "a list that is too deep": '{"user_input": "Why?", "note": ' + "[" * 990 + "]" * 990 + "}",
    "NaN in another column": '{"user_input": "Why?", "score": NaN}',
    "Infinity in another column": '{"user_input": "Why?", "score": -Infinity}',
    "no object": "[1, 2]",
    "a text": '"Why?"',
    "no JSON": "{",
    "a context that is none": {"retrieved_contexts": [7]},
    "no question": {"user_input": None},
    "a long answer": {"response": "x" * 200_000},
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_bad_row_is_a_row_with_an_error_and_the_others_are_judged(judged, kind):
    rows = [GOOD, *(GOOD | bad if isinstance(bad, dict) else bad for bad in BAD.values()), GOOD | {"else": "kept"}]
    found = judged(lines(*rows), kind=kind)
    assert len(found) == len(rows)
    assert found[0]["delivered"] and found[-1]["delivered"] and found[-1]["else"] == "kept"
    for name, row in zip(BAD, found[1:-1], strict=True):
        assert row["error"].endswith(".") and not row.get("delivered") and not row.get("state"), name


@pytest.mark.parametrize("program", COLUMNS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_list_of_json_and_every_program_are_judged_in_the_same_way(judged, kind, program):
    names = COLUMNS[program]
    good = {names.query: GOOD["user_input"], names.contexts: [HELIUM], names.answer: GOOD["response"]}
    data = json.dumps(
        [good, good | {"note": "\ud800"}, 7, good | {"score": float("nan")}, good | {names.answer: None}, good]
    )
    found = judged(data, "rows.json", program, kind)
    assert [bool(row.get("delivered")) for row in found] == [True, False, False, False, False, True]
    assert [row.get("state") for row in found] == [None] * 4 + [NO_ANSWER, None] or kind == "jsonl"
    assert all(row.get("error") for row in found[1:-1]) and found[0][names.answer] == good[names.answer]


texts = st.text(
    st.characters(exclude_categories=()) | st.sampled_from(["\ud800", "\0", "\n", '"', "|", "="]), max_size=8
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(texts, parts, max_size=2), max_leaves=5,
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("program", COLUMNS)
@given(extras=st.lists(st.dictionaries(texts.map("x{}".format), values, max_size=3), min_size=1, max_size=4))
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_as_many_rows_are_written_as_there_are_whatever_is_in_them(program, kind, extras):
    rows = [{**extra, "query": f"Question {n}?", "contexts": ["One."]} for n, extra in enumerate(extras)]
    written = for_program(rows, program, kind)
    table = {
        "csv": lambda: list(csv.DictReader(io.StringIO(written.decode(), newline=""))), "json": lambda: json.loads(written),
        "jsonl": lambda: [json.loads(line) for line in written.decode().split("\n") if line],
        "parquet": lambda: pd.read_parquet(io.BytesIO(written)).to_dict("records"),
    }[kind]()  # fmt: skip
    assert [row[COLUMNS[program].query] for row in table] == [row["query"] for row in rows]


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_judged_is_written_where_the_run_breaks_off(kind, tmp_path):
    def rows():
        yield {"query": "One?", "answer": "One."}
        yield {"query": "Two?", "answer": "Two."}
        raise RuntimeError("the memory is full")

    with pytest.raises(RuntimeError), (tmp_path / f"out.{kind}").open("wb") as out:
        write_for_program(out, rows(), "ragas", kind)
    assert [row["response"] for row in rows_of(tmp_path / f"out.{kind}", kind)] == ["One.", "Two."]


EMPTY = [None, "", "  ", "\n", "\u200b", "...", "[1]", "—", "\u00a0", ". . ."]


@pytest.mark.parametrize("program", COLUMNS)
@pytest.mark.parametrize("columns", ["", "ragas"])
def test_an_empty_answer_of_another_program_is_no_answer_to_judge(judged, program, columns):
    names = COLUMNS[program]
    rows = [
        {"id": n, names.query: GOOD["user_input"], names.contexts: [HELIUM], names.answer: a}
        for n, a in enumerate(EMPTY)
    ]
    found = judged(lines(*rows), columns=columns)
    assert [row["id"] for row in found] == list(range(len(EMPTY)))
    for row in found:
        assert (
            row["state"] == NO_ANSWER
            and row["error"].startswith("There is no answer to judge")
            and "delivered" not in row
        )


@pytest.mark.parametrize("answer", EMPTY)
def test_an_empty_answer_under_our_name_is_none_either_and_a_row_without_one_is_asked(judged, answer):
    ours = {"query": GOOD["user_input"], "contexts": [HELIUM]}
    empty, asked, theirs = judged(lines(ours | {"answer": answer}, ours, ours | {"actual_output": answer}), columns="")
    assert empty["state"] == theirs["state"] == NO_ANSWER and "state" not in asked and asked["judged"]


@pytest.mark.parametrize("head", ["response", "actual_output", "answer"])
def test_an_empty_cell_is_no_answer_to_judge(judged, head):
    table = (
        f"user_input,retrieved_contexts,{head}\nWhat is given out?,{HELIUM},{HELIUM}\nWhat is given out?,{HELIUM},\n"
    )
    full, empty = judged(table, "rows.csv", "")
    assert full["judged"] == HELIUM and empty["state"] == NO_ANSWER


def test_an_empty_cell_of_parquet_is_no_answer_to_judge(judged, tmp_path):
    answers = pd.DataFrame(
        {**GOOD, "response": [GOOD["response"], None], "retrieved_contexts": [[HELIUM]] * 2, "score": [0.5, None]}
    )
    answers.to_parquet(tmp_path / "rows.parquet")
    full, empty = judged((tmp_path / "rows.parquet").read_bytes(), "rows.parquet")
    assert full["delivered"] and empty["state"] == NO_ANSWER


def test_the_column_of_a_bank_may_be_empty_and_so_may_every_answer_of_a_bank(judged):
    asked, given = judged(
        f"question,contexts,answer to judge\nWhat is given out?,{HELIUM},\nWhat?,{HELIUM},{HELIUM}\n", "b.csv", ""
    )
    assert "state" not in asked and asked["judged"] and given["judged"] == HELIUM
    (row,) = sound(read_lines(lines(GOOD | {"response": None}).encode(), "theirs.jsonl"))
    assert "answer" not in row
    (line,) = read_lines(lines(GOOD | {"response": None, "expected": "supported"}).encode(), "theirs.jsonl")
    assert "needs the answer that is to be judged" in line.problem


def test_contexts_that_numpy_has_printed_are_told_apart(judged):
    cells = f"['A bell rings.'\n '{HELIUM}']", f"['A bell rings.' ... '{HELIUM}']"
    table = io.StringIO()
    answer = f"{HELIUM[:-1]} [2]."
    csv.writer(table).writerows(
        [
            ["user_input", "retrieved_contexts", "response"],
            *(["Which gas is given out by stars?", c, answer] for c in cells),
        ]
    )
    whole, cut = judged(table.getvalue(), "rows.csv")
    assert (
        whole["retrieved_contexts"] == ["A bell rings.", HELIUM] and whole["delivered"] and whole["response"] == answer
    )
    assert "is the print of a list that is not whole" in cut["error"]
