"""Lists of questions: read in whatever shape they come, and harmless in a spreadsheet."""

import csv
import io

import pytest

from core.banks.question_lists import (
    MOST,
    as_csv,
    as_meant,
    harmless,
    pasted,
    uploaded,
)
from core.case import CaseError

COLUMNS = ("question", "class", "subject", "confidence", "answer")


def queries(rows):
    return [row["query"] for row in rows]


def test_a_pasted_list_is_one_question_a_line():
    assert queries(pasted(" What is sound? \n\n\tWho?\r\nWhy, and how?\n")) == [
        "What is sound?",
        "Who?",
        "Why, and how?",
    ]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("id,question,class,subject\n1,What?,7,Biology\n2,Who?,,\n", [("What?", 7, "Biology"), ("Who?", None, None)]),
        ("Query;Class\nWhat, then?;10\n", [("What, then?", 10, None)]),
        ("question\twhatever\nWhat?\tx\n", [("What?", None, None)]),
        ("text,class\nWhat?,8\n", [("What?", 8, None)]),
        ("question\nWhat is red, green and blue?\n", [("What is red, green and blue?", None, None)]),
        ('question\n"What is ""red"", and why?"\n', [('What is "red", and why?', None, None)]),
        ("What?,a\nWho?,b\n", [("What?", None, None), ("Who?", None, None)]),
        ("What is red, green and blue?\nWho?\n", [("What is red, green and blue?", None, None), ("Who?", None, None)]),
        ("How fast is sound, and who wrote Hamlet?\n", [("How fast is sound, and who wrote Hamlet?", None, None)]),
        (
            "Define force, in physics.\nName an acid, and a base.\n",
            [("Define force, in physics.", None, None), ("Name an acid, and a base.", None, None)],
        ),
        ('"What, then?", 7\n"Who?", 8\n', [("What, then?", None, None), ("Who?", None, None)]),
        ("\ufeffquestion\r\nWhat?\r\n\r\n", [("What?", None, None)]),
        ("question\n'=1+1\n'tis what?\n", [("=1+1", None, None), ("'tis what?", None, None)]),
    ],
)
def test_a_file_is_read_by_its_columns_or_its_first_one(text, rows):
    found = uploaded(text.encode())
    assert [(r["query"], r.get("class_number"), r.get("subject")) for r in found] == rows


@pytest.mark.parametrize(
    ("read", "given", "sentence"),
    [
        (pasted, " \n ", "holds no question"),
        (pasted, "What?\n" * (MOST + 1), "holds 201 questions, at most 200"),
        (uploaded, b"", "holds no question"),
        (uploaded, b"question,class\n,7\n", "holds no question"),
        (uploaded, b"question\n" + b"What?\n" * (MOST + 1), "at most 200"),
        (uploaded, b"\xff\xfe\x00\x01", "cannot be read"),
        (uploaded, b"PK\x03\x04\x00\x00\x00", "is no text"),
        (uploaded, b"question,class\nWhat?,seven\n", "class must be a whole number from 1 to 12"),
    ],
)
def test_what_is_no_list_is_one_sentence(read, given, sentence):
    with pytest.raises(CaseError, match=sentence) as found:
        read(given)
    assert str(found.value).count(". ") == 0 and str(found.value).endswith(".")


def test_as_many_as_are_allowed_are_taken():
    assert len(pasted("What?\n" * MOST)) == MOST


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1"])
def test_a_formula_is_only_text_in_the_csv(text):
    row = dict.fromkeys(COLUMNS) | {"question": text, "answer": text, "confidence": 4.5}
    (back,) = csv.DictReader(io.StringIO(as_csv([row], COLUMNS), newline=""))
    assert back["question"] == back["answer"] == f"'{text}"
    assert back["confidence"] == "4.5"
    assert harmless("What is 1 + 1?") == "What is 1 + 1?"


@pytest.mark.parametrize("text", ["=1+1", "'=1+1", "''=1", "'tis", "' =1", "What?", "", "'", "-", "\t"])
def test_a_harmless_cell_is_read_as_it_was_meant(text):
    assert as_meant(harmless(text)) == text and not harmless(text).lstrip(" ").startswith(("=", "-", "\t"))


def test_what_was_taken_away_can_be_asked_again():
    row = dict.fromkeys(COLUMNS) | {"question": "=1+1, why?", "class": 7, "subject": "Biology"}
    assert uploaded(as_csv([row], COLUMNS).encode("utf-8-sig")) == [
        {"query": "=1+1, why?", "class_number": 7, "subject": "Biology"}
    ]
