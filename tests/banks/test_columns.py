"""Rows under the names of other programs: their files are read as they are, and ours are opened by their readers."""

import csv
import io
import json

import pandas as pd
import pytest

from core.banks import read_bank
from core.banks.columns import COLUMNS
from core.banks.files import KINDS, for_program, sound
from tests.support.set_files import read_lines

ROWS = [
    {"id": "a", "query": "What is \"salt\", really?", "contexts": ["It's a base; or not.", "Acids\nare sour [1]."], "answer": "=A salt [1].",
     "reference": "A salt.", "class_number": 7, "expected": "supported"},
    {"id": "b", "query": "Why?", "contexts": ["one | two", "['three']"], "answer": "Because.", "facts": ["x | y"], "pages": [[1, 2], 5]},
    {"id": "c", "query": "And without any?", "documents": ["a.pdf"]},
]  # fmt: skip


def rows_of(data, name):
    lines = read_lines(data, name)
    assert not [line.problem for line in lines if line.problem]
    return sound(lines)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("program", COLUMNS)
def test_what_goes_out_for_a_program_is_read_again(program, kind, tmp_path):
    data = for_program(ROWS, program, kind)
    assert rows_of(data, f"rows.{kind}") == ROWS
    (tmp_path / f"rows.{kind}").write_bytes(data)
    assert read_bank(tmp_path / f"rows.{kind}") == ROWS


@pytest.mark.parametrize("program", COLUMNS)
def test_pandas_reads_the_same_texts_from_every_kind(program, tmp_path):
    names, files = COLUMNS[program], {kind: tmp_path / f"rows.{kind}" for kind in KINDS}
    for kind, file in files.items():
        file.write_bytes(for_program(ROWS, program, kind))
    tables = [pd.read_parquet(files["parquet"]), pd.read_json(files["jsonl"], lines=True), pd.read_json(files["json"])]
    for table in tables:
        assert table[names.query].tolist() == [row["query"] for row in ROWS]
        assert table[names.answer][0] == "=A salt [1]." and list(table[names.contexts][1]) == ROWS[1]["contexts"]
    cells = pd.read_csv(files["csv"])
    assert cells[names.answer][0] == "'=A salt [1]."  # a spreadsheet reads it as a text
    in_a_cell = deepeval_cell if program == "deepeval" else ragas_cell
    assert cells[names.contexts][:2].tolist() == [in_a_cell(row["contexts"]) for row in ROWS[:2]]


def deepeval_cell(contexts):
    return "|".join(text.replace("|", "❘") for text in contexts)


def ragas_cell(contexts):
    return json.dumps(contexts, ensure_ascii=False)


@pytest.mark.parametrize(
    "contexts", [["[1] says so.", "a | b"], ["['x', 'y']"], ['["x"]'], ["['x'", "'y']"], ["||"], ["One."], []], ids=repr
)
def test_no_context_of_a_cell_of_deepeval_is_taken_for_two(contexts):
    rows = [{"id": "a", "query": "Q?", "contexts": contexts}]
    assert rows_of(for_program(rows, "deepeval", "csv"), "rows.csv") == rows


def table(head, cells):
    out = io.StringIO()
    csv.writer(out).writerows([head, cells])
    return out.getvalue().encode()


@pytest.mark.parametrize(
    ("data", "name", "row"),
    [
        (table(["user_input", "retrieved_contexts", "response"], ["Q?", str(["it's", 'a "b"; c']), "A."]), "ragas.csv",
         {"query": "Q?", "contexts": ["it's", 'a "b"; c'], "answer": "A."}),
        (table(["input", "actual_output", "retrieval_context", "context"], ["Q?", "A.", "one|two", "ideal"]), "deepeval.csv",
         {"query": "Q?", "answer": "A.", "contexts": ["one", "two"], "context": "ideal"}),
        (json.dumps([{"input": "Q?", "actual_output": None, "retrieval_context": ["one"], "context": ["ideal"]}]).encode(), "deepeval.json",
         {"query": "Q?", "contexts": ["one"], "context": ["ideal"]}),
        (table(["question", "context", "ground_truth"], ["Q?", "One; whole | text.", "A."]), "squad.csv",
         {"query": "Q?", "contexts": ["One; whole | text."], "reference": "A."}),
        (b'{"question": "Q?", "context": "One.", "answers": {"text": ["red", "red", "dark | red"], "answer_start": [1, 1, 9]}}', "squad.jsonl",
         {"query": "Q?", "contexts": ["One."], "expected": "answered", "facts": ["red | dark   red"]}),
        (b'{"question": "Q?", "context": "One.", "answers": {"text": [], "answer_start": []}}', "squad_v2.jsonl",
         {"query": "Q?", "contexts": ["One."], "expected": "refused"}),
        (b'{"question": "Q?", "context": {"title": ["T"], "sentences": [["One.", "Two."]]}, "answer": "yes"}', "hotpot.jsonl",
         {"query": "Q?", "contexts": [{"text": "One. Two.", "document": "T"}], "answer": "yes"}),
        (b'[{"query": "Q?", "actual_output": "A.", "retrieval_context": ["one"], "context": ["ideal"]}]', "named.json",
         {"query": "Q?", "answer": "A.", "contexts": ["one"], "context": ["ideal"]}),
        (b'{"query": "Q?", "context": "a note of mine", "input": 3}', "ours.jsonl", {"query": "Q?", "context": "a note of mine", "input": 3}),
    ],
)  # fmt: skip
def test_a_file_of_theirs_is_read_as_it_is(data, name, row):
    (found,) = rows_of(data, name)
    assert {k: v for k, v in found.items() if k not in ("id", "answers")} == row


@pytest.mark.parametrize(
    "data", [b"PAR1 and then nothing", b'[{"question": "Q?"}, ', b'[{"question": "Q?", "contexts": [7]}]']
)
def test_a_file_that_is_none_is_one_sentence(data):
    try:
        (line,) = read_lines(data, "theirs.json")
    except ValueError as error:
        assert "cannot be read" in str(error) or "can be read" in str(error)
    else:
        assert "Context 1 must be a text" in line.problem


def test_ragas_opens_what_is_written_for_it(tmp_path):
    schema = pytest.importorskip("ragas.dataset_schema")
    (tmp_path / "rows.jsonl").write_bytes(for_program(ROWS, "ragas", "jsonl"))
    samples = schema.EvaluationDataset.from_jsonl(tmp_path / "rows.jsonl").samples
    assert [s.user_input for s in samples] == [row["query"] for row in ROWS]
    assert samples[1].retrieved_contexts == ROWS[1]["contexts"] and samples[0].response == "=A salt [1]."
    schema.EvaluationDataset(samples=samples).to_csv(tmp_path / "theirs.csv")
    back = rows_of((tmp_path / "theirs.csv").read_bytes(), "theirs.csv")
    assert [row.get("contexts") for row in back] == [row.get("contexts") for row in ROWS]


def test_deepeval_opens_what_is_written_for_it(tmp_path):
    dataset = pytest.importorskip("deepeval.dataset").EvaluationDataset()
    (tmp_path / "rows.json").write_bytes(for_program(ROWS[:2], "deepeval", "json"))
    dataset.add_test_cases_from_json_file(
        str(tmp_path / "rows.json"), input_key_name="input", actual_output_key_name="actual_output",
        expected_output_key_name="expected_output", retrieval_context_key_name="retrieval_context",
    )  # fmt: skip
    assert [case.retrieval_context for case in dataset.test_cases] == [row["contexts"] for row in ROWS[:2]]
    assert dataset.test_cases[0].actual_output == "=A salt [1]."


@pytest.mark.parametrize("kind", ["json", "jsonl"])
def test_deepeval_opens_its_goldens_from_what_is_written_for_it(kind, tmp_path):
    dataset = pytest.importorskip("deepeval.dataset").EvaluationDataset()
    (tmp_path / f"rows.{kind}").write_bytes(for_program(ROWS[:2], "deepeval", kind))
    getattr(dataset, f"add_goldens_from_{kind}_file")(str(tmp_path / f"rows.{kind}"))
    assert [golden.retrieval_context for golden in dataset.goldens] == [row["contexts"] for row in ROWS[:2]]
    assert [golden.input for golden in dataset.goldens] == [row["query"] for row in ROWS[:2]]
    assert dataset.goldens[0].actual_output == "=A salt [1]." and dataset.goldens[0].expected_output == "A salt."


def test_deepeval_opens_the_table_that_is_written_for_it(tmp_path):
    """Its reader splits contexts at every |, also within a text."""
    file = tmp_path / "rows.csv"
    file.write_bytes(for_program(ROWS[:2], "deepeval", "csv"))
    goldens, cases = (pytest.importorskip("deepeval.dataset").EvaluationDataset() for _ in range(2))
    goldens.add_goldens_from_csv_file(str(file))
    cases.add_test_cases_from_csv_file(str(file), input_col_name="input", actual_output_col_name="actual_output")
    for found in (goldens.goldens, cases.test_cases):
        assert [[text.replace("❘", "|") for text in one.retrieval_context] for one in found] == [
            row["contexts"] for row in ROWS[:2]
        ]
        assert [one.input for one in found] == [row["query"] for row in ROWS[:2]]


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_datasets_opens_what_is_written_for_it(kind, tmp_path):
    datasets = pytest.importorskip("datasets")
    (tmp_path / f"rows.{kind}").write_bytes(for_program(ROWS, "huggingface", kind))
    load = datasets.Dataset.from_json if kind == "jsonl" else datasets.Dataset.from_parquet
    found = load(str(tmp_path / f"rows.{kind}"), cache_dir=str(tmp_path))
    assert found["question"][:] == [row["query"] for row in ROWS] and found["contexts"][1] == ROWS[1]["contexts"]
    found.to_parquet(tmp_path / "theirs.parquet")
    back = rows_of((tmp_path / "theirs.parquet").read_bytes(), "theirs.parquet")
    assert [(row["query"], row.get("contexts"), row.get("pages")) for row in back] == [
        (row["query"], row.get("contexts"), row.get("pages")) for row in ROWS
    ]
