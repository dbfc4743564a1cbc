"""Measuring in the background: once, whole, in turns, behind people, and on from where it was."""

import threading
import time

import pytest

from core.banks import background_measuring
from core.banks.background_measuring import Background
from core.banks.measured_bank import MeasuredBank
from core.banks.saved import SavedBanks
from core.case import Question
from core.decide import next_step
from core.evaluation.conditions import conditions_of
from core.graph import Explorer
from core.platform import jobs
from core.platform.jobs import PEOPLE, People
from core.presets import preset, with_settings
from core.settings import Settings
from core.thresholds import Preset
from tests.support.libraries import one_chapter
from tests.support.measured_cases import cases_of
from tests.support.pdfs import make_pdf

TEXT = "Photosynthesis is the process by which green plants make their own food. Chlorophyll is a green substance."
QUERIES = (
    "What is photosynthesis?",
    "What is chlorophyll?",
    "hi",
    "tell me about it",
    "What is starch, and what is food?",
)
PATIENCE = 120


@pytest.fixture(autouse=True)
def eager(monkeypatch):
    """A run that is not held up by the other tests of a busy computer, and soon goes on after a person's move."""
    monkeypatch.setattr(background_measuring, "NICE", 0)
    monkeypatch.setattr(jobs, "QUIET", 0.2)


@pytest.fixture
def explorer(models, tmp_path):
    with one_chapter(tmp_path / "home", models, TEXT) as library:
        yield Explorer(library, models)


@pytest.fixture
def background(tmp_path):
    SavedBanks(tmp_path).add("mine", [{"id": f"r{n}", "query": q} for n, q in enumerate(QUERIES)])
    return Background(tmp_path)


def bank_of(background, explorer, name="mine"):
    return MeasuredBank(background.home, SavedBanks(background.home).rows(name), conditions_of(explorer))


def ended(run):
    assert run.ended.wait(PATIENCE)
    return run.state


class Gate:
    """Stands before a model and lets one call through after another, when it is told to."""

    def __init__(self, model):
        self.model, self.reached, self.open = model, threading.Event(), threading.Event()

    def __getattr__(self, name):
        found = getattr(self.model, name)
        return self._through(found) if name in ("probabilities", "read") else found

    def _through(self, call):
        def asked(*given):
            self.reached.set()
            assert self.open.wait(PATIENCE)
            return call(*given)

        return asked


def gated(explorer, monkeypatch):
    """The explorer, the model that every question is read by behind a gate."""
    gate = Gate(explorer.models.reader)
    object.__setattr__(explorer.models, "reader", gate)
    monkeypatch.setattr(type(gate), "digest", gate.model.digest, raising=False)
    return gate


def test_a_bank_is_measured_once_and_to_full_depth(background, explorer):
    assert ended(background.start("mine", explorer)) == "done"
    bank = bank_of(background, explorer)
    assert len(bank.missing_rows()) == 0 and [c.row["id"] for c in cases_of(bank)] == [f"r{n}" for n in range(5)]
    presets = [preset("seed_b"), Preset(), with_settings(Preset(), ["confidence.min_confidence=100", "topic_relevance.max_topic_mismatch_score=0"])]  # fmt: skip
    assert {next_step(c.trace, p).action for c in cases_of(bank) for p in presets} & {"measure"} == set()
    calls = explorer.models.entailer.calls
    run = background.start("mine", explorer)
    assert ended(run) == "done" and (run.done, run.count) == (5, 5) and explorer.models.entailer.calls == calls


def test_what_is_stopped_stays_and_goes_on_where_it_was(background, explorer, monkeypatch):
    gate = gated(explorer, monkeypatch)
    run = background.start("mine", explorer)
    assert gate.reached.wait(PATIENCE) and run.state == "measuring" and run.seconds_left is None
    background.stop("mine")
    gate.open.set()
    assert ended(run) == "stopped"
    left = len(bank_of(background, explorer).missing_rows())
    assert left == 4
    calls = gate.model.calls
    run = background.start("mine", explorer)
    assert ended(run) == "done" and len(bank_of(background, explorer).missing_rows()) == 0
    assert gate.model.calls > calls and run.done == 5


def test_another_process_that_measures_is_left_alone(background, explorer):
    with SavedBanks(background.home).measuring_lock("mine"):
        run = background.start("mine", explorer)
        assert ended(run) == "broken" and "Another process is measuring mine" in run.sentence
    assert ended(background.start("mine", explorer)) == "done"


def test_a_second_start_is_the_run_that_is_under_way(background, explorer, monkeypatch):
    gate = gated(explorer, monkeypatch)
    run = background.start("mine", explorer)
    assert background.start("mine", explorer) is run is background.run("mine") and background.run("other") is None
    gate.open.set()
    assert ended(run) == "done"


def test_rows_that_come_meanwhile_are_measured_too(background, explorer, monkeypatch):
    gate = gated(explorer, monkeypatch)
    run = background.start("mine", explorer)
    assert gate.reached.wait(PATIENCE)
    SavedBanks(background.home).add("mine", [{"id": "new", "query": "What is food?"}])
    gate.open.set()
    assert ended(run) == "done" and run.count == 6 and len(bank_of(background, explorer).missing_rows()) == 0


def test_a_library_that_changes_ends_it_in_a_sentence_and_nothing_mixed_is_kept(background, explorer, monkeypatch):
    gate, before = gated(explorer, monkeypatch), conditions_of(explorer)
    run = background.start("mine", explorer)
    assert gate.reached.wait(PATIENCE)
    explorer.library.ingest(make_pdf("An echo is a sound that comes back."), "sound.pdf")
    gate.open.set()
    assert ended(run) == "broken" and run.sentence.startswith("The library changed while")
    assert not run_known(background, before) and len(bank_of(background, explorer).missing_rows()) == 5


def run_known(background, conditions):
    return MeasuredBank(background.home, [], conditions).stored_traces.stamps(conditions.key)


def test_a_row_whose_model_fails_is_told_and_tried_again(background, explorer, monkeypatch):
    reader = explorer.models.reader
    whole = type(reader).read

    def picky(self, question, texts):
        if "chlorophyll" in question:
            raise RuntimeError("out of memory")
        return whole(self, question, texts)

    monkeypatch.setattr(type(reader), "read", picky)
    run = background.start("mine", explorer)
    assert ended(run) == "done" and len(run.failed) == 5 - run.done > 0
    states = bank_of(background, explorer).states()
    assert "RuntimeError: out of memory" in states[1] and len(bank_of(background, explorer).missing_rows()) == len(
        run.failed
    )
    monkeypatch.setattr(type(reader), "read", whole)
    assert ended(background.start("mine", explorer)) == "done"
    assert bank_of(background, explorer).states() == ["measured"] * 5


def test_a_bank_that_is_gone_is_one_sentence(background, explorer):
    run = background.start("gone", explorer)
    assert ended(run) == "broken" and "There is no question set called gone" in run.sentence


def test_two_banks_take_turns_and_share_what_they_ask_alike(background, explorer):
    SavedBanks(background.home).add("other", [{"query": q} for q in (*QUERIES, "What is food?")])
    runs = [background.start(name, explorer) for name in ("mine", "other")]
    assert [ended(run) for run in runs] == ["done", "done"]
    assert [len(bank_of(background, explorer, name).missing_rows()) for name in ("mine", "other")] == [0, 0]


def test_it_waits_while_somebody_asks(background, explorer):
    with PEOPLE.asking():
        run = background.start("mine", explorer)
        time.sleep(0.3)
        assert run.done == 0 and explorer.models.entailer.calls == 0 and not run.ended.is_set()
    assert ended(run) == "done"


def test_a_stop_is_heard_while_it_waits(background, explorer):
    with PEOPLE.asking():
        run = background.start("mine", explorer)
        background.stop("mine")
        assert ended(run) == "stopped" and run.done == 0


def test_people_are_busy_while_they_ask_and_a_moment_after_a_move():
    people = People()
    assert not people.busy and people.wait() < 0.05
    with people.asking(), people.asking():
        assert people.busy
    assert people.busy  # the answer is just being drawn
    assert people.wait() > 0.1 and not people.busy
    people.record_activity()
    assert people.busy and people.wait(lambda: True) < 0.1


def test_who_asks_is_answered_while_a_bank_is_measured(background, explorer, monkeypatch):
    """It waits between two checks, holding nothing that a question needs."""
    gate = gated(explorer, monkeypatch)
    run = background.start("mine", explorer)
    assert gate.reached.wait(PATIENCE)
    with PEOPLE.asking():
        gate.open.set()
        asking = threading.Thread(
            target=explorer.ask, args=(Question(query="What is chlorophyll?"), Preset()), daemon=True
        )
        asking.start()
        asking.join(PATIENCE)
        assert not asking.is_alive() and not run.ended.is_set()
    assert ended(run) == "done"


def test_settings_come_along(background, explorer):
    other = explorer.with_settings(Settings(passages_fetched=1))
    assert ended(background.start("mine", other)) == "done"
    assert (
        len(bank_of(background, other).missing_rows()) == 0 and len(bank_of(background, explorer).missing_rows()) == 5
    )
    assert all(len(c.trace.rounds[0].case.evidence) <= 1 for c in cases_of(bank_of(background, other)))
