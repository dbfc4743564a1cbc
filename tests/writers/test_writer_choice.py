"""The choice of a writer is a setting; what it costs is asked for; when it breaks, the search is still there."""

import pytest

from core.__main__ import parser
from core.case import Question
from core.decide import next_step, verdict
from core.lab.figures.chapter_outcomes import answer_checks_alone
from core.platform.jobs import TURNS
from core.reply.serialization import dumps, loads
from core.settings import WRITERS, SettingError, Settings
from core.thresholds import Preset
from core.writers import qwen
from tests.support.language_model_server import serving
from tests.support.plants import ANSWER

ASKED = Question(query="What is photosynthesis?")
OFF = Question(query="How do I bake a chocolate cake?")
WATCHING = answer_checks_alone(Preset())


def by_endpoint(server, model="good", **about):
    return Settings(writer="endpoint", endpoint=server.url, endpoint_model=model, endpoint_seconds=20, **about)


@pytest.mark.parametrize(("wrong", "sentence"), [
    ({"writer": "poet"}, "writer must be one of auto, extractive, local, endpoint, got 'poet'"),
    ({"writer": "small"}, "The writer small is no longer part of this program; use local, or extractive"),
    ({"stage_1": "poet"}, "stage_1 must be one of rules, local, endpoint"),
    ({"judge": "poet"}, "judge must be one of none, local, endpoint, got 'poet'"),
    ({"writer": "endpoint"}, "endpoint must be the address of a server, got ''"),
    ({"writer": "endpoint", "endpoint": "ftp://x"}, "type an address such as http://localhost:11434/v1"),
    ({"writer": "endpoint", "endpoint": "http://x:99999999"}, "endpoint must be the address of a server"),
    ({"writer": "endpoint", "endpoint": "https://me:sk-1@x/v1", "endpoint_model": "m"}, "must hold no user, key"),
    ({"stage_1": "endpoint", "endpoint": "https://x/v1"}, "endpoint_model must name a model"),
    ({"stage_1": "endpoint", "endpoint": "https://x/v1", "endpoint_model": "m", "endpoint_seconds": 0}, "from 1 to 600"),
])  # fmt: skip
def test_a_setting_that_cannot_be_is_said_at_once(wrong, sentence):
    with pytest.raises(SettingError, match=sentence) as error:
        Settings(**wrong)
    assert "sk-1" not in str(error.value)


def test_the_command_line_and_the_settings_know_the_same_writers():
    for command in (["ask", "q"], ["judge", "--in", "a", "--out", "b"], ["evaluate"]):
        assert parser().parse_args([*command, "--writer", "local"]).writer == "local"
    assert WRITERS[0] == Settings().writer == parser().parse_args(["ask", "q"]).writer


def test_the_draft_of_a_server_is_judged_like_any_other(explorer, server):
    heard = []
    asked = explorer.with_settings(by_endpoint(server), listen=heard.append)
    trace, found = asked.ask(ASKED, WATCHING)
    draft = found.round.case.draft
    assert draft.writer == trace.models["writer"] == asked.writer.name and not draft.given
    assert found.answered and draft.sentences[0].citations == (1,) and heard[-1] == ANSWER
    again = loads(dumps(trace))
    assert again.rounds[0].case.draft == draft and again.digest == trace.digest


def test_a_server_is_not_asked_about_a_question_that_is_refused_until_somebody_wants_it(explorer, server):
    asked = explorer.with_settings(by_endpoint(server))
    trace, found = asked.ask(OFF, Preset())
    assert found.route == "refuse" and found.round.case.awaits_draft and not server.seen
    assert next_step(trace, Preset()).action == "refuse"
    written = asked.write_drafts(trace)
    now = verdict(written, Preset())
    assert server.seen and now.route == "refuse" and now.round.case.draft.text == ANSWER
    assert "entailment" in now.round.signals and written.digest != trace.digest
    assert len(written.rounds) == len(trace.rounds) and asked.write_drafts(written) is written


def test_a_limit_that_lets_it_through_asks_once(explorer, server):
    asked = explorer.with_settings(by_endpoint(server))
    trace, _ = asked.ask(OFF, Preset())
    step = next_step(trace, WATCHING)
    assert (step.action, step.round) == ("measure", trace.rounds[0].name)
    grown = asked.complete(trace, WATCHING)
    calls = len(server.seen)
    assert calls >= 1 and asked.complete(grown, WATCHING) is grown and len(server.seen) == calls


def test_a_bank_writes_every_draft(explorer, server):
    asked = explorer.with_settings(by_endpoint(server))
    deep = asked.deepen(asked.ask(OFF, Preset())[0])
    assert not any(r.case.awaits_draft for r in deep.rounds)
    assert next_step(deep, WATCHING).action != "measure"


@pytest.mark.parametrize("model", ["gone", "empty", "malformed"])
def test_a_server_that_fails_is_a_refusal_with_its_sentence_and_the_search_stays(explorer, server, model):
    trace, found = explorer.with_settings(by_endpoint(server, model)).ask(ASKED, WATCHING)
    assert (found.route, found.primary_reason) == ("refuse", "model_failure")
    assert found.checks["entailment"].cause == "error" and found.checks["entailment"].why.startswith("ModelError: The ")
    assert found.checks["confidence"].state != "not_run" and found.round.case.evidence
    assert next_step(trace, WATCHING).action == "refuse"


def test_stage_1_asks_the_server_and_the_book_may_write(explorer):
    reply = '{"sentences": [{"sentence": 1, "violation": "off_topic", "severity": "low", "reasoning": "It is."}], "requires_fact_check": true}'
    with serving(reply=reply) as server:
        settings = Settings(stage_1="endpoint", endpoint=server.url, endpoint_model="good")
        trace, found = explorer.with_settings(settings).ask(
            Question(query="What is photosynthesis?", answer="Plants make food."), WATCHING
        )
    assert found.primary_reason == "interest" and "It is." in found.checks["interest"].why
    assert "writer" not in trace.models


def test_nobody_waits_for_their_turn_while_a_server_is_asked(explorer):
    class Waiting(list):
        def append(self, request):
            super().append(len(TURNS._line))

    with serving(reply='{"sentences": []}') as server:
        server.seen = Waiting()
        settings = Settings(stage_1="endpoint", endpoint=server.url, endpoint_model="good")
        _, found = explorer.with_settings(settings).ask(Question(query=ASKED.query, answer="Plants eat."), WATCHING)
        assert server.seen and set(server.seen) == {0}
    assert found.checks["interest"].cause == "error" and found.primary_reason == "model_failure"


def test_a_model_that_is_not_installed_says_how_to_get_it(explorer, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    _, found = explorer.with_settings(Settings(writer="local")).ask(ASKED, WATCHING)
    assert found.primary_reason == "model_failure" and qwen.INSTALL in found.checks["entailment"].why


def test_a_judge_and_a_stage_1_that_are_not_installed_say_so_in_their_own_checks(explorer, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    _, found = explorer.with_settings(Settings(judge="local", stage_1="local")).ask(ASKED, WATCHING)
    assert all(qwen.INSTALL in found.checks[name].why for name in ("llm_judge", "interest"))
    assert found.primary_reason == "model_failure" and found.checks["entailment"].state == "passed"
