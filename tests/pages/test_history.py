"""The History page: filter, reopen, correct, attend to and download decisions, and the journal's settings."""
# ruff: noqa: F811 - fixtures of another folder

import csv
import io
import json
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from core.banks.saved import OWN, SavedBanks
from core.decide import verdict
from core.journal import Filter, Journal, Retention
from core.journal.export import COLUMNS, csv_of, json_of
from core.presentation.history import decision_columns, evidence_score
from core.presentation.review import corrections, right_label
from core.presets import modes_of, preset, with_settings
from core.settings import Settings
from core.thresholds import Preset
from pages.components.ask.asking import question_of
from pages.components.history import decisions, overview
from pages.components.shared import limits, page_run, question_state, resources, session_values
from pages.components.shared.question_state import form_of
from pages.components.shared.review import put_right
from pages.components.shared.safe_display import plain
from pages.components.shared.session import ASK, HISTORY
from tests.support.app_pages import ROOT, State, as_printed, drawn_elements, press
from tests.support.fake_models import FakeEmbedder
from tests.support.journals import journal, make_trace, refused, write  # noqa: F401 - fixtures


@pytest.fixture
def open_page(tmp_path, monkeypatch):
    """Return a function that opens the page alone, with the journal of this test and a fake embedder."""
    monkeypatch.setenv("GUARDRAIL_HOME", str(tmp_path))
    explorer = SimpleNamespace(models=SimpleNamespace(embedder=FakeEmbedder()))
    monkeypatch.setattr(overview, "shared_explorer", lambda *_: explorer)

    def open_page():
        at = AppTest.from_file(str(ROOT / "pages/history.py"), default_timeout=60).run()
        assert not at.exception
        return at

    return open_page


def table(at, having="Outcome"):
    """The table with a column of this name."""
    return next(d.value for d in at.dataframe if having in d.value.columns)


def said(at, words):
    return any(words in text or plain(words) in text for text in drawn_elements(at))


def test_an_empty_journal_says_what_to_do(open_page):
    at = open_page()
    assert said(at, "Nothing has been decided yet. Ask a question, and its decision appears here.") and not at.dataframe
    assert at.toggle[0].value and at.number_input[0].value == Retention().days


def test_decisions_are_listed_with_their_outcome(open_page, write, refused):
    write()
    refused("Who was Napoleon?")
    at = open_page()
    assert table(at)["Question"].tolist() == ["Who was Napoleon?", "What is an arithmetic prog…"]
    assert table(at)["Outcome"].tolist() == ["✗ Refused", "✓ Answered"]
    assert said(at, "2 decisions: 1 answered, 1 refused") and said(at, "1 question without an answer")
    assert said(at, "1 question that the books do not cover")
    assert table(at, "Also asked as")["Question"].tolist() == ["Who was Napoleon?"]
    assert said(at, "No reviews pending")


def test_filters_narrow_everything_on_the_page(open_page, write, refused):
    write()
    refused("Who was Napoleon?")
    refused("What is jazz?", at=time.time() - 40 * 86_400)
    at = open_page()
    at.multiselect(key="journal routes").set_value(["refuse"]).run()
    assert len(table(at)) == 2 and said(at, "2 decisions: 2 refused")
    at.text_input(key="journal text").set_value("JAZZ").run()
    assert table(at)["Question"].tolist() == table(at, "Also asked as")["Question"].tolist() == ["What is jazz?"]
    at.text_input(key="journal text").set_value("nothing like it").run()
    assert said(at, "No decision fits these filters") and not at.dataframe
    press(at, "Clear")
    assert len(table(at)) == 3


def test_an_escalated_decision_waits_for_a_person(open_page, journal, make_trace):
    trace = make_trace()
    journal.record(trace, replace(verdict(trace, Preset()), route="escalate", primary_reason="interest"), Preset())
    at = open_page()
    assert said(at, "One answer waits for a review")
    assert table(at, "Done")["Question"].tolist() == [trace.question.query]
    journal.attend(1)
    assert said(open_page(), "No reviews pending")


def test_one_setting_keeps_questions_out_of_the_journal(open_page, journal, write):
    at = open_page()
    at.toggle[0].set_value(False).run()
    assert journal.retention == Retention(questions=False) and not at.toggle[0].value
    at.number_input[0].set_value(30).run()
    assert journal.retention == Retention(questions=False, days=30)
    write()
    at = open_page()
    assert table(at)["Question"].tolist() == ["(question not stored)"]
    assert "What is an arithmetic progression?" not in " ".join(drawn_elements(at))


def test_emptying_needs_a_confirmation(open_page, journal, write):
    write()
    at = open_page()
    assert len(journal.rows()) == 1 and said(at, "They cannot be restored")
    at = press(at, "Yes, remove all")
    assert journal.rows() == [] and said(at, "Nothing has been decided yet")


def test_a_broken_journal_shows_one_sentence(open_page, tmp_path):
    (tmp_path / "journal.sqlite3").write_text("no database at all\n" * 300)
    at = open_page()
    assert len(at.error) == 1 and plain("move it out of the run-time folder") in at.error[0].value


def test_text_of_questions_is_escaped(open_page, refused):
    refused("**bold** <b>x</b> :smile: [a](http://b.c)")
    at = open_page()
    assert table(at, "Also asked as")["Question"].tolist() == ["**bold** <b>x</b> :smile: [a](http://b.c)"]
    assert not any("<b>" in text for text in drawn_elements(at))


@pytest.fixture
def clicks(monkeypatch, tmp_path):
    """A session without a page, for calling a callback of the page."""
    monkeypatch.setenv("GUARDRAIL_HOME", str(tmp_path))
    state = State()
    monkeypatch.setattr(session_values.st, "session_state", state)
    page_run.init_session()
    return decisions, state


def test_a_decision_opens_with_its_trace_and_limits(clicks, journal, make_trace):
    page, state = clicks
    under = with_settings(preset("strict"), ["confidence.min_confidence=55", "numbers.mode=watches"])
    trace = make_trace("What is a progression?")
    journal.record(trace, verdict(trace, under), under)
    state["to journal"] = True
    page.open_on_ask(journal, HISTORY.drawer_outcome, 1)
    now = ASK.current.value
    assert now.trace.digest == trace.digest and now.measured_with == page.chosen_settings()
    assert not ASK.to_journal.value, "a decision that is opened again is not written again"
    assert ASK.decision.value == journal.rows()[0], "so that it can be rated on Ask too"
    assert (
        state["preset"] == "strict" and state["confidence.min_confidence"] == 55 and state["numbers.mode"] == "watches"
    )
    assert set(limits.changed_limits()) == {"confidence.min_confidence", "numbers.mode"}
    again = verdict(now.trace, limits.current_preset())
    assert again.checks == verdict(trace, under).checks
    assert state["question"] == "What is a progression?" and state["answer_by"] == "pasted"
    assert state["pasted"] == trace.question.answer


def test_opening_a_decision_keeps_a_typed_server_and_never_sends_its_key_elsewhere(clicks, journal, make_trace):
    page, state = clicks
    theirs = {"endpoint": "https://theirs.example/v1", "endpoint_model": "big", "stage_1": "endpoint"}
    trace = make_trace("What is a progression?")
    for number, settings in enumerate((Settings(), Settings(**theirs)), 1):
        state |= {"endpoint": "http://mine:1/v1", "endpoint_model": "small", "endpoint_key": "my key"}
        journal.record(trace, verdict(trace, Preset()), Preset(), settings=settings)
        page.open_on_ask(journal, HISTORY.drawer_outcome, number)
        mine = (state["endpoint"], state["endpoint_model"], state["endpoint_key"])
        assert mine == (("http://mine:1/v1", "small", "my key"), ("https://theirs.example/v1", "big", ""))[number - 1]


@pytest.mark.parametrize(("then", "now"), [("extractive", "extractive"), ("local", "local"), ("poet", "auto")])
def test_a_decision_opens_with_its_writer(clicks, journal, make_trace, then, now):
    page, state = clicks
    trace, settings = make_trace("What is a progression?"), Settings(writer="extractive")
    object.__setattr__(
        settings, "writer", then
    )  # as another version of the app with other writers would have stored it
    journal.record(trace, verdict(trace, Preset()), Preset(), settings=settings)
    page.open_on_ask(journal, HISTORY.drawer_outcome, 1)
    assert state["writer"] == now and ASK.current.value.measured_with[1].writer == now


@pytest.mark.usefixtures("clicks")
def test_a_wrong_decision_is_added_to_the_bank(journal, make_trace, tmp_path):
    judged, asked = make_trace("What is a progression?"), make_trace("Who was Napoleon?", scores=(0.2, 0.1))
    asked = replace(asked, question=replace(asked.question, answer=None))
    for trace in (judged, asked):
        journal.record(trace, verdict(trace, Preset()), Preset())
    napoleon, progression = journal.rows()
    put_right(journal, progression, "altered")
    put_right(journal, napoleon, "answered")
    wrong, right = SavedBanks(tmp_path).rows(OWN)
    assert (wrong["query"], wrong["expected"], wrong["answer"]) == (
        "What is a progression?",
        "altered",
        judged.question.answer,
    )
    assert (right["query"], right["expected"]) == ("Who was Napoleon?", "answered") and "answer" not in right
    assert {d.id: d.should_be for d in journal.rows()} == {1: "altered", 2: "answered"}
    assert decision_columns(journal.rows())["Review"] == ["✗ should be answered", "✗ answer is wrong"]
    assert HISTORY.outcome.of(napoleon.id).value == ["Saved to My questions. Expected: answer."]


@pytest.mark.usefixtures("clicks")
def test_the_question_on_ask_has_the_new_rating_of_its_decision_and_stays_if_that_is_gone(journal, write):
    write()
    (decision,) = journal.rows()
    ASK.decision.value = decision
    put_right(journal, decision, "altered")
    assert ASK.decision.value == journal.rows()[0] != decision
    rated = ASK.decision.value
    journal.empty()
    put_right(journal, rated, "supported")
    (error,) = HISTORY.outcome.of(decision.id).value
    assert "no longer in the journal" in str(error) and ASK.decision.value == rated


@pytest.mark.usefixtures("clicks")
def test_a_wrong_answer_of_the_app_is_saved_with_its_text(journal, make_trace, tmp_path):
    trace = make_trace("What is a progression?")
    asked = replace(trace, question=replace(trace.question, answer=None))
    delivered = replace(verdict(asked, Preset()), route="deliver", answer="It is a list of numbers [1].")
    journal.record(asked, delivered, Preset())
    put_right(journal, journal.rows()[0], "altered")
    (row,) = SavedBanks(tmp_path).rows(OWN)
    assert (row["answer"], row["expected"]) == ("It is a list of numbers.", "altered")


def test_thumbs_put_the_decision_on_a_pasted_answer_right(open_page, journal, write):
    write()
    at = open_page()
    at.feedback[0].set_value(0).run()
    assert not at.exception and not at.pills and journal.rows()[0].should_be == "altered"


def test_thumbs_and_a_word_put_a_decision_right(open_page, journal, make_trace, tmp_path):
    judged = make_trace("Who was Napoleon?", scores=(0.2, 0.1))
    asked = replace(judged, question=replace(judged.question, answer=None))
    journal.record(asked, replace(verdict(judged, Preset()), route="refuse"), Preset())
    at = open_page()
    assert said(at, f"**{plain('Who was Napoleon?')}**") and not at.pills
    at.feedback[0].set_value(0).run()
    (word,) = at.pills
    assert not at.exception and set(word.options) == {
        "It should be answered", "It should be answered in part", "It should ask for clarification",
    }  # fmt: skip
    word.set_value("answered").run()
    assert not at.exception and said(at, "Saved to My questions")
    assert any(button.label == "Open on Tune" for button in at.button)
    assert journal.rows()[0].should_be == "answered" and table(at)["Review"].tolist() == ["✗ should be answered"]
    at.feedback[0].set_value(1).run()
    assert journal.rows()[0].should_be == "refused" and table(at)["Review"].tolist() == ["✓ right"]
    assert [row["expected"] for row in SavedBanks(tmp_path).rows(OWN)] == ["refused"]
    assert said(at, "Saved to My questions")
    at.feedback[0].set_value(0).run()
    assert not said(at, "Saved to My questions"), "the line belongs to the rating before"


def test_the_outcome_of_a_rating_stays_with_its_decision(open_page, write, refused):
    write()
    refused("Who was Napoleon?")
    at = open_page()
    at.feedback[0].set_value(1).run()
    assert said(at, "Saved to My questions")
    at.multiselect(key="journal routes").set_value(["deliver"]).run()
    assert not said(at, "Who was Napoleon?") and not said(at, "Saved to My questions")
    at.multiselect(key="journal routes").set_value([]).run()
    assert said(at, "Saved to My questions")


def test_a_decision_that_is_gone_says_so_where_it_was_pressed(open_page, journal, write):
    write()
    at = open_page()
    journal.empty()
    write("Who was Napoleon?")
    at.button(key="open decision").click().run()
    assert not at.exception and len(at.error) == 1
    shown = drawn_elements(at)
    assert shown.index(at.error[0].value) > shown.index("**Was this decision right?**"), "it stands in the drawer"
    assert not at.run().error  # said once


def test_every_decision_has_one_right_label_and_other_corrections(journal, write, make_trace):
    write()
    (decision,) = journal.rows()
    for route in ("deliver", "deliver_part", "deliver_corrected", "clarify", "refuse", "escalate"):
        for given in (True, False):
            one = replace(decision, route=route, given=given)
            assert corrections(one) and right_label(one) not in corrections(one)
            if not given:
                assert {right_label(one), *corrections(one)} >= {"answered", "part", "refused", "clarified"}
                assert ("altered" in corrections(one)) == route.startswith("deliver")


def test_a_greeting_has_no_score(journal, write):
    write()
    (decision,) = journal.rows()
    greeting = replace(decision, question="Hello", document=None, route="deliver", confidence=0.0)
    assert evidence_score(greeting) is None
    assert evidence_score(replace(decision, confidence=39.9)) == 39
    assert evidence_score(replace(decision, confidence=57.3)) == 57
    assert evidence_score(replace(greeting, question=None, confidence=57.3)) == 57


def test_a_decision_that_cannot_be_opened_shows_an_error(clicks, journal, write):
    page, _ = clicks
    journal.set_retention(Retention(questions=False))
    write()
    put_right(journal, journal.rows()[0], "refused")
    page.open_on_ask(journal, HISTORY.drawer_outcome, 1)
    assert "kept out of the journal" in str(HISTORY.drawer_outcome.value[0]) and ASK.current.value is None


def test_an_unwritable_journal_shows_a_warning_until_the_next_question(
    clicks, tmp_path, journal, make_trace, monkeypatch
):
    heard = []
    monkeypatch.setattr(resources, "shared_journal", lambda: journal)
    monkeypatch.setattr(resources.st, "warning", lambda text, **_: heard.append(text))
    (tmp_path / "journal.sqlite3").write_text("no database at all\n" * 300)
    question_state.ask_form()
    for _ in range(2):
        resources.record_decision(make_trace(), preset("default"), "bundled", journal_settings())
    assert len(heard) == 2 and "This decision could not be saved to the history" in heard[0]
    (tmp_path / "journal.sqlite3").unlink()
    question_state.ask_form()
    resources.record_decision(make_trace(), preset("default"), "bundled", journal_settings())
    assert len(heard) == 2 and len(journal.rows()) == 1


def journal_settings():
    from core.settings import Settings

    return Settings()


def test_a_question_asked_in_the_app_is_written_once_and_no_slider_writes(app, home):
    with_file = Journal(home)
    before = len(with_file.rows())
    press(as_printed(app), "What is photosynthesis?")
    (row,) = with_file.rows()[: len(with_file.rows()) - before]
    assert (row.question, row.route, row.class_number, row.source) == ("What is photosynthesis?", "deliver", 7, "app")
    app.slider(key="retrieval_confidence.min_retrieval_confidence").set_value(1.0).run()
    app.switch_page("pages/history.py").run()
    assert not app.exception and table(app)["Question"][0] == "What is photosynthesis?"
    app.switch_page("pages/ask.py").run()
    assert len(with_file.rows()) == before + 1 and with_file.rows()[0].id == row.id


def test_downloads_contain_every_decision_and_no_formula(journal, write, refused):
    under = with_settings(preset("strict"), ["confidence.min_confidence=55"])
    write("=1+1", under)
    refused("@SUM(A1)")
    journal.attend(1)
    lines = list(csv.DictReader(io.StringIO(csv_of(journal, Filter()), newline="")))
    assert [line["question"] for line in lines] == ["'@SUM(A1)", "'=1+1"] and tuple(lines[0]) == COLUMNS
    assert lines[1]["preset"] == "strict" and lines[1]["models"] == "" and lines[0]["at"].endswith("+00:00")
    told = json.loads(json_of(journal, Filter()))
    assert told[1]["query"] == "=1+1" and told[1]["preset"]["thresholds"]["confidence.min_confidence"] == 55
    assert told[1]["preset"]["modes"] == modes_of(under) and told[0]["attended"] is None
    assert len(json.loads(json_of(journal, Filter(text="=1+1")))) == 1


def test_a_note_is_kept_with_the_decision(open_page, journal, write):
    write()
    at = open_page()
    at.text_input(key=HISTORY.note.of(1).key).set_value("The page is <b>right</b>.").run()
    assert not at.exception and journal.rows()[0].note == "The page is <b>right</b>."
    assert table(at)["Review"].tolist() == ["The page is <b>right</b>."]
    at.feedback[0].set_value(1).run()
    assert table(at)["Review"].tolist() == ["✓ right: The page is <b>right</b>."]


def test_a_question_becomes_the_form_it_was_asked_with(make_trace):
    for question in (make_trace().question, replace(make_trace("Why?").question, answer=None)):
        assert question_of(form_of(question)) == question
