"""What each mode allows is refused where it is done, whatever a page draws; and nobody sees another's decisions."""

import threading
from contextlib import suppress
from dataclasses import replace

import pytest

from core.banks.saved import SavedBanks, label
from core.decide import verdict
from core.journal import Journal, JournalError, Retention
from core.journal.export import csv_of
from core.journal.journal import Filter
from core.library import Library
from core.models import ModelError
from core.models.profile import canonical_profile, load
from core.platform import access
from core.platform.access import (
    LISTS,
    MODES,
    SHARED_CHANGES,
    VARIABLE,
    AccessError,
    may,
    mode,
    on_behalf,
    operator,
    require_entry,
    role,
    signed_in_by,
)  # fmt: skip
from core.platform.quotas import Usage
from core.presets import preset
from core.presets.saved import SavedPresets
from core.thresholds import Preset
from core.writers.endpoint_access import require_allowed
from tests.support.fake_models import FakeEmbedder
from tests.support.journals import make_trace  # noqa: F401 - the fixture is used by name
from tests.support.pdfs import make_pdf

ROW = {"query": "What is sound?"}
MINE = Preset(name="mine", help="Mine.")
CHANGES = {
    "library": (
        lambda library, _: library.ingest(make_pdf("Heat flows from hot to cold."), "heat.pdf"),
        lambda library, known: library.amend(known, class_number=8, subject="", chapter=""),
        lambda library, known: library.remove(known),
    ),
    "banks": (
        lambda home: SavedBanks(home).add("new", [ROW]), lambda home: SavedBanks(home).replace("kept", []),
        lambda home: SavedBanks(home).remove("kept", ["1"]), lambda home: SavedBanks(home).delete("kept"),
        lambda home: label(home, ROW, "answered"),
    ),
    "presets": (lambda home: SavedPresets(home).save(MINE), lambda home: SavedPresets(home).delete("mine")),
    "journal": (
        lambda home: Journal(home).empty(), lambda home: Journal(home).set_retention(Retention(days=1)),
        lambda home: Journal(home).attend(1), lambda home: Journal(home).mark(1, "refused"),
    ),
}  # fmt: skip


@pytest.fixture
def home(tmp_path):
    SavedBanks(tmp_path).replace("kept", [ROW | {"id": "1"}])
    SavedPresets(tmp_path).save(MINE)
    return tmp_path


@pytest.fixture
def demo(monkeypatch):
    monkeypatch.setenv(VARIABLE, "demo")


@pytest.fixture
def school(monkeypatch):
    """A school with a teacher and guests; takes the address of whoever asks from now on."""
    monkeypatch.setattr(access, "_current_address", access._current_address)  # as it was, after the test
    monkeypatch.setenv(VARIABLE, "school")
    monkeypatch.setenv(LISTS["teacher"], "Rao@school.example")
    monkeypatch.setenv(LISTS["guest"], "@school.example, visitor@else.example")
    return lambda address: signed_in_by(lambda: address)


@pytest.mark.parametrize(("address", "has"), [
    ("rao@school.example", "teacher"), ("RAO@SCHOOL.example", "teacher"), ("kid@school.example", "guest"),
    ("visitor@else.example", "guest"), ("rao@else.example", "stranger"), ("kid@a.school.example", "stranger"),
    ("kid@myschool.example", "stranger"), ("@school.example", "stranger"), ("", "stranger"),
    ("\u212aid@school.example", "stranger"), ("rao@school.example kid@school.example", "stranger"),
])  # fmt: skip
def test_a_role_is_had_by_those_on_its_list_alone(school, monkeypatch, address, has):
    school(address)
    assert role() == has and may("library") == (has == "teacher") and not may("models")
    for variable in LISTS.values():
        monkeypatch.delenv(variable)
    assert role() == "stranger"


@pytest.mark.parametrize("said", ["rao", "rao@", "@", "rao@school.example x"])
def test_a_list_that_names_no_address_opens_nothing(school, monkeypatch, said):
    school("rao@school.example")
    monkeypatch.setenv(LISTS["guest"], said)
    with pytest.raises(AccessError, match=r"^GUARDRAIL_GUESTS must list addresses such as .*, got '"):
        role()


def test_a_teacher_changes_what_is_shared_in_threads_too_and_strangers_ask_nothing(home, tmp_path, school):
    school("rao@school.example")
    require_entry()
    for change in [c for what in CHANGES if what != "library" for c in CHANGES[what]]:
        with suppress(JournalError):  # there is no decision of this number; the teacher may mark one
            change(home)
    for_teacher = on_behalf(role)
    school("stranger@else.example")
    assert for_teacher() == "teacher" and role() == "stranger"
    with pytest.raises(AccessError, match="sign in first"):
        Usage().take(questions=1)


def test_a_mode_that_is_none_opens_nothing(monkeypatch):
    assert mode() == "open" and all(may(change) for change in SHARED_CHANGES)
    monkeypatch.setenv(VARIABLE, "demonstration")
    with pytest.raises(AccessError, match=f"must be one of {', '.join(MODES)}, got 'demonstration'"):
        may("library")


@pytest.mark.parametrize(("what", "change"), [(w, c) for w in CHANGES if w != "library" for c in CHANGES[w]])
@pytest.mark.parametrize(("address", "refused"), [
    (None, "nobody changes {}; ask the person who runs this app"), ("kid@school.example", "A guest does not change {}; ask a teacher"),
    ("", "Nobody who has not signed in changes {}; sign in first"),
])  # fmt: skip
def test_who_may_not_changes_nothing(home, school, monkeypatch, what, change, address, refused):
    school(address)
    if address is None:
        monkeypatch.setenv(VARIABLE, "demo")
    before = {p: p.read_bytes() for p in home.rglob("*.json*")}
    with pytest.raises(AccessError, match=refused.format(SHARED_CHANGES[what])):
        change(home)
    assert {p: p.read_bytes() for p in home.rglob("*.json*")} == before


def test_the_library_of_a_demonstration_stays_and_its_operator_may_change_it(tmp_path, monkeypatch):
    library = Library(tmp_path, FakeEmbedder())
    known = library.ingest(make_pdf("Sound needs a medium."), "sound.pdf").document
    monkeypatch.setenv(VARIABLE, "demo")
    for change in CHANGES["library"]:
        with pytest.raises(AccessError, match="nobody changes the library"):
            change(library, known.id)
    assert library.documents() == (known,)
    with operator():
        for change in CHANGES["library"]:
            change(library, known.id)
        seen = [may("library")]
        other = threading.Thread(target=lambda: seen.append(may("library")))
        other.start()
        other.join()
    assert [d.name for d in library.documents()] == ["heat.pdf"] and seen == [True, False] and not may("library")
    library.close()


def test_each_visitor_sees_only_their_own_decisions(tmp_path, monkeypatch, make_trace):  # noqa: F811
    journal, numbers = Journal(tmp_path), []
    monkeypatch.setenv(VARIABLE, "demo")
    under = replace(preset("default"), thresholds={"confidence.refine_rounds": 0.0})
    for word in ("zebra", "heron"):
        trace = make_trace(f"What is a {word}?", scores=(0.2, 0.1))
        numbers.append(journal.record(trace, verdict(trace, under), under))
    heron = journal.seen_by([numbers[1]])
    everything = (
        [d.question for d in heron.rows()], heron.counts(), heron.by_day(), heron.lacking(), heron.scopes(),
        heron.to_attend(9), csv_of(heron, Filter()), heron.open(numbers[1]).trace.question.query,
    )  # fmt: skip
    assert "zebra" not in str(everything) and str(everything).count("heron") == 4
    assert sum(heron.counts().values()) == 1 and journal.rows() == [] and journal.counts() == {}
    with pytest.raises(JournalError, match="no longer in the journal"):
        heron.open(numbers[0])
    monkeypatch.setenv(VARIABLE, "open")
    assert len(heron.rows()) == len(journal.rows()) == 2


def test_a_demonstration_loads_no_other_models_and_asks_no_server_that_is_not_listed(demo, monkeypatch):
    with pytest.raises(AccessError, match="nobody changes the choice of models"):
        load("bundled+some/reranker")
    monkeypatch.setenv("GUARDRAIL_ENDPOINT", "http://127.0.0.1:9/v1")
    with pytest.raises(ModelError, match="not among those that may be asked here"):
        require_allowed("http://127.0.0.1:9/v1")
    monkeypatch.setenv("GUARDRAIL_ENDPOINTS", "http://127.0.0.1:9/v1")
    assert require_allowed("http://127.0.0.1:9/v1/")


@pytest.mark.parametrize(("typed", "meant"), [
    ("bundled", "bundled"), ("bundled + bundled", "bundled"), (" a/b +bundled ", "a/b+ms-marco-minilm"),
    ("cross-encoder/nli-deberta-v3-base+cross-encoder/ms-marco-MiniLM-L-6-v2", "hub"),
])  # fmt: skip
def test_models_that_are_the_same_are_loaded_once_however_they_are_spelled(typed, meant):
    assert canonical_profile(typed) == meant == canonical_profile(meant)
