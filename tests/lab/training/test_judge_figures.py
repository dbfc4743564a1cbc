"""How well answers are judged: what is drawn of a set, what is counted, and the table."""

import gzip
import json

import pytest

from core.case import Case, Question
from core.lab.docs.models import judge_table
from core.lab.training.judge_figures import evenly, figures, installed_judges, public_cases
from core.text.answer_sentences import given_draft
from tests.support.markdown_tables import table_row

CLAIMS = [
    {"src": "q2_one", "premise": "Copper is red. Iron is grey.", "hypothesis": "Copper is red.", "label": "supported"},
    {"src": "q2_one", "premise": "Copper is red. Iron is grey.", "hypothesis": "Iron is red.", "label": "unsupported"},
    {"src": "q2_cross_one", "premise": "Copper is red.", "hypothesis": "Copper is red.", "label": "unsupported"},
]  # fmt: skip


@pytest.mark.parametrize(("supported", "others", "most", "each"), [(50, 200, 60, 30), (10, 90, 60, 10), (7, 7, 4, 2)])
def test_as_many_of_either_label_are_drawn(supported, others, most, each):
    labelled = [(n, n < supported) for n in range(supported + others)]
    drawn = evenly(labelled, most)
    assert [label for _, label in drawn].count(True) == each == len(drawn) / 2
    assert drawn == evenly(labelled, most) and set(drawn) < set(labelled)


def case_of(answer):
    question = Question(query="What is it?", answer=answer)
    return Case(question=question, query=question.query, evidence=(), draft=given_draft(question))


def test_a_judge_is_counted_at_its_own_limit():
    cases = [(case_of("It is right."), True), (case_of("It is right too."), True), (case_of("It is wrong."), False)]
    found = figures(cases, lambda case: (float("right" in case.draft.text), "too" in case.draft.text))
    assert (found["area"], found["supported_passed"], found["altered_passed"]) == (1.0, 0.5, 0.0)
    assert found["balanced_accuracy"] == 0.75 and found["n"] == 3


@pytest.mark.models
def test_claims_come_with_their_own_text_and_without_the_labels_that_are_reversed(bundled_models, tmp_path):
    (tmp_path / "grounded").mkdir()
    with gzip.open(tmp_path / "grounded" / "q2_wow.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in CLAIMS)
    cases = public_cases(tmp_path, "grounded/q2_wow", 10, bundled_models)
    assert sorted((case.draft.text, label) for case, label in cases) == [
        ("Copper is red.", True), ("Iron is red.", False)
    ]  # fmt: skip
    plain = installed_judges(bundled_models, tmp_path)["plain"]
    assert {label: plain(case)[1] for case, label in cases} == {True: True, False: False}


def test_the_table_has_a_column_for_each_judge_and_nothing_for_one_that_was_not_asked(monkeypatch):
    one = {"n": 8, "area": 0.912, "balanced_accuracy": 0.75, "supported_passed": 0.5, "altered_passed": 0.0}
    monkeypatch.setattr("core.lab.docs.models.read_measurement", lambda _: {"sample": {"support": one, "plain": one}})
    table = judge_table()
    head, line, figures = table.splitlines()
    assert head.count("|") == line.count("|") == figures.count("|")
    assert table_row(table, "sample banks") == ["8", "0.91", "0.91", "", "", "0.75", "0.75", "", "", "", "50 %", "0 %"]
