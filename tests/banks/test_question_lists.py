"""Lists of questions: read in whatever shape they come, asked one by one, and harmless in a spreadsheet."""

import csv
import io

import pytest

from core.banks import question_lists as listing
from core.banks.question_lists import (
    COLUMNS,
    MOST,
    as_csv,
    as_meant,
    ask_all,
    harmless,
    pasted,
    result_row,
    unmeasured,
    uploaded,
)
from core.case import CaseError
from core.checks import all_checks
from core.graph import Explorer
from core.presets import with_settings
from core.thresholds import Preset
from tests.support.libraries import one_chapter

TEXT = "Photosynthesis is the process by which green plants make their own food. Chlorophyll is a green substance."


@pytest.fixture
def explorer(models, tmp_path):
    with one_chapter(tmp_path / "home", models, TEXT) as library:
        yield Explorer(library, models)


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


def test_each_question_is_told_and_a_bad_one_stops_nobody(explorer):
    rows = [{"query": "What is photosynthesis?", "class_number": 7}, {"query": "x" * 3000}, {"query": "Who is Zorgon?"}]
    preset = Preset(modes={c.name: "watches" for c in all_checks() if c.name not in ("topic_relevance", "citations")})
    found = [result_row(one, preset) for one in ask_all(rows, explorer, preset)]
    assert [tuple(f) for f in found] == [COLUMNS] * 3
    assert found[0]["route"] == "deliver" and found[0]["class"] == 7
    assert (found[0]["document"], found[0]["page"]) == ("plants.pdf", 1)
    assert found[1]["route"] == "not asked" and "shorten it" in found[1]["reason"] and found[1]["confidence"] is None
    assert found[2]["route"] == "refuse" and found[2]["reason"] and found[2]["answer"] is None


def test_a_preset_that_needs_another_search_is_known(explorer):
    once = with_settings(Preset(), ["confidence.refine_rounds=0"])
    more = with_settings(Preset(), ["confidence.min_confidence=100"])
    (one,) = ask_all([{"query": "What is photosynthesis?"}], explorer, once)
    assert not unmeasured(one, once) and unmeasured(one, more)
    assert not unmeasured(listing.ListedQuestion(row={"query": "?"}, error="no"), more)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1"])
def test_a_formula_is_only_text_in_the_csv(text):
    row = dict.fromkeys(COLUMNS) | {"question": text, "answer": text, "confidence": 4.5}
    (back,) = csv.DictReader(io.StringIO(as_csv([row]), newline=""))
    assert back["question"] == back["answer"] == f"'{text}"
    assert back["confidence"] == "4.5"
    assert harmless("What is 1 + 1?") == "What is 1 + 1?"


@pytest.mark.parametrize("text", ["=1+1", "'=1+1", "''=1", "'tis", "' =1", "What?", "", "'", "-", "\t"])
def test_a_harmless_cell_is_read_as_it_was_meant(text):
    assert as_meant(harmless(text)) == text and not harmless(text).lstrip(" ").startswith(("=", "-", "\t"))


def test_what_was_taken_away_can_be_asked_again():
    row = dict.fromkeys(COLUMNS) | {"question": "=1+1, why?", "class": 7, "subject": "Biology"}
    assert uploaded(as_csv([row]).encode("utf-8-sig")) == [
        {"query": "=1+1, why?", "class_number": 7, "subject": "Biology"}
    ]
