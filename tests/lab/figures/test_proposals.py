"""Limits are proposed from the questions that come measured with the app, and from no others."""

import pytest

from core.banks import TUNING, read_bank
from core.lab.figures import proposals

ROWS = [row for row in read_bank(TUNING) if row.get("answer") is None][:3]


def test_the_measurements_are_those_that_come_with_the_app(monkeypatch):
    monkeypatch.setattr(proposals, "read_bank", lambda _: [*ROWS, {"query": "Q?", "answer": "An answer to judge."}])
    cases = proposals.cases()
    assert [case.row for case in cases] == ROWS
    assert all(case.trace.question.query == row["query"] for case, row in zip(cases, ROWS, strict=True))


def test_a_question_that_is_not_measured_on_what_ships_ends_the_command(monkeypatch):
    monkeypatch.setattr(proposals, "read_bank", lambda _: [*ROWS, {"query": "Who measured this?"}])
    with pytest.raises(SystemExit, match="1 of 4 questions are not measured on what ships; run core"):
        proposals.cases()
