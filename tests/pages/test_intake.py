"""The ingestion queue: each file ends once, in its own state, and a stopped one leaves nothing."""

import threading
import time

import pytest

from core.library import Library
from pages.components.library import ingest_jobs as module
from pages.components.library.ingest_jobs import WORKERS, Intake
from pages.components.library.upload import outcome_text
from tests.support.fake_models import FakeEmbedder
from tests.support.libraries import files
from tests.support.pdfs import chapter

PATIENCE = 60


class GatedEmbedder(FakeEmbedder):
    """An embedder that waits, once called, until its gate is open."""

    def __init__(self):
        super().__init__()
        self.begun, self.gate = threading.Event(), threading.Event()
        self.gate.set()

    def encode(self, texts):
        self.begun.set()
        assert self.gate.wait(PATIENCE)
        return super().encode(texts)


@pytest.fixture
def library(tmp_path):
    opened = Library(tmp_path / "home", GatedEmbedder())
    yield opened
    opened.close()


@pytest.fixture
def closed_gate(library):
    """Hold every ingestion at its embedding until the gate is opened."""
    library.embedder.gate.clear()
    yield library.embedder
    library.embedder.gate.set()


def ended(intake):
    """The files of an intake after all of them have ended."""
    end = time.monotonic() + PATIENCE
    while intake.busy:
        assert time.monotonic() < end, "the files did not end"
        time.sleep(0.02)
    return intake.uploads()


def states(intake):
    return [(u.name, u.state) for u in ended(intake)]


def pdf(word):
    return chapter([f"A {word} is a small bird that sings in the morning."])


def test_every_file_of_a_drop_ends_in_its_own_state(library):
    intake, wug = Intake(), pdf("wug")  # a PDF holds the second in which it was made
    intake.add(library, [("a.pdf", wug), ("bad.pdf", b"no pdf"), ("b.pdf", wug), ("c.pdf", pdf("dax"))])
    assert states(intake) == [("a.pdf", "added"), ("bad.pdf", "refused"), ("b.pdf", "held"), ("c.pdf", "added")]
    assert outcome_text(intake.uploads()[0]) == "a.pdf was added: 1 page, 1 passage."
    assert "bad.pdf" in outcome_text(intake.uploads()[1])
    assert [d.name for d in library.documents()] == ["a.pdf", "c.pdf"]


def test_the_bytes_of_an_ended_file_are_released(library):
    intake = Intake()
    intake.add(library, [("a.pdf", pdf("wug")), ("bad.pdf", b"no pdf")])
    assert {u.data for u in ended(intake)} == {b""}


def test_two_users_can_drop_the_same_file_at_once(library):
    intake, same = Intake(), pdf("wug")
    for _ in range(2):
        intake.add(library, [("a.pdf", same)])
    assert sorted(u.state for u in ended(intake)) == ["added", "held"]
    assert len(library.documents()) == 1


def test_a_changed_file_replaces_the_old_one(library):
    intake = Intake()
    intake.add(library, [("a.pdf", pdf("wug"))])
    ended(intake)
    intake.add(library, [("a.pdf", pdf("dax"))])
    assert outcome_text(ended(intake)[1]) == "a.pdf replaced the old file: 1 page, 1 passage."
    assert len(library.documents()) == 1


def test_a_file_of_another_class_is_kept_beside_the_old_one_and_a_replacement_is_named(library):
    intake, wug = Intake(), pdf("wug")
    for data, number in ((wug, 7), (pdf("dax"), 8), (pdf("blick"), 8)):
        intake.add(library, [("a.pdf", data)], class_number=number)
        ended(intake)
    first, second, third = intake.uploads()
    assert outcome_text(second) == "a.pdf (class 8) was added: 1 page, 1 passage."
    assert outcome_text(third) == "a.pdf (class 8) replaced the old file (class 8): 1 page, 1 passage."
    intake.add(library, [("a.pdf", wug), ("a.pdf", pdf("toma"))])
    held, refused = ended(intake)[3:]
    assert outcome_text(held) == "a.pdf is in the library already as a.pdf (class 7); nothing was added."
    assert refused.state == "refused" and "twice" in refused.sentence and first.state == "added"
    intake.add(library, [("a.pdf", pdf("toma"))])
    assert "could be a new version of a.pdf (class 7), a.pdf (class 8)" in ended(intake)[-1].sentence
    assert [d.class_number for d in library.documents()] == [7, 8]


def test_the_second_of_two_different_files_of_one_name_is_refused(library):
    intake = Intake()
    intake.add(library, [("a.pdf", pdf("wug")), ("a.pdf", pdf("dax"))])
    assert states(intake) == [("a.pdf", "added"), ("a.pdf", "refused")]
    assert "twice" in outcome_text(intake.uploads()[1])
    assert "wug" in library.passages()[0].text


def test_class_and_subject_are_passed_on(library):
    intake = Intake()
    intake.add(library, [("a.pdf", pdf("wug"))], class_number=9, subject="Biology")
    assert ended(intake)[0].outcome.document.class_number == 9


def test_a_stopped_file_leaves_nothing_and_the_next_continues(library, closed_gate):
    intake = Intake()
    numbers = intake.add(library, [("a.pdf", pdf("wug")), ("b.pdf", pdf("dax"))])
    assert closed_gate.begun.wait(PATIENCE)
    intake.stop(numbers[0])
    closed_gate.gate.set()
    assert states(intake) == [("a.pdf", "stopped"), ("b.pdf", "added")]
    assert [d.name for d in library.documents()] == ["b.pdf"]
    assert {name.partition(".")[0] for name in files(library.home)} == {library.documents()[0].id}


def test_a_waiting_file_stops_at_once(library, closed_gate):
    intake = Intake()
    _, second = intake.add(library, [("a.pdf", pdf("wug")), ("b.pdf", pdf("dax"))])
    assert closed_gate.begun.wait(PATIENCE)
    intake.stop(second)
    stopped = next(u for u in intake.uploads() if u.number == second)
    assert stopped.ended and outcome_text(stopped) == "b.pdf was stopped before it was read."
    closed_gate.gate.set()
    assert states(intake) == [("a.pdf", "added"), ("b.pdf", "stopped")]


def test_a_waiting_file_knows_its_place_in_line_as_drops_take_turns(library, closed_gate):
    intake = Intake()
    for drop in range(WORKERS):
        intake.add(library, [(f"{drop}_{n}.pdf", pdf(f"wug{drop}{n}")) for n in range(3)])
    while sum(u.state == "running" for u in intake.uploads()) < WORKERS:
        time.sleep(0.01)
    intake.add(library, [("one.pdf", pdf("dax")), ("two.pdf", pdf("blick"))])
    places = {u.name: wait.place for u in intake.uploads() if (wait := intake.wait(u))}
    assert (places.pop("one.pdf"), places.pop("two.pdf")) == (1, 4)  # each of the other drops has a turn between them
    assert sorted(places.values()) == [2, 3, 5, 6]
    closed_gate.gate.set()
    assert {state for _, state in states(intake)} == {"added"}
    assert not any(map(intake.wait, intake.uploads()))


def test_a_drop_does_not_wait_for_all_of_the_others(library, closed_gate):
    intake = Intake()
    for long in range(WORKERS):
        intake.add(library, [(f"{long}_{n}.pdf", pdf(f"wug{long}{n}")) for n in range(4)])
    assert closed_gate.begun.wait(PATIENCE)
    intake.add(library, [("short.pdf", pdf("dax"))])
    closed_gate.gate.set()
    assert {state for _, state in states(intake)} == {"added"}
    order = [d.name for d in library.documents()]
    assert order.index("short.pdf") < min(order.index(f"{long}_3.pdf") for long in range(WORKERS))


def test_an_unexpected_error_is_one_sentence_and_the_other_files_continue():
    class Broken:
        def ingest(self, data, name, **_):
            raise RuntimeError("the disk is gone")

    intake = Intake()
    intake.add(Broken(), [("a.pdf", b"1"), ("b.pdf", b"2")])
    assert [outcome_text(u) for u in ended(intake)] == [
        f"{name} could not be added (RuntimeError); try it once more." for name in ("a.pdf", "b.pdf")
    ]


def test_only_the_last_files_are_remembered(monkeypatch):
    monkeypatch.setattr(module, "MAX_UPLOADS", 3)
    intake = Intake()
    for n in range(6):
        intake.refuse(f"{n}.pdf", "too large")
    assert [u.name for u in intake.uploads()] == ["3.pdf", "4.pdf", "5.pdf"]
