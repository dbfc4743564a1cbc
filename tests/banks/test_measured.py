"""What was measured of a bank: kept over restarts, used until something changes, and never more than that."""

import json
import sqlite3
from dataclasses import replace

import numpy as np
import pytest

from core.banks.measured_bank import STORED_CONDITIONS, MeasuredBank, StoredTraces
from core.case import CaseError
from core.decide import verdict
from core.evaluation.cases import measure
from core.evaluation.conditions import conditions_of
from core.graph import Explorer
from core.models.calibration import Calibration
from core.reply.serialization import dumps
from core.settings import Settings
from core.thresholds import Preset
from tests.support.libraries import one_chapter
from tests.support.measured_cases import cases_of
from tests.support.pdfs import make_pdf

TEXT = "Photosynthesis is the process by which green plants make their own food. Chlorophyll is a green substance."
ROWS = [{"id": "a", "query": "What is photosynthesis?"}, {"id": "b", "query": "What is chlorophyll?"}, {"id": "c", "query": "hi"}]  # fmt: skip


@pytest.fixture
def explorer(models, tmp_path):
    with one_chapter(tmp_path / "home", models, TEXT) as library:
        yield Explorer(library, models)


@pytest.fixture
def bank(explorer, tmp_path):
    return MeasuredBank(tmp_path, ROWS, conditions_of(explorer))


def keep(bank, explorer, rows=ROWS):
    bank.stored_traces.use(bank.conditions.key, vars(bank.conditions))
    for row in rows:
        question = bank.questions[bank.rows.index(row)]
        bank.stored_traces.store(bank.conditions.key, question, measure(row, explorer, ()))


def test_before_anything_is_measured_all_is_missing(bank):
    assert (len(bank.missing_rows()), list(cases_of(bank)), bank.stale(), bank.states()) == (3, [], "", ["", "", ""])
    assert not bank.stored_traces.path.exists()  # looking writes nothing


def test_a_trace_comes_back_as_it_was_measured(bank, explorer, tmp_path):
    whole = measure(ROWS[0], explorer, ())
    keep(bank, explorer, ROWS[:2])
    again = MeasuredBank(tmp_path, ROWS, conditions_of(explorer))
    assert [case.row["id"] for case in cases_of(again)] == ["a", "b"] and len(again.missing_rows()) == 1
    trace = next(cases_of(again)).trace
    assert [r.name for r in trace.rounds] == [r.name for r in whole.rounds]
    for mine, other in zip(trace.rounds, whole.rounds, strict=True):
        for check, signals in other.signals.items():
            assert all(np.array_equal(mine.signals[check][k], v, equal_nan=True) for k, v in signals.items())
    assert verdict(trace, Preset()).route == verdict(whole, Preset()).route


def test_half_of_a_character_ends_no_run(explorer, tmp_path):
    rows = [{"query": "What is sound?", "history": [{"role": "user", "text": "smile \ud83d"}]}]
    bank = MeasuredBank(tmp_path, rows, conditions_of(explorer))
    keep(bank, explorer, rows)
    (case,) = cases_of(bank)
    assert case.trace.question.history[0].text == "smile \ud83d"


def test_a_label_changes_nothing_and_another_question_does(bank, explorer, tmp_path):
    keep(bank, explorer)
    labelled = MeasuredBank(tmp_path, [{**ROWS[0], "expected": "refused"}, *ROWS[1:]], bank.conditions)
    assert len(labelled.missing_rows()) == 0 and next(cases_of(labelled)).row["expected"] == "refused"
    moved = MeasuredBank(tmp_path, [{**ROWS[0], "class_number": 7}, *ROWS[1:]], bank.conditions)
    assert len(moved.missing_rows()) == 1 and moved.stale() == ""


def test_what_changed_is_said_and_what_is_changed_back_is_found_again(bank, explorer, tmp_path):
    keep(bank, explorer)
    other = explorer.with_settings(Settings(passages_fetched=3))
    now = MeasuredBank(tmp_path, ROWS, conditions_of(other))
    assert len(now.missing_rows()) == 3 and now.stale().startswith(
        "3 of 3 questions were measured before a setting changed"
    )
    written = MeasuredBank(tmp_path, ROWS, conditions_of(explorer.with_settings(Settings(writer="local"))))
    assert written.stale().startswith("3 of 3 questions were measured before the writer changed")
    added = explorer.library.ingest(make_pdf("An echo is a sound that comes back."), "sound.pdf").document
    now = MeasuredBank(tmp_path, ROWS, conditions_of(explorer))
    assert "before the library changed" in now.stale()
    now = MeasuredBank(tmp_path, ROWS, conditions_of(other))
    assert "before the library and a setting changed" in now.stale()
    explorer.library.remove(added.id)
    now = MeasuredBank(tmp_path, ROWS, conditions_of(explorer))
    assert (len(now.missing_rows()), now.stale()) == (0, "")


def test_other_models_are_other_conditions(bank, explorer, models):
    models.entailer.digest = "another"
    assert conditions_of(explorer) != bank.conditions and conditions_of(explorer).library == bank.conditions.library


def test_the_same_models_calibrated_otherwise_are_other_conditions(bank, explorer):
    other = replace(explorer.models, calibration=Calibration(dense_weight=0.5))
    assert conditions_of(Explorer(explorer.library, other)) != bank.conditions


def test_what_an_earlier_way_of_reading_measured_is_measured_again(bank, explorer, tmp_path):
    format_, reads_as, signals = json.loads(bank.conditions.program)
    earlier = replace(bank.conditions, program=json.dumps([format_, reads_as - 1, signals], sort_keys=True))
    keep(MeasuredBank(tmp_path, ROWS, earlier), explorer)
    assert len(bank.missing_rows()) == 3 and bank.stale().startswith(
        "3 of 3 questions were measured before this program changed"
    )


def test_a_failure_is_told_until_the_row_is_measured(bank, explorer):
    bank.stored_traces.use(bank.conditions.key, vars(bank.conditions))
    bank.stored_traces.fail(bank.conditions.key, bank.questions[0], "a model is gone")
    assert bank.states() == ["a model is gone", "", ""] and len(bank.missing_rows()) == 3
    keep(bank, explorer)
    assert bank.states() == ["measured"] * 3


def test_a_damaged_trace_is_measured_again(bank, explorer):
    keep(bank, explorer)
    with sqlite3.connect(bank.stored_traces.path) as base:
        base.execute("UPDATE traces SET trace = x'00' WHERE question = ?", (bank.questions[1],))
    base.close()
    assert [case.row["id"] for case in cases_of(bank)] == ["a", "c"]
    assert len(bank.missing_rows()) == 1


def test_a_damaged_file_is_one_sentence(bank):
    bank.stored_traces.path.parent.mkdir(parents=True)
    bank.stored_traces.path.write_bytes(b"no database at all, and long enough to be looked at" * 100)
    with pytest.raises(
        CaseError, match=r"measured\.sqlite is broken or no file of measurements .*; delete it and measure again"
    ):
        len(bank.missing_rows())


def test_only_the_last_conditions_are_kept(bank, explorer, tmp_path):
    trace = measure(ROWS[0], explorer, ())
    kept = StoredTraces(tmp_path)
    for n in range(STORED_CONDITIONS + 2):
        kept.use(f"key {n}", {})
        kept.store(f"key {n}", "q", trace)
    kept.use("key 2", {})
    assert [key for key, _ in kept.conditions()] == [
        "key 2",
        *(f"key {n}" for n in range(STORED_CONDITIONS + 1, 2, -1)),
    ]
    assert [len(kept.stamps(f"key {n}")) for n in range(STORED_CONDITIONS + 2)] == [0, 0, 1, 1, 1, 1]


def test_what_is_forgotten_is_gone(bank, explorer):
    keep(bank, explorer)
    bank.stored_traces.forget(bank.questions[:2])
    assert len(bank.missing_rows()) == 2


def test_a_trace_takes_little_room(bank, explorer):
    keep(bank, explorer)
    trace = measure(ROWS[0], explorer, ())
    with sqlite3.connect(bank.stored_traces.path) as base:
        (size,) = base.execute("SELECT length(trace) FROM traces WHERE question = ?", (bank.questions[0],)).fetchone()
    base.close()
    assert size < len(dumps(trace)) / 4
