"""Banks as files: whatever comes is read row by row, each fault is one sentence, and nothing is lost on the way out."""

import csv
import io
import json
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.banks import read_bank
from core.banks.columns import COLUMNS
from core.banks.files import (
    KINDS,
    MOST_ROWS,
    as_csv,
    as_jsonl,
    for_program,
    recheck,
    sound,
)
from core.banks.formats import MOST_BYTES
from core.banks.row import MOST_CHARACTERS, question_digest
from core.case import CaseError
from core.reply.serialization import question_of, question_row
from core.text.words import visible
from tests.support.set_files import read_lines

GOOD = b"id,question,expected\na,What is sound?,answered\n"


def rows(data, name="bank.csv"):
    return sound(read_lines(data, name))


def problems(data, name="bank.csv"):
    return [(line.number, line.problem) for line in read_lines(data, name) if line.problem]


@pytest.mark.parametrize(
    ("data", "row"),
    [
        (GOOD, {"id": "a", "query": "What is sound?", "expected": "answered"}),
        (b"\xef\xbb\xbfQuestion;Should be;Class\r\nWhat?; Refused ;7\r\n", {"query": "What?", "expected": "refused", "class_number": 7}),
        (b"query\tfacts\tnote\nWhat?\tone; two | 2\tfrom me\n", {"query": "What?", "facts": ["one", "two | 2"], "note": "from me"}),
        (b'question,documents,pages\nWhat?,"a.pdf; b.pdf","3-5, 8"\n', {"query": "What?", "documents": ["a.pdf", "b.pdf"], "pages": [[3, 5], 8]}),
        (b"question,history\nAnd?,\"[{\"\"role\"\": \"\"user\"\", \"\"text\"\": \"\"hi\"\"}]\"\n", {"query": "And?", "history": [{"role": "user", "text": "hi"}]}),
        (b"question,column of mine,\nWhat?,kept,also\n", {"query": "What?", "column of mine": "kept", "column 3": "also"}),
        (b"question,expected\n'=1+1,answered\n", {"query": "=1+1", "expected": "answered"}),
        (b"question,expected\n=1+1,answered\n", {"query": "=1+1", "expected": "answered"}),
        (b'question,answer,expected\nWhat?,"Two\nlines [1]",supported\n', {"query": "What?", "answer": "Two\nlines [1]", "expected": "supported"}),
    ],
)  # fmt: skip
def test_a_table_is_read_by_its_columns(data, row):
    (found,) = rows(data)
    assert {k: v for k, v in found.items() if k in row or k != "id"} == row and found["id"]


FILES = {
    "missing columns": (b"id,expected\na,answered\n", "no column question (or query), its first line says 'id, expected'"),
    "two alike": (b"question,Question\nWhat?,Who?\n", "Two columns are called 'query'"),
    "empty": (b"", "holds no question"),
    "a header alone": (b"question,expected\n", "holds no question"),
    "a header alone without a question": (b"id,expected\n", "no column question (or query), its first line says 'id, expected'"),
    "50 MB": (GOOD + b"b,What?,answered\n" * 3_000_000, "at most 10 are read"),
    "another encoding": ("question\nWas ist größer?\n".encode("latin-1"), "Line 2 of the file holds the byte 0xf6"),
    "utf-16": ("question\nWhat?\n".encode("utf-16"), "is written in UTF-16"),
    "utf-16 without a mark": ("question\nWhat?\n".encode("utf-16-le"), "is written in UTF-16"),
    "a zip": (b"PK\x03\x04\x00\x00", "as CSV in UTF-8"),
    "an open quotation mark": (b'question,expected\n"What?,answered\nWho?,refused\n', "Line 2 of the file cannot be read"),
    "too many rows": (b"question\n" + b"".join(b"What is %d?\n" % n for n in range(MOST_ROWS + 1)), "over 100,000 rows"),
}  # fmt: skip


@pytest.mark.parametrize(("data", "sentence"), FILES.values(), ids=FILES)
def test_a_file_that_is_no_bank_is_refused_in_one_sentence(data, sentence):
    with pytest.raises(CaseError) as found:
        read_lines(data, "bank.csv")
    assert sentence in str(found.value)
    assert str(found.value).endswith(".") and str(found.value).count(". ") == 0 and "\n" not in str(found.value)


ROWS = {
    "no such label": (b"question,expected\nWhat?,answered\nWho?,maybe\nWhy?,refused\n", 3, "expected must be one of answered, part"),
    "class is no number": (b"question,class\nA?,\nWhat?,seven\nWhy?,7\n", 3, "class_number must be a whole number, got 'seven'"),
    "class too high": (b"question,class\nA?,\nWhat?,99999999\nWhy?,7\n", 3, "class_number must be from 1 to 12"),
    "no question": (b"question,expected\nA?,\n,refused\nB?,\n", 3, "query must be a text that is not empty"),
    "the same id": (b"id,question\na,What?\na,Who?\nb,Why?\n", 3, "The id 'a' stands in line 2 already"),
    "the same question": (b"question\nWhat?\nWhat?\nWhy?\n", 3, "The same question stands in line 2 already"),
    "nothing to judge": (b"question,expected\nA?,\nWhat?,altered\nB?,\n", 3, "needs the answer that is to be judged"),
    "1 MB in a cell": (b"question\nA?\n" + b"x" * 2**20 + b"\nB?\n", 3, "The row has 1,048,"),
    "a long question": (b"question\nA?\n" + b"x" * 3000 + b"\nB?\n", 3, "query may have 2,000 characters"),
    "a long id": (b"id,question\na,A?\n" + b"x" * 300 + b",B?\nb,C?\n", 3, "id may have at most 80 characters"),
    "NUL bytes": (b"question\nA?\nWh\0at?\nB?\n", 3, "holds a NUL"),
    "a comma without quotes": (b"question,expected\nA?,\nWhat, then?,answered\nB?,\n", 3, "It has 3 cells and the first line names 2"),
    "no pages": (b"question,pages\nA?,\nWhat?,first\nB?,\n", 3, "pages must hold page numbers"),
    "no history": (b"question,history\nA?,\nWhat?,said\nB?,\n", 3, "history must be a list"),
}  # fmt: skip


@pytest.mark.parametrize(("data", "number", "sentence"), ROWS.values(), ids=ROWS)
def test_a_bad_row_is_one_sentence_and_the_others_are_sound(data, number, sentence):
    ((at, said),) = problems(data)
    assert at == number and sentence in said and said.endswith(".") and said.count(". ") == 0
    assert len(rows(data)) == 2


JSON_ROWS = {
    "no JSON": (b'{"query": "A?"}\nno json\n{"query": "B?"}\n', "Line 2 is no row of JSON"),
    "no object": (b'{"query": "A?"}\n[1]\n{"query": "B?"}\n', "A row must be a JSON object, got list"),
    "deep": (b'{"query": "A?"}\n' + b"[" * 100_000 + b'\n{"query": "B?"}\n', "Line 2 is no row of JSON"),
    "a huge number": (b'{"query": "A?"}\n{"query": "C?", "class_number": ' + b"9" * 5000 + b'}\n{"query": "B?"}\n', "Line 2 is no row"),
    "NUL": (b'{"query": "A?"}\n{"query": "C?", "note": "a\\u0000b"}\n{"query": "B?"}\n', "holds a NUL"),
    "half a character": (b'{"query": "A?"}\n{"query": "C?", "remarks": ["\\ud800"]}\n{"query": "B?"}\n', "half a character"),
    "facts": (b'{"query": "A?"}\n{"query": "C?", "facts": "sour"}\n{"query": "B?"}\n', "facts must be a list of texts"),
    "an id of parts": (b'{"query": "A?"}\n{"query": "C?", "id": [1]}\n{"query": "B?"}\n', "id must be a text, got [1]"),
    "1 MB": (b'{"query": "A?"}\n{"query": "C?", "note": "' + b"x" * 2**20 + b'"}\n{"query": "B?"}\n', "The row has 1,048,"),
    "citations": (b'{"query": "A?"}\n{"query": "C?", "answer": "Iron rusts. Milk is white.", "citations": [[1]]}\n{"query": "B?"}\n', "one list for each sentence"),
}  # fmt: skip


@pytest.mark.parametrize(("data", "sentence"), JSON_ROWS.values(), ids=JSON_ROWS)
def test_a_bad_line_of_json_is_one_sentence_too(data, sentence):
    ((at, said),) = problems(data, "bank.jsonl")
    assert at == 2 and sentence in said and "\n" not in said and len(said) < 400
    assert [r["query"] for r in rows(data, "bank.jsonl")] == ["A?", "B?"]


def test_json_is_known_by_its_first_sign_whatever_the_name():
    assert [r["query"] for r in rows(b'\n{"query": "A?"}\n', "bank.txt")] == ["A?"]


def test_an_id_is_compared_with_those_of_right_rows_alone():
    lines = read_lines(b"id,question,expected\na,What?,perhaps\na,Who?,refused\n", "bank.csv")
    assert [bool(line.problem) for line in lines] == [True, False]
    lines = read_lines(b"id,question,expected\na,What?,answered\na,Who?,refused\n", "bank.csv")
    assert "stands in line 2 already" in lines[1].problem and not lines[0].problem


def test_rows_that_are_no_rows_can_be_left_out():
    lines = read_lines(b'{"query": "A?"}\nno json\n', "bank.jsonl")
    assert recheck(lines) == lines and [r["query"] for r in sound(lines)] == ["A?"]


words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=30).map(str.strip).filter(bool)
shown = words.filter(lambda text: visible(text) == text)
answers = words.filter(lambda text: any(c.isalpha() for c in text))
"""Without a letter it may be no answer to judge."""
lines_of_text = st.lists(words, min_size=1, max_size=3).map("\n".join)
banks = st.lists(
    st.fixed_dictionaries(
        {"query": lines_of_text},
        optional={
            "class_number": st.integers(1, 12), "subject": words, "documents": st.lists(words, min_size=1, max_size=3),
            "pages": st.lists(st.integers(1, 99) | st.tuples(st.integers(1, 9), st.integers(9, 99)).map(list), min_size=1, max_size=3),
            "facts": st.lists(lines_of_text, min_size=1, max_size=3), "expected": st.sampled_from(["answered", "refused"]),
            "note": words, "attribute": st.just(True), "answer": answers,
            "contexts": st.lists(shown | st.fixed_dictionaries({"text": shown, "page": st.integers(1, 9)}), min_size=1, max_size=3),
            "history": st.lists(st.fixed_dictionaries({"role": st.sampled_from(["user", "tool"]), "text": words}), min_size=1, max_size=2),
        },
    ),
    min_size=1, max_size=5, unique_by=lambda row: question_digest(question_of(row)),
)  # fmt: skip


@given(banks)
@settings(max_examples=60, deadline=None)
def test_what_is_given_out_is_read_again(bank):
    wanted = [{**row, "id": f"n{n}"} for n, row in enumerate(bank)]
    assert sound(read_lines(as_jsonl(wanted).encode(), "b.jsonl")) == wanted
    assert sound(read_lines(as_csv(wanted).encode("utf-8-sig"), "b.csv")) == wanted
    texts = [
        {**row, "contexts": [c if isinstance(c, str) else c["text"] for c in row.get("contexts", ())]} for row in wanted
    ]
    for program, kind in product(COLUMNS, KINDS):
        assert sound(read_lines(for_program(texts, program, kind), f"b.{kind}")) == texts


@given(st.dictionaries(st.sampled_from(["query", "note", "subject", "=x"]), words, min_size=1))
def test_no_cell_begins_like_a_formula(row):
    for cells in csv.reader(io.StringIO(as_csv([{"query": "What?", **row}]), newline="")):
        assert not any(cell.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "\n")) for cell in cells)


@given(banks)
@settings(max_examples=30, deadline=None)
def test_a_question_becomes_the_row_that_asks_it(bank):
    for row in bank:
        question = question_of(row)
        assert question_of(json.loads(json.dumps(question_row(question)))) == question


def test_labels_do_not_change_what_a_question_is_called():
    names = {
        question_digest(question_of({"query": "A?", "expected": e, "facts": [e]})) for e in ("answered", "refused")
    }
    assert len(names) == 1
    assert question_digest(question_of({"query": "A?", "class_number": 7})) not in names


EITHER = b"question,expected,answer\nWhat?,answered,Air.\nWho?,refused,\n"


def test_a_column_called_answer_is_asked_about_before_it_is_read(tmp_path):
    with pytest.raises(CaseError, match=r"call it “answer to judge” or “reference”\.$"):
        read_lines(EITHER, "bank.csv")
    for field, name in (("answer", b"Answer to judge\n"), ("reference", b"reference answer\n")):
        named = EITHER.replace(b"answer\n", name, 1)
        first, second = rows(named)
        assert first[field] == "Air." and set(first) == {"id", "query", "expected", field} and "answer" not in second
        (tmp_path / "bank.csv").write_bytes(named)
        assert [
            {"id": row["id"]} | r for row, r in zip((first, second), read_bank(tmp_path / "bank.csv"), strict=True)
        ] == [first, second]
    (tmp_path / "bank.csv").write_bytes(EITHER + b"Why?,maybe,\n")
    with pytest.raises(CaseError, match="The column answer may hold the answer to judge"):
        read_bank(tmp_path / "bank.csv")
    (tmp_path / "bank.csv").write_bytes(b"question,expected\nWhy?,maybe\n")
    with pytest.raises(CaseError, match=r"^line 2 of bank\.csv cannot be read: expected must be one of"):
        read_bank(tmp_path / "bank.csv")


def test_the_limits_leave_room_for_a_bank():
    assert MOST_BYTES >= 2 * 2_000 * 1_000 and MOST_CHARACTERS > 20_000 + 2_000
