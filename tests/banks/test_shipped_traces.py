"""The measurements that come with the app: used as long as models, settings, program and questions are the same."""

import lzma
from dataclasses import replace

import pytest

from core.banks import measured_bank
from core.banks.measured_bank import FILE, MeasuredBank, StoredTraces, conditions_in, shipped_traces, write_traces
from core.banks.saved import SAMPLE, SavedBanks, rows_of
from core.case import CaseError
from core.library.documents import SAMPLE_MARK
from core.library.store import version_in
from core.models.profile import names_of
from core.reply.serialization import dumps
from core.settings import Settings
from core.writers.auto_writer import for_many_questions
from tests.support.measured_cases import cases_of
from tests.support.planted_banks import two_limits

MOST_BYTES = 5_000_000


def conditions_now(home):
    return conditions_in(home, "bundled", for_many_questions(Settings()))


@pytest.fixture
def cases():
    return two_limits(6, related=0.4, hybrid=0.4)


@pytest.fixture
def bank(tmp_path, cases, monkeypatch):
    """Return a function that makes the bank of these cases, whose measurements are shipped for the current conditions.

    changed: fields of the current conditions that differ from the shipped ones.
    """
    conditions = conditions_now(tmp_path)
    rows = [case.row for case in cases]
    questions = MeasuredBank(tmp_path, rows, conditions).questions
    file = tmp_path / "shipped.jsonl.xz"
    write_traces(file, vars(conditions), dict(zip(questions, (case.trace for case in cases), strict=True)))
    monkeypatch.setattr(measured_bank, "shipped_traces", lambda: shipped_traces(file))

    def bank(any_library=False, **changed):
        return MeasuredBank(tmp_path, rows, replace(conditions, **changed), any_library=any_library)

    return bank


def test_shipped_traces_are_the_measured_part_of_a_set(bank, cases):
    assert bank().states() == ["measured"] * 6 and len(bank().missing_rows()) == 0 and bank().stale() == ""
    assert [dumps(case.trace) for case in cases_of(bank())] == [dumps(case.trace) for case in cases]
    assert not bank().stored_traces.path.exists()  # nothing is written to the run-time folder


@pytest.mark.parametrize(
    ("part", "words"),
    [("models", "the models"), ("settings", "a setting"), ("program", "this program"), ("library", "the library")],
)
def test_changed_conditions_leave_them_aside_and_say_so(bank, part, words):
    other = bank(**{part: "other"})
    assert list(cases_of(other)) == [] and len(other.missing_rows()) == 6 and other.bundled_traces is None
    assert other.stale().startswith(f"6 of 6 questions were measured before {words} changed; measure them again")


def test_the_sample_is_shown_for_another_library_until_it_runs_there(bank, cases):
    other = bank(any_library=True, library="other")
    assert other.is_of_sample_library and len(other.missing_rows()) == 0
    other.stored_traces.store(other.conditions.key, other.questions[0], cases[0].trace)
    assert not other.is_of_sample_library and len(other.missing_rows()) == 5
    assert not bank(any_library=True).is_of_sample_library
    assert len(bank(any_library=True, models="other").missing_rows()) == 6


def test_own_measurements_come_first(bank, cases):
    own = replace(cases[0].trace, suggestions=("Another?",))
    bank().stored_traces.store(bank().conditions.key, bank().questions[0], own)
    assert [case.trace.suggestions == ("Another?",) for case in cases_of(bank())] == [True, *[False] * 5]


@pytest.mark.parametrize("content", [b"no archive", lzma.compress(b"{}"), lzma.compress(b'{"format": 99}\n'), b""])
def test_a_damaged_file_is_one_sentence(tmp_path, content):
    file = tmp_path / "shipped.jsonl.xz"
    file.write_bytes(content)
    with pytest.raises(CaseError, match="cannot be read; get the project's data/banks again") as found:
        shipped_traces(file)
    assert str(found.value).count(". ") == 0


def test_a_file_that_ends_early_is_one_sentence(bank, tmp_path):
    file = tmp_path / "shipped.jsonl.xz"
    text = lzma.decompress(file.read_bytes())
    file.write_bytes(lzma.compress(text[:-40]))
    with pytest.raises(CaseError, match="cannot be read"):
        list(cases_of(bank()))


def test_the_sample_comes_measured_with_the_models_that_ship(tmp_path):
    """After a change of models, checks or sample chapters: python -m core.lab.figures.measured_sample."""
    rows, shipped = rows_of(SavedBanks(tmp_path), SAMPLE), shipped_traces()
    assert FILE.stat().st_size <= MOST_BYTES
    assert vars(conditions_now(tmp_path)) == dict(shipped.conditions)
    sample = MeasuredBank(tmp_path, rows, conditions_now(tmp_path))
    assert len(sample.missing_rows()) == 0 and len(sample.questions) >= 500
    assert not StoredTraces(tmp_path).path.exists()


def test_the_sample_was_measured_on_the_sample_chapters(sample_home):
    assert version_in(sample_home("shipped")) == shipped_traces().conditions["library"]


def test_models_are_named_without_being_loaded(bundled_models):
    assert names_of("bundled") == bundled_models.names


def test_a_library_that_was_emptied_is_not_one_that_was_never_used(tmp_path):
    assert version_in(tmp_path) == ""
    (tmp_path / SAMPLE_MARK).touch()
    assert version_in(tmp_path) != ""
