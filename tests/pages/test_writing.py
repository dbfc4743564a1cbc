"""Writers on the Ask page, with a small library, models that count words, and a real server."""

import pytest
from streamlit.testing.v1 import AppTest

from core.graph import Explorer
from core.journal import Journal
from core.library import Library
from core.settings import Settings
from core.writers import qwen
from core.writers.auto_writer import VARIABLE
from core.writers.qwen import INSTALL
from pages.components.ask.sentences import NOT_CALLED
from pages.components.shared import resources as shared
from tests.support import app_pages
from tests.support.app_pages import ROOT, all_limits, look_at, press, text_of, word
from tests.support.language_model_folder import BROKEN, installed
from tests.support.language_model_server import RIGHT_KEY, serving
from tests.support.pdfs import make_pdf
from tests.support.plants import PLANTS

ANSWER = "Photosynthesis is the process by which green plants make their own food. [1]"
QUESTION = "What is photosynthesis?"


@pytest.fixture
def page(models, tmp_path, monkeypatch):
    library = Library(tmp_path, models.embedder, words=30)
    library.ingest(make_pdf(PLANTS), "plants.pdf", class_number=7, subject="Science")
    (tmp_path / "sample_was_added").touch()
    monkeypatch.setattr(shared, "_open_explorer", lambda *_: Explorer(library, models))
    at = all_limits(AppTest.from_file(str(ROOT / "pages" / "ask.py"), default_timeout=120)).run()
    at.selectbox(key="preset").set_value("seed_a").run()
    for name in ("context_sufficiency.mode", "retrieval_confidence.mode", "topic_relevance.mode"):
        at.selectbox(key=name).set_value("watches")
    yield at
    library.close()


@pytest.fixture
def server():
    with serving(reply=ANSWER, key=RIGHT_KEY) as one:
        yield one


def ask(at, server, model="good", key=RIGHT_KEY, question=QUESTION):
    at.selectbox(key="writer").set_value("endpoint")
    named = {"endpoint": server.url if server else "", "endpoint_model": model, "endpoint_key": key}
    for field, text in named.items():
        at.text_input(key=field).set_value(text)
    return app_pages.ask(at.run(), question)


def test_an_answer_of_the_server_is_judged_and_sliders_do_not_call_it_again(page, server):
    at = ask(page, server)
    assert word(at) == "ANSWERED" and "green plants make their own food" in text_of(at)
    asked = len(server.seen)
    at.slider(key="grounding.min_grounding_score").set_value(0.1).run()
    assert len(server.seen) == asked == 1 and not at.exception


def test_drafts_are_side_by_side_and_another_writer_answers_at_once(page, server):
    page.toggle(key="consensus").set_value(True)
    at = look_at(ask(page, server), "Without the guardrail")
    assert "3 drafts of the same model. All drafts agree." in text_of(at) and "Draft 3" in text_of(at)
    at.selectbox(key="writer").set_value("extractive").run()
    assert word(at) == "ANSWERED" and "endpoint (good" not in text_of(at)


def test_the_key_appears_only_in_its_field(page, server):
    at = ask(page, server)
    assert RIGHT_KEY not in text_of(at) and at.text_input(key="endpoint_key").proto.type == 1


@pytest.mark.parametrize(("model", "key", "sentence"), [
    ("good", "sk-wrong", "did not accept the key"), ("gone", RIGHT_KEY, "has no model 'gone'"),
])  # fmt: skip
def test_an_error_of_the_server_is_shown_beside_the_refusal(page, server, model, key, sentence):
    at = ask(page, server, model, key)
    assert word(at) == "REFUSED" and sentence in text_of(at) and "sk-wrong" not in text_of(at)


def test_a_missing_server_name_shows_one_sentence(page):
    at = ask(page, None)
    assert word(at) is None and "endpoint must be the address of a server" in text_of(at)


def test_a_refused_question_is_answered_only_on_request(page, server):
    for name in ("context_sufficiency.mode", "retrieval_confidence.mode", "topic_relevance.mode"):
        page.selectbox(key=name).set_value("blocks")
    at = look_at(ask(page, server, question="How do I bake a chocolate cake?"), "Without the guardrail")
    assert word(at) == "REFUSED" and NOT_CALLED in text_of(at) and not server.seen
    press(at, "Write an answer anyway")
    assert server.seen and NOT_CALLED not in text_of(at) and word(at) == "REFUSED"
    assert "“Photosynthesis is the process" in text_of(at)


def test_a_missing_writer_shows_how_to_install_it_before_any_question(page, monkeypatch):
    monkeypatch.setattr("core.writers.qwen._package", lambda _: None)
    page.selectbox(key="writer").set_value("local").run()
    assert [c.value for c in page.caption if INSTALL in c.value] and not page.exception


@pytest.fixture
def free(page, tmp_path, monkeypatch):
    """Let `auto` mean the model installed in the folder of the page's library."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("GUARDRAIL_HOME", str(tmp_path))
    return page


def test_the_sidebar_names_the_writer_of_auto_and_how_to_install_the_other(free, monkeypatch):
    monkeypatch.setattr(qwen, "_RUNTIME", ("a_package_that_nobody_has",))
    field = free.run().sidebar.selectbox(key="writer")
    assert field.value == "auto" and field.options[0] == "Auto: sentences of the books"
    assert INSTALL in field.help and "no language model is installed" in field.help
    at = app_pages.ask(free, QUESTION)
    assert word(at) == "ANSWERED" and at.session_state["asked"].trace.rounds[0].case.draft.writer == "extractive"


def test_the_operator_can_fix_auto_to_the_books(free, tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, "extractive")
    with installed(tmp_path, tmp_path / "packages", monkeypatch, ANSWER):
        field = free.run().sidebar.selectbox(key="writer")
    assert field.options[0] == "Auto: sentences of the books" and INSTALL not in field.help
    assert "this computer is set up that way" in field.help


def test_auto_uses_the_installed_model_at_once_and_the_journal_names_it(free, tmp_path, monkeypatch):
    with installed(tmp_path, tmp_path / "packages", monkeypatch, ANSWER):
        field = free.run().sidebar.selectbox(key="writer")
        assert field.options[0] == "Auto: the language model on this computer" and INSTALL not in field.help
        at = app_pages.ask(free, QUESTION)
    assert word(at) == "ANSWERED" and at.session_state["asked"].trace.models["writer"] == f"local ({qwen.NAME})"
    assert [about["settings"]["writer"] for _, about in Journal(tmp_path).rows_with_settings()] == ["local"]


def test_the_page_states_that_the_books_answer_after_a_model_error(free, tmp_path, monkeypatch):
    with installed(tmp_path, tmp_path / "packages", monkeypatch, BROKEN):
        at = app_pages.ask(free, QUESTION)
    assert word(at) == "ANSWERED" and "in the place of the language model on this computer" in text_of(at)
    assert "RuntimeError" in text_of(at)


def test_banks_are_measured_without_the_model_unless_it_is_selected(free, tmp_path, monkeypatch):
    with installed(tmp_path, tmp_path / "packages", monkeypatch, ANSWER):
        assert shared.shared_explorer("bundled", Settings()).settings.writer == "local"
        assert shared.shared_explorer_of_banks("bundled", Settings()).settings.writer == "extractive"
        assert shared.shared_explorer_of_banks("bundled", Settings(writer="local")).settings.writer == "local"
