"""The own bank: each question once, with its last label, in a file that evaluate can read."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.banks.saved import OWN, SavedBanks, label
from core.case import CaseError


def test_a_labelled_question_stands_in_a_bank(tmp_path):
    label(tmp_path, {"query": "What is ₹?", "class_number": 10, "subject": "Economics", "other": 1}, "refused")
    (row,) = SavedBanks(tmp_path).rows(OWN)
    assert row.pop("id")
    assert row == {
        "kind": "own", "expected": "refused", "query": "What is ₹?", "class_number": 10, "subject": "Economics",
    }  # fmt: skip


def test_another_label_replaces_the_first_and_another_class_is_another_question(tmp_path):
    for row, expected in [({"query": "A?"}, "answered"), ({"query": "A?", "class_number": 7}, "answered"), ({"query": "A?"}, "clarified")]:  # fmt: skip
        label(tmp_path, row, expected)
    assert {(r["query"], r.get("class_number"), r["expected"]) for r in SavedBanks(tmp_path).rows(OWN)} == {
        ("A?", 7, "answered"), ("A?", None, "clarified"),
    }  # fmt: skip


def test_rows_of_another_hand_are_kept(tmp_path):
    path = tmp_path / "banks" / f"{OWN}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"query": "Mine?"}) + "\n", encoding="utf-8")
    label(tmp_path, {"query": "A?"}, "answered")
    assert [r["query"] for r in SavedBanks(tmp_path).rows(OWN)] == ["Mine?", "A?"]


def test_many_at_once_lose_none(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: label(tmp_path, {"query": f"Question {n}?"}, "answered"), range(24)))
    assert len(SavedBanks(tmp_path).rows(OWN)) == 24


def test_a_bank_that_cannot_be_read_is_not_written_over(tmp_path):
    path = tmp_path / "banks" / f"{OWN}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("no bank\n", encoding="utf-8")
    with pytest.raises(CaseError, match="line 1 of own_questions"):
        label(tmp_path, {"query": "A?"}, "answered")
    assert path.read_text(encoding="utf-8") == "no bank\n"


def test_what_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "banks").write_text("in the way")
    with pytest.raises(CaseError, match=r"sets\.sqlite cannot be opened or written"):
        label(tmp_path, {"query": "A?"}, "answered")


def test_only_known_labels_are_given(tmp_path):
    with pytest.raises(CaseError, match="expected must be one of answered, part, refused, clarified, got"):
        label(tmp_path, {"query": "A?"}, "supported")


def test_a_case_with_an_answer_keeps_it_and_says_whether_it_is_right(tmp_path):
    row = {"query": "A?", "answer": "B.", "documents": ["a.pdf"], "pages": [[1, 2]]}
    for expected in ("supported", "altered"):
        label(tmp_path, row, expected)
    (kept,) = SavedBanks(tmp_path).rows(OWN)
    assert {k: kept[k] for k in (*row, "expected")} == {**row, "expected": "altered"}
