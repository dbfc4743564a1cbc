"""Measured figures as the README draws them."""

import json
from types import SimpleNamespace

import pytest

from core.banks import SAMPLE_BANKS
from core.evaluation.counts import Rate, counts, rate
from core.evaluation.outcomes import outcome
from core.lab.bench.figure import Figure
from core.lab.docs import measurements as figures
from core.lab.docs.measured import (
    ablation_table,
    bench_table,
    kinds_table,
    pairs_table,
    questions_table,
)
from core.lab.docs.measurements import FiguresError, share
from core.lab.docs.models import calibration_table
from core.lab.docs.sample_bank import sample_table, sample_targets
from core.reports.evaluation_report import TIME, TRUST
from tests.support.markdown_tables import table_row, table_rows


def test_a_share_stands_with_its_count_and_interval():
    assert share(rate([True] * 3 + [False] * 7).row()) == "3 of 10 (30 %, 11-60)"
    assert share(rate([]).row()) == "none of this kind"


@pytest.mark.parametrize("table", [
    questions_table, pairs_table, kinds_table, calibration_table, bench_table, ablation_table,
])  # fmt: skip
def test_every_table_has_been_measured(table):
    tables = [block for block in table().split("\n\n") if block.startswith("|")]
    assert tables
    for rows in map(str.splitlines, tables):
        assert len(rows) > 2 and len({row.count("|") for row in rows}) == 1


def test_the_ablation_says_on_how_many_rows_and_when_each_part_was_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(figures, "MEASUREMENTS", tmp_path)
    families = {
        "date": "2026-01-03", "every": 3, "sets": {"sample": 4, "cases": 3}, "all rules": {"own right": 5, "not read": 2},
        "without": {"clauses": {"fires": 2, "changed": 1, "own right": 4, "not read": 3}},
    }  # fmt: skip
    support = {
        "date": "2026-01-02",
        "n": {"supported": 2, "altered": 2},
        "all hints": {"area": 0.5, "supported_pass": 1},
    }
    (tmp_path / "ablation.json").write_text(json.dumps({"support": support, "families": families}))
    table = ablation_table()
    assert "Hints of `support`, measured on 2026-01-02." in table
    assert "measured on 2026-01-03 on 7 rows: sample 4, cases 3." in table
    assert table_row(table, "nothing") == ["", "", "5"] and table_row(table, "clauses") == ["2", "1", "-1"]


@pytest.mark.parametrize(("higher", "ratio"), [(True, 0.5), (False, 2.0)])
def test_a_ratio_above_one_is_better_whatever_the_unit(higher, ratio):
    figure = Figure(value=10, unit="x", baseline="y", baseline_value=20, n=1, note="", higher_is_better=higher)
    assert figure.row()["ratio"] == ratio
    assert set(figure.row()) == {"value", "unit", "baseline", "baseline_value", "ratio", "n", "note"}


def one(kind, expected, route, **labels):
    row = {"query": "Q?", "kind": kind, "expected": expected, "facts": ["green"] * (expected == "answered")} | labels
    return outcome(row, SimpleNamespace(route=route, answer="Green.", primary_reason=None, confidence=50.0))


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """Writes what evaluate would have stored, with `changes`."""
    monkeypatch.setattr(figures, "MEASUREMENTS", tmp_path)
    rows = [
        one("off_topic", "refused", "refuse"), one("off_topic", "refused", "deliver"),
        one("vague", "clarified", "clarify"), one("vague", "clarified", "refuse"),
        *[one("answerable", "answered", "deliver")] * 4, one("answerable", "answered", "refuse"),
        one("pair", "supported", "refuse", answer="A.", alteration="place_time"),
        one("pair", "altered", "deliver", answer="A.", alteration="place_time"),
    ]  # fmt: skip
    about = {
        "bank": SAMPLE_BANKS,
        "preset": "default",
        "profile": "bundled",
        "date": "2026-01-02",
        "missing_documents": [],
    }

    def store(**changes):
        (tmp_path / "sample_bank.json").write_text(json.dumps(about | counts(rows) | changes))

    return store


def test_the_marks_of_the_sample_banks_are_met_or_missed(stored):
    stored()
    table = sample_table()
    assert table_row(table, "off-topic questions answered") == ["at most 0 %", "1 of 2 (50 %, 9-91)", "**missed**"]
    assert table_row(table, "vague questions clarified or refused") == [
        "at least 90 %",
        "2 of 2 (100 %, 34-100)",
        "met",
    ]
    answered = ["at least 80 %", "4 of 5 (80 %, 38-96)", "met"]
    assert table_row(table, "answerable questions answered with the fact") == answered
    assert table_row(table, "altered answers delivered") == ["no target", "1 of 1 (100 %, 21-100)", ""]


def test_the_marks_stand_alone_with_what_they_were_measured_on(stored):
    stored()
    about, table = sample_targets()
    assert about in sample_table() and table in sample_table() and "pair: place time" not in table


def test_the_table_of_the_sample_banks_has_a_row_for_each_kind(stored):
    stored()
    table = sample_table()
    pair = ["pair: place time", "altered", "1", "1 (100 %, 21-100)", "0 (0 %, 0-79)"]
    assert pair in table_rows(table)
    assert "preset default, bundled models, measured on 2026-01-02" in table
    assert "None: half answer, long answer, over refusal" not in table and "None: half answer, long answer" in table


def test_both_sides_of_the_guardrail_stand_beside_each_other(stored):
    side = dict.fromkeys(("hallucinated", "false_positives", "rejected"), Rate(count=1, n=4).row())
    shares = {"abstention_accuracy": Rate(count=3, n=3).row(), "false_abstention": Rate(count=0, n=0).row()}
    stored(seeds={"with": side, "without": side, "trust_score": TRUST, "latency": {"n": 0}, **shares})
    table = sample_table()
    (both,) = [cells[1:] for cells in table_rows(table) if cells[0].endswith("(hallucination rate)")]
    assert both == ["1 of 4 (25 %, 5-70)"] * 2 and TRUST not in table
    assert TIME not in table and "where it holds one: none of this kind" in table
    stored(seeds={"with": side, "without": side, "trust_score": TRUST, **shares,
                  "latency": {"n": 9, "without": 0.5, "guarded": 1.25}})  # fmt: skip
    assert table_row(sample_table(), f"{TIME}, n 9") == ["1.25 s", "0.50 s"]


def test_what_says_nothing_is_not_drawn(stored):
    assert sample_table() == "Not measured yet."
    assert sample_targets() == ("", "")
    stored(missing_documents=["sound.pdf"])
    with pytest.raises(FiguresError, match=r"without sound\.pdf; measure it with --sample"):
        sample_table()
    stored(bank="mine.jsonl")
    with pytest.raises(FiguresError, match="without --bank"):
        sample_table()


def test_the_sample_banks_have_been_measured():
    assert sample_table() != "Not measured yet."
