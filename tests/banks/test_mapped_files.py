"""Files with columns and labels of their own: what they seem to hold, and their rows once somebody has said it."""

import json

import pytest

from core.banks.files import (
    LEFT_OUT,
    MOST_COLUMNS,
    OWN_COLUMN,
    can_be_kept,
    columns_in,
    label_counts,
    label_of,
    mapped_lines,
    read_raw,
    sound,
)
from core.question import CaseError

FOREIGN = b"prompt,reply,ok,grade level,source\nWhat is air?,A gas.,1,7,a.pdf\nWhat is fire?,A gas.,0,,b.pdf\n"
MAP = {"prompt": "query", "reply": "answer", "ok": "expected", "grade level": "class_number", "source": OWN_COLUMN}


def test_columns_with_names_that_nobody_knows_are_read_as_they_are_mapped():
    raw = read_raw(FOREIGN, "rows.csv")
    assert columns_in(raw) == dict.fromkeys(MAP, OWN_COLUMN)
    first, second = sound(mapped_lines(raw, MAP, {"1": "supported", "0": "altered"}))
    assert {
        "query": "What is air?",
        "answer": "A gas.",
        "expected": "supported",
        "class_number": 7,
        "source": "a.pdf",
    }.items() <= first.items()
    assert second["expected"] == "altered" and "class_number" not in second
    (left, _) = sound(mapped_lines(raw, MAP | {"source": LEFT_OUT}, {}))
    assert "source" not in left and left["expected"] == "supported"


def test_rows_of_json_and_a_table_are_mapped_alike():
    rows = [
        {"prompt": "What is air?", "reply": "A gas.", "ok": 1},
        {"prompt": "What is fire?", "reply": "A gas.", "ok": False},
    ]
    found = sound(mapped_lines(read_raw(json.dumps(rows).encode(), "rows.json"), MAP, {}))
    assert [row["expected"] for row in found] == ["supported", "altered"]


def test_a_map_without_a_question_or_with_one_field_twice_is_one_sentence():
    raw = read_raw(FOREIGN, "rows.csv")
    with pytest.raises(CaseError, match="No column holds the question"):
        mapped_lines(raw, MAP | {"prompt": OWN_COLUMN}, {})
    with pytest.raises(CaseError, match="Two columns are read as query"):
        mapped_lines(raw, MAP | {"reply": "query"}, {})


def test_a_label_of_the_file_has_the_meaning_that_was_chosen():
    raw = read_raw(b"question,label\nWhat?,answerable\nWho?,Unanswerable\nWhy?,\n", "rows.csv")
    assert label_counts(raw, "label") == {"answerable": 1, "unanswerable": 1} and label_counts(raw, None) == {}
    lines = mapped_lines(raw, columns_in(raw), {"answerable": "answered", "unanswerable": "refused"})
    assert [row.get("expected") for row in sound(lines)] == ["answered", "refused", None]
    assert [bool(line.problem) for line in mapped_lines(raw, columns_in(raw), {})] == [True, True, False]


def test_a_yes_means_a_right_answer_only_where_there_is_an_answer():
    assert [label_of(text) for text in ("1", "yes", "false", "maybe")] == ["supported", "supported", "altered", ""]
    assert [label_of(text, has_answer=False) for text in ("1", "no", "supported")] == [
        "answered",
        "refused",
        "supported",
    ]


def test_a_column_answer_has_no_meaning_before_it_is_said():
    data = b"question,answer,label\nWhat?,Air.,%s\n"
    assert columns_in(read_raw(data % b"answered", "rows.csv"))["answer"] == ""
    assert columns_in(read_raw(data % b"1", "rows.csv"))["answer"] == "answer"


def test_too_many_labels_are_not_given_a_meaning_one_by_one():
    data = b"question,label\n" + b"".join(b"Q %d?,label %d\n" % (n, n) for n in range(13))
    assert label_counts(read_raw(data, "rows.csv"), "label") == {}


@pytest.mark.parametrize(
    ("data", "columns", "field"),
    [
        (b"question,label,verdict\nWhat?,1,no\n", {"verdict": LEFT_OUT, "label": OWN_COLUMN}, "expected"),
        (b"question,answer\nWhat?,Air.\n", {"answer": OWN_COLUMN}, "answer to judge"),
        (b"prompt,query\nWhat?,Air.\n", {"prompt": "query", "query": OWN_COLUMN}, "query"),
    ],
)
def test_a_column_with_the_name_of_a_field_is_not_kept_as_it_is(data, columns, field):
    raw = read_raw(data, "rows.csv")
    with pytest.raises(CaseError, match=f"cannot be kept as it is, since a set reads it as {field}; say what it holds"):
        mapped_lines(raw, columns_in(raw) | columns, {})


def test_a_column_with_a_name_of_its_own_is_kept_as_it_is():
    assert can_be_kept("Question") and can_be_kept("verdict") and not can_be_kept("Should be")
    raw = read_raw(b"prompt,Question\nWhat?,7b\n", "rows.csv")
    (row,) = sound(mapped_lines(raw, {"prompt": "query", "Question": OWN_COLUMN}, {}))
    assert row["query"] == "What?" and row["Question"] == "7b"


def test_lines_that_cannot_be_read_give_their_problems_instead_of_a_map():
    raw = read_raw(b"{'query': 'What?'}\n[1]\n", "rows.jsonl")
    lines = mapped_lines(raw, columns_in(raw), {})
    assert [line.row for line in lines] == [None, None]
    assert "Line 1 is no row of JSON" in lines[0].problem and "must be a JSON object, got list" in lines[1].problem


def test_a_label_that_says_nothing_leaves_its_rows_without_one():
    raw = read_raw(b"question,label\nWhat?,unsure\nWho?,yes\n", "rows.csv")
    assert "got 'unsure'" in mapped_lines(raw, columns_in(raw), {})[0].problem
    lines = mapped_lines(raw, columns_in(raw), {"unsure": "", "yes": "answered"})
    assert [line.row.get("expected") for line in lines] == [None, "answered"] and not lines[0].problem


def test_a_file_may_not_have_more_columns_than_can_be_mapped():
    rows = [{"query": "What?", f"column {n}": 1} for n in range(MOST_COLUMNS)]
    data = b"\n".join(json.dumps(row).encode() for row in rows)
    with pytest.raises(CaseError, match="The file has 101 columns, at most 100 are read; leave out"):
        columns_in(read_raw(data, "rows.jsonl"))
    assert len(columns_in(read_raw(data, "rows.jsonl")[1:])) == MOST_COLUMNS
