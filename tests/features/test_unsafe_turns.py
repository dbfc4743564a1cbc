"""Thirty turns in the form of talk that state something false about the library: none goes unchecked."""

from collections import Counter
from pathlib import Path

import pytest

from core.banks import BANKS, read_bank
from core.case import Case
from core.features.stage_one_rules import need_check
from core.reply.serialization import question_of
from core.retrieval.intent import kind_of_turn
from core.text.answer_sentences import given_draft
from tests.support.sample_text import sample_holdings

BANK = read_bank(BANKS / "unsafe_turns.jsonl")
KINDS = {"small_talk": "small_talk", "clarification": "about_last_turn", "tool_result": "tool_result"}


def test_there_are_ten_of_each_form_about_every_chapter():
    assert Counter(row["alteration"] for row in BANK) == dict.fromkeys(KINDS, 10)
    chapters = {path.with_suffix(".pdf").name for path in (Path(BANKS).parent / "sample").glob("*.txt")}
    assert {row["document"] for row in BANK} == chapters
    assert len({row["answer"] for row in BANK}) == len({row["id"] for row in BANK}) == 30


@pytest.mark.parametrize("row", BANK, ids=lambda row: row["id"])
def test_it_passes_for_talk_and_still_needs_a_fact_check(row):
    question = question_of(row)
    kind = kind_of_turn(question)
    assert kind == KINDS[row["alteration"]]
    draft = given_draft(question)
    checked = need_check(Case(question=question, query=row["query"], draft=draft, kind=kind), sample_holdings())
    assert any(checked)
    told = [s.text for s, needs in zip(draft.sentences, checked, strict=True) if needs]
    assert any(fact.lower() in text.lower() for fact in row["facts"] for text in told)
