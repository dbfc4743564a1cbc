"""A set opened from its stacked file decides as its traces do; a trace is read once, and again when it has changed."""

from dataclasses import replace

import numpy as np
import pytest

from core.banks import measured_bank
from core.banks.bank_files import open_bank
from core.banks.measured_bank import MeasuredBank
from core.banks.open_bank import OpenBank
from core.case import CaseError
from core.evaluation.conditions import Conditions
from core.presets import preset
from core.reply.serialization import dumps
from core.tuning.curves import best_scores, of_confidence
from tests.support.planted_banks import RELATED, two_limits

CONDITIONS = Conditions(library="of this test", models="", settings="", program="")
CASES = two_limits(12, related=0.5, hybrid=0.35)
PRESETS = [preset("default"), preset("strict"), preset("as_printed").with_values({RELATED: 0.4})]


@pytest.fixture
def bank_of(tmp_path, monkeypatch):
    """A measured bank of some cases, whose traces are in the home."""
    monkeypatch.setattr(measured_bank, "shipped_traces", lambda: None)

    def bank(cases, conditions=CONDITIONS):
        measured = MeasuredBank(tmp_path, [case.row for case in cases], conditions)
        known = measured.stored_traces.stamps(conditions.key)
        for question, case in zip(measured.questions, cases, strict=True):
            if question not in known:
                measured.stored_traces.store(conditions.key, question, case.trace)
        return measured

    return bank


@pytest.fixture
def reads(monkeypatch):
    """How many traces were read at each time."""
    counts, traces = [], MeasuredBank.traces
    monkeypatch.setattr(MeasuredBank, "traces", lambda self, which: counts.append(len(which)) or traces(self, which))
    return counts


def files(home):
    return sorted(path.name for path in (home / "banks" / "stacked").glob("*") if path.name != "lock")


def same(bank, cases):
    """The bank decides like these cases in memory, in their order."""
    own = OpenBank.of(cases)
    assert [row["query"] for row in bank.rows] == [row["query"] for row in own.rows]
    for under in PRESETS:
        ours, others = bank.decided_at(under), own.decided_at(under)
        for field in ("routes", "reasons", "outcomes", "worths"):
            assert np.array_equal(getattr(ours, field), getattr(others, field))
    assert best_scores(bank, "related") == best_scores(own, "related") and of_confidence(bank) == of_confidence(own)
    return True


def test_a_set_that_is_opened_again_reads_no_trace_and_decides_alike(bank_of, reads, tmp_path):
    assert same(open_bank(bank_of(CASES)), CASES) and reads == [12]
    again = open_bank(bank_of(CASES))
    assert same(again, CASES) and reads == [12]
    assert dumps(next(again.cases([5])).trace) == dumps(CASES[5].trace) and reads == [12, 1]
    assert len(files(tmp_path)) == 1


def test_a_set_that_grows_reads_the_new_traces_alone(bank_of, reads, tmp_path):
    open_bank(bank_of(CASES[:8]))
    grown = [CASES[9], *CASES[:4], CASES[11], *CASES[4:8]]
    assert same(open_bank(bank_of(grown)), grown) and reads == [8, 2]
    assert len(files(tmp_path)) == 1  # what it grew from is gone


def test_a_set_with_fewer_rows_reads_none(bank_of, reads):
    open_bank(bank_of(CASES))
    assert same(open_bank(bank_of(CASES[3:7])), CASES[3:7]) and reads == [12]


def test_many_traces_are_stacked_in_blocks_that_do_not_stay(bank_of, monkeypatch, tmp_path):
    monkeypatch.setattr("core.banks.bank_files._BLOCK", 5)
    shares = []
    assert same(open_bank(bank_of(CASES), shares.append), CASES)
    assert shares == [5 / 12, 10 / 12, 1.0] and len(files(tmp_path)) == 1


def test_a_question_that_is_measured_again_is_read_again(bank_of, reads):
    measured = bank_of(CASES)
    open_bank(measured)
    question, trace = measured.questions[11], CASES[0].trace
    measured.stored_traces.forget([question])
    measured.stored_traces.store(CONDITIONS.key, question, trace)
    changed = [*CASES[:11], replace(CASES[11], trace=trace)]
    assert same(open_bank(measured), changed) and reads == [12, 1]


def test_a_new_label_counts_at_once_and_reads_no_trace(bank_of, reads):
    open_bank(bank_of(CASES))
    relabelled = [replace(case, row=case.row | {"expected": "refused", "facts": ["seven"]}) for case in CASES]
    assert same(open_bank(bank_of(relabelled)), relabelled) and reads == [12]


def test_a_damaged_file_is_made_again(bank_of, reads, tmp_path):
    open_bank(bank_of(CASES))
    (name,) = files(tmp_path)
    path = tmp_path / "banks" / "stacked" / name
    path.write_bytes(path.read_bytes()[:-9])
    assert same(open_bank(bank_of(CASES)), CASES) and reads == [12, 12]


def test_a_damaged_trace_is_left_out(bank_of):
    measured = bank_of(CASES)
    with measured.stored_traces.writing() as base:
        base.execute("UPDATE traces SET trace = x'00' WHERE question = ?", (measured.questions[2],))
    assert same(open_bank(measured), [*CASES[:2], *CASES[3:]])
    assert len(measured.missing_rows()) == 1


def test_a_full_disk_costs_the_file_and_not_the_set(bank_of, monkeypatch, tmp_path):
    def full(*_):
        raise OSError("No space left on device")

    monkeypatch.setattr("core.banks.stored_set.write_arrays", full)
    assert same(open_bank(bank_of(CASES)), CASES) and files(tmp_path) == []


def test_other_conditions_have_files_of_their_own(bank_of, reads):
    open_bank(bank_of(CASES))
    assert same(open_bank(bank_of(CASES, replace(CONDITIONS, settings="other"))), CASES) and reads == [12, 12]


def test_a_trace_that_is_deleted_while_the_set_is_open_is_one_sentence(bank_of):
    measured = bank_of(CASES)
    bank = open_bank(measured)
    measured.stored_traces.forget([measured.questions[3]])
    with pytest.raises(CaseError, match="open the set again"):
        list(bank.cases([3]))


def test_a_selection_decides_like_its_cases(bank_of):
    chosen = [7, 2, 10]
    assert same(open_bank(bank_of(CASES)).some(np.array(chosen)), [CASES[n] for n in chosen])


def test_a_set_without_measurements_is_empty(bank_of, tmp_path):
    assert open_bank(MeasuredBank(tmp_path, [case.row for case in CASES], CONDITIONS)).rows == []
    assert not (tmp_path / "banks").exists()
