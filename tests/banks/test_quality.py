"""The sample banks are fit to measure with. Faults are given by the id of their row, so that these tests print no row."""

from functools import cache
from pathlib import Path

import pytest

from core.banks import REPORTING, TUNING, for_fitting, read_bank
from tests.banks.quality import fact_faults, pair_faults, rare_alterations, too_few, twice

SAMPLE = Path(__file__).parents[2] / "data" / "sample"
DOCUMENTS = {
    "acids_bases_salts.pdf", "arithmetic_progressions.pdf", "money_and_credit.pdf", "motion.pdf",
    "nutrition_in_plants.pdf", "rivers_of_india.pdf", "sound.pdf",
}  # fmt: skip


@cache
def banks():
    """The rows of both halves; only counted and compared with the chapters here."""
    return tuple(read_bank(TUNING)), tuple(read_bank(REPORTING, report=True))


def all_rows():
    return [row for half in banks() for row in half]


def chapters():
    return {path.with_suffix(".pdf").name: path.read_text("utf-8") for path in SAMPLE.glob("*.txt")}


def test_there_are_enough_rows_of_every_kind():
    assert too_few(all_rows()) == {}


def test_every_kind_of_alteration_makes_a_tenth_of_the_altered_answers():
    assert rare_alterations(all_rows()) == {}


def test_no_id_and_no_question_is_there_twice():
    rows = all_rows()
    assert twice([row["id"] for row in rows]) == []
    assert twice([row["query"] for row in rows if row["expected"] != "altered"]) == []


def test_every_question_is_in_the_half_that_its_text_says():
    tuning, reporting = banks()
    assert all(for_fitting(row["query"]) for row in tuning)
    assert not any(for_fitting(row["query"]) for row in reporting)


def test_both_halves_hold_every_kind():
    tuning, reporting = banks()
    kinds = [{(row["kind"], row["expected"], row.get("alteration")) for row in half} for half in (tuning, reporting)]
    assert kinds[0] == kinds[1]


def test_rows_name_documents_of_the_sample():
    named = {row.get(label) for row in all_rows() for label in ("document", "other_document")} - {None, ""}
    assert named == DOCUMENTS
    assert set(chapters()) == DOCUMENTS


def test_every_fact_stands_in_its_chapter_and_nothing_false_does():
    texts = chapters()
    faults = {row["id"]: found for row in all_rows() if (found := fact_faults(row, texts))}
    assert faults == {}


def test_pairs_are_two_different_answers_to_one_question():
    assert pair_faults(all_rows()) == []


def test_rows_that_ask_for_a_fact_have_one_and_the_others_have_none():
    rows = all_rows()
    due = [r["id"] for r in rows if r["kind"] in ("pair", "answerable", "two_part") and not r["facts"]]
    idle = [r["id"] for r in rows if r["kind"] in ("absent", "off_topic", "vague", "attack") and r["facts"]]
    assert due == idle == []


@pytest.mark.parametrize(("row", "fault"), [
    ({"expected": "answered", "kind": "answerable", "document": "a.pdf", "facts": ["7.5 metres"]}, "no text"),
    ({"expected": "altered", "kind": "pair", "document": "a.pdf", "facts": ["six litres"], "answer": "6 litres."}, "false"),
    ({"expected": "altered", "kind": "pair", "document": "a.pdf", "facts": ["red"], "answer": "It is blue."}, "not in"),
])  # fmt: skip
def test_a_fault_in_the_facts_is_seen(row, fault):
    texts = {"a.pdf": "A cow drinks 6 litres.", "b.pdf": "It is 7.5 metres long."}
    assert [f for f in fact_faults(row, texts) if fault in f]


def test_what_is_no_pair_is_seen():
    row = {"kind": "pair", "pair": "p", "query": "Why?", "alteration": "cause", "expected": "supported", "answer": "A."}
    assert pair_faults([row, row | {"expected": "altered", "answer": "B."}]) == []
    assert pair_faults([row, row | {"expected": "altered"}]) == ["p"]
    assert pair_faults([row, row | {"expected": "altered", "answer": "B.", "query": "How?"}]) == ["p"]
    assert pair_faults([row]) == ["p"]
