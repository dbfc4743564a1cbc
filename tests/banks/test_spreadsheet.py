"""Lists of questions: one question per line, and harmless in a spreadsheet."""

import csv
import io

import pytest

from core.banks.files import MOST_PASTED, parse_questions
from core.banks.spreadsheet import csv_text, harmless, without_escape
from core.case import CaseError

COLUMNS = ("question", "class", "subject", "confidence", "answer")


def queries(rows):
    return [row["query"] for row in rows]


def test_a_pasted_list_is_one_question_a_line():
    assert queries(parse_questions(" What is sound? \n\n\tWho?\r\nWhy, and how?\n")) == [
        "What is sound?",
        "Who?",
        "Why, and how?",
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [(" \n ", "holds no question"), ("What?\n" * (MOST_PASTED + 1), "holds 201 questions, at most 200")],
)
def test_what_is_no_list_is_one_sentence(text, sentence):
    with pytest.raises(CaseError, match=sentence) as found:
        parse_questions(text)
    assert str(found.value).count(". ") == 0 and str(found.value).endswith(".")


def test_as_many_as_are_allowed_are_taken():
    assert len(parse_questions("What?\n" * MOST_PASTED)) == MOST_PASTED


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1"])
def test_a_formula_is_only_text_in_the_csv(text):
    row = dict.fromkeys(COLUMNS) | {"question": text, "answer": text, "confidence": 4.5}
    (back,) = csv.DictReader(io.StringIO(csv_text([row], COLUMNS), newline=""))
    assert back["question"] == back["answer"] == f"'{text}"
    assert back["confidence"] == "4.5"
    assert harmless("What is 1 + 1?") == "What is 1 + 1?"


@pytest.mark.parametrize("text", ["=1+1", "'=1+1", "''=1", "'tis", "' =1", "What?", "", "'", "-", "\t"])
def test_a_harmless_cell_is_read_as_it_was_meant(text):
    assert without_escape(harmless(text)) == text and not harmless(text).lstrip(" ").startswith(("=", "-", "\t"))
