"""The writer `auto`: the language model where it is installed, else the books' own sentences, and these where it breaks."""

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.__main__ import parser
from core.case import Question
from core.command.terminal import settings_for_rows, settings_of, verdict_in_words
from core.decide import verdict
from core.graph import Explorer
from core.journal import Journal
from core.lab.figures.chapter_outcomes import answer_checks_alone
from core.presets import preset
from core.reply.serialization import dumps, loads
from core.settings import WRITERS, SettingError, Settings
from core.thresholds import Preset
from core.writers import qwen
from core.writers.auto_writer import VARIABLE, for_many_questions, with_resolved_writer
from core.writers.writer_choice import writer_for
from tests.support.language_model_folder import BROKEN, ENDLESS, imported_anew, installed, write_model, write_packages
from tests.support.plants import ANSWER

ASKED = Question(query="What is photosynthesis?")
WATCHING = answer_checks_alone(Preset())
LOCAL = f"local ({qwen.NAME})"
NAMED = [writer for writer in WRITERS if writer != "auto"]


@pytest.fixture(autouse=True)
def free(monkeypatch):
    """`auto` stands for what is installed, whatever is said for the other tests."""
    monkeypatch.delenv(VARIABLE, raising=False)


@pytest.fixture
def bare(monkeypatch):
    """A computer on which the runtime of the model is not installed, even where it is."""
    monkeypatch.setattr(qwen, "_RUNTIME", ("a_package_that_nobody_has", "openvino_tokenizers"))


def model(explorer, tmp_path, monkeypatch, text=ANSWER, **about):
    return installed(explorer.library.home, tmp_path / "packages", monkeypatch, text, **about)


def by(name, explorer):
    return explorer.with_settings(Settings(writer=name))


@pytest.mark.parametrize(("packages", "file", "variable", "writer"), [
    (True, True, "", "local"), (True, True, "auto", "local"), (True, True, " ", "local"),
    (True, True, "extractive", "extractive"), (True, False, "", "extractive"), (False, True, "", "extractive"),
    (False, False, "", "extractive"),
])  # fmt: skip
def test_auto_stands_for_the_model_only_where_all_of_it_is_installed(
    tmp_path, monkeypatch, packages, file, variable, writer
):
    monkeypatch.setenv(VARIABLE, variable)
    monkeypatch.setattr(qwen, "PARTS", (("a_part_that_nobody_has", "part.bin"),))
    if packages:
        write_packages(tmp_path / "packages")
        monkeypatch.syspath_prepend(tmp_path / "packages")
    else:
        monkeypatch.setattr(qwen, "_RUNTIME", ("a_package_that_nobody_has",))
    if file:
        write_model(tmp_path, ANSWER)
    with imported_anew():
        assert with_resolved_writer(Settings(), tmp_path).writer == writer
        assert (not qwen.missing(tmp_path)) == (packages and file)
        assert "openvino_genai" not in sys.modules
    assert with_resolved_writer(Settings(), None).writer == "extractive"


def test_the_parts_that_become_the_file_are_as_good_as_the_file(tmp_path, monkeypatch):
    (tmp_path / "packages" / "one_part" / "data").mkdir(parents=True)
    (tmp_path / "packages" / "one_part" / "__init__.py").touch()
    (tmp_path / "packages" / "one_part" / "data" / "part.bin").write_text(ANSWER)
    write_packages(tmp_path / "packages")
    monkeypatch.setattr(qwen, "PARTS", (("one_part", "data/part.bin"),))
    monkeypatch.syspath_prepend(tmp_path / "packages")
    with imported_anew():
        assert with_resolved_writer(Settings(), tmp_path).writer == "local"


def test_a_word_that_the_variable_may_not_hold_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, "poet")
    with pytest.raises(SettingError, match=r"GUARDRAIL_WRITER must be auto or extractive, got 'poet'"):
        with_resolved_writer(Settings(), tmp_path)


@given(st.sampled_from([n for n in NAMED if n != "endpoint"]), st.integers(1, 20), st.booleans())
def test_a_writer_that_a_person_named_stays(writer, passages, consensus):
    settings = Settings(writer=writer, passages_fetched=passages, consensus=consensus)
    assert with_resolved_writer(settings, None) == for_many_questions(settings) == settings
    left_open = Settings(passages_fetched=passages, consensus=consensus)
    many = for_many_questions(left_open)
    assert many.writer == "extractive" and for_many_questions(many) == with_resolved_writer(many, None) == many


def test_without_the_model_everything_is_recorded_as_of_the_extractive_writer(explorer, bare):
    asked, named = by("auto", explorer), by("extractive", explorer)
    (trace, found), (expected, _) = asked.ask(ASKED, WATCHING), named.ask(ASKED, WATCHING)
    assert asked.settings == named.settings and trace.models == expected.models and "writer" not in trace.models
    assert trace.digest == expected.digest and found.round.case.draft.writer == "extractive"
    assert trace.rounds[0].case.draft == expected.rounds[0].case.draft and not trace.takeovers


def test_the_model_that_is_installed_answers_and_its_name_is_what_is_kept(explorer, tmp_path, monkeypatch):
    heard = []
    with model(explorer, tmp_path, monkeypatch):
        asked = explorer.with_settings(Settings(), listen=heard.append)
        trace, found = asked.ask(ASKED, WATCHING)
    assert found.answered and found.round.case.draft.writer == LOCAL == trace.models["writer"]
    assert heard[-1] == ANSWER and any(ANSWER.startswith(text) and text != ANSWER for text in heard if text)
    assert asked.settings.writer == "local" and '"auto"' not in dumps(trace)
    journal = Journal(tmp_path)
    journal.record(trace, found, WATCHING, settings=asked.settings)
    assert [about["settings"]["writer"] for _, about in journal.rows_with_settings()] == ["local"]


def test_the_model_is_asked_only_about_what_the_query_checks_let_through(explorer, tmp_path, monkeypatch):
    heard = []
    with model(explorer, tmp_path, monkeypatch):
        asked = explorer.with_settings(Settings(), listen=heard.append)
        _, found = asked.ask(Question(query="How do I bake a chocolate cake?"), Preset())
    assert found.route == "refuse" and found.round.case.awaits_draft and not heard


def test_an_answer_that_is_given_names_no_writer(explorer, tmp_path, monkeypatch):
    with model(explorer, tmp_path, monkeypatch):
        trace, _ = by("auto", explorer).ask(Question(query=ASKED.query, answer=ANSWER), WATCHING)
    assert "writer" not in trace.models


@pytest.mark.parametrize(("text", "digest", "cause"), [
    (BROKEN, "", "It broke (RuntimeError)"), (ANSWER, "0" * 64, "mend it by"), ("[1]", "", "wrote nothing"),
    ("", "", "wrote nothing"), (ENDLESS, "", "did not end within 0 seconds"),
])  # fmt: skip
def test_where_the_model_breaks_the_sentences_of_the_book_answer_and_it_is_said(
    explorer, tmp_path, monkeypatch, text, digest, cause
):
    monkeypatch.setattr("core.writers.qwen.Qwen.seconds", 0.3)
    expected = by("extractive", explorer).ask(ASKED, WATCHING)[1]
    with model(explorer, tmp_path, monkeypatch, text, digest=digest):
        asked = by("auto", explorer)
        trace, found = asked.ask(ASKED, WATCHING)
    draft = found.round.case.draft
    assert (found.route, found.answer) == (expected.route, expected.answer) and found.answered
    assert draft.writer == "extractive" and cause in draft.takeover and trace.takeovers == (draft.takeover,)
    assert draft.takeover.startswith("Sentences of the passages answer in the place of the language model")
    assert draft.takeover in verdict_in_words(trace, found)
    assert loads(dumps(trace)).takeovers == trace.takeovers


def test_a_model_that_a_person_named_is_not_replaced(explorer, tmp_path, monkeypatch):
    with model(explorer, tmp_path, monkeypatch, BROKEN):
        _, found = by("local", explorer).ask(ASKED, WATCHING)
    assert (found.route, found.primary_reason) == ("refuse", "model_failure")


def test_who_stops_the_writing_gets_no_other_answer(explorer, tmp_path, monkeypatch):
    class Stop(BaseException):
        pass

    def listen(text):
        if "more more" in text:
            raise Stop

    with model(explorer, tmp_path, monkeypatch, ENDLESS), pytest.raises(Stop):
        explorer.with_settings(Settings(), listen=listen).ask(ASKED, WATCHING)


def test_drafts_of_two_writers_are_not_compared(explorer, tmp_path, monkeypatch):
    settings = Settings(consensus=True)
    with model(explorer, tmp_path, monkeypatch, BROKEN):
        _, found = explorer.with_settings(settings).ask(ASKED, WATCHING)
    assert found.answered and not found.round.case.drafts and not found.round.case.unheard


def test_three_drafts_are_compared_where_the_model_writes_them(explorer, tmp_path, monkeypatch):
    with model(explorer, tmp_path, monkeypatch):
        _, found = explorer.with_settings(Settings(consensus=True)).ask(ASKED, WATCHING)
    assert {draft.writer for draft in found.round.case.drafts} == {LOCAL} and len(found.round.case.drafts) == 2


def test_the_parts_of_a_question_say_it_once_when_the_model_breaks_for_each(explorer, tmp_path, monkeypatch):
    with model(explorer, tmp_path, monkeypatch, BROKEN):
        asked = Question(query="What is photosynthesis and what is chlorophyll?")
        trace, _ = by("auto", explorer).ask(asked, WATCHING)
    assert len(trace.parts) == 2 and len(trace.takeovers) == 1


@pytest.mark.parametrize("command", [
    ["judge", "--in", "rows.jsonl", "--out", "results.jsonl"], ["evaluate"], ["tune", "--bank", "rows.jsonl"],
])  # fmt: skip
def test_commands_that_ask_many_questions_take_the_model_only_where_it_is_named(command):
    assert settings_for_rows(parser().parse_args(command)).writer == "extractive"
    assert settings_for_rows(parser().parse_args([*command, "--writer", "auto"])).writer == "extractive"
    assert settings_for_rows(parser().parse_args([*command, "--writer", "local"])).writer == "local"


@pytest.mark.parametrize("command", [["ask", "What is sound?"], ["serve"]])
def test_commands_that_answer_a_person_leave_the_choice_open(command):
    assert settings_of(parser().parse_args(command)).writer == "auto"


def test_a_trace_that_was_stored_before_opens_as_it_was(explorer, bare):
    trace, found = by("auto", explorer).ask(ASKED, preset("default"))
    stored = json.loads(dumps(trace))
    for one in stored["rounds"]:
        del one["case"]["draft"]["takeover"]
    opened = loads(json.dumps(stored))
    assert opened.digest == trace.digest and not opened.takeovers
    again = verdict(opened, preset("default"))
    assert (again.route, again.answer, again.failed) == (found.route, found.answer, found.failed)


def test_a_library_that_is_not_there_has_no_model(models):
    assert Explorer(None, models).settings.writer == "extractive"


def test_one_rule_says_who_writes_and_what_is_recorded(explorer, tmp_path, monkeypatch):
    with model(explorer, tmp_path, monkeypatch):
        writer = writer_for(Settings(), explorer.models, explorer.library.home)
        assert writer.substitute and writer.name == LOCAL and writer.on_demand
        assert writer_for(Settings(writer="local"), explorer.models, explorer.library.home).substitute is None
    assert writer_for(Settings(), explorer.models, None).name == "extractive"
