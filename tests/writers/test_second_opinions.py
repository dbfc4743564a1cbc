"""What language models are asked about a draft: drafts compared, a judge's yes, a correction, and how sure a writer is."""

import math

import pytest

from core.case import Question, Scope
from core.lab.figures.chapter_outcomes import answer_checks_alone
from core.presets import with_settings
from core.reply.serialization import dumps, loads
from core.settings import Settings
from core.settings.domains import domain
from core.thresholds import Preset
from core.writers.language_model import Completion
from core.writers.prompts import to_check, to_correct
from core.writers.qwen import Qwen
from tests.support.cases import evidence
from tests.support.injections import INJECTION
from tests.support.language_model_server import serving
from tests.support.plants import ANSWER

ASKED = Question(query="What is photosynthesis?")
WATCHING = answer_checks_alone(Preset())
AGREED = with_settings(WATCHING, ["consensus.mode=blocks"])


def by(server, model="good", **about):
    return Settings(endpoint=server.url, endpoint_model=model, endpoint_seconds=20, **about)


def test_three_drafts_that_agree_pass_and_the_trace_keeps_them(explorer, server):
    trace, found = explorer.with_settings(by(server, writer="endpoint", consensus=True)).ask(ASKED, AGREED)
    assert [(r["temperature"], r["seed"]) for r in server.seen[:3]] == [(0, 0), (0.7, 1), (0.7, 2)]
    assert found.route == "deliver" and found.checks["consensus"].value == 1.0
    case = loads(dumps(trace)).rounds[0].case
    assert case == trace.rounds[0].case and [d.text for d in case.drafts] == [ANSWER] * 2


def test_what_only_one_draft_says_is_stopped_where_the_check_blocks(explorer, server):
    settings = by(server, "varied", writer="endpoint", consensus=True)
    assert explorer.with_settings(settings).ask(ASKED, WATCHING)[1].route == "deliver"
    _, found = explorer.with_settings(settings).ask(ASKED, AGREED)
    assert found.checks["consensus"].value == 0.0 and found.route == "deliver_corrected"
    assert found.delivery.round.case.draft.writer == "extractive"
    assert "Not every draft agrees with sentence 1" in found.checks["consensus"].why


def test_a_number_that_another_draft_lacks_is_not_agreed_on(make_case, models):
    from core.features.case_features import CaseFeatures
    from core.text.answer_sentences import read_answer

    case = make_case(
        "It has 7 terms. It is a list.", drafts=(read_answer("It has 8 terms. It is a list.", writer="w"),)
    )
    agreed = CaseFeatures(case, models).agreement
    assert agreed[0] == 0 and agreed[1] > 0.5


@pytest.mark.parametrize(("settings", "check"), [
    ({"writer": "endpoint", "consensus": True}, "consensus"), ({"judge": "endpoint"}, "llm_judge"),
])  # fmt: skip
def test_a_model_that_cannot_be_asked_breaks_its_own_check_and_no_other(explorer, server, settings, check):
    model = "moody" if check == "consensus" else "gone"
    trace, found = explorer.with_settings(by(server, model, **settings)).ask(ASKED, WATCHING)
    assert found.checks[check].cause == "error" and found.checks[check].why.startswith("ModelError: The server")
    assert found.route == "deliver" and found.checks["entailment"].state == "passed"
    assert loads(dumps(trace)).rounds[0].case.unheard


def test_nobody_is_asked_twice_of_a_given_answer_and_none_without_being_chosen(explorer, server):
    given = Question(query=ASKED.query, answer="Plants make their own food.")
    _, found = explorer.with_settings(by(server, writer="endpoint", consensus=True)).ask(given, WATCHING)
    assert not server.seen
    assert {found.checks[name].cause for name in ("consensus", "llm_judge")} == {"not applicable"}


@pytest.mark.parametrize(
    ("model", "reply", "yes"), [("sure", "", 0.75), ("good", "Yes.", 1.0), ("good", "No, it is", 0.0)]
)
def test_a_server_that_judges_says_how_sure_it_is_or_only_which(explorer, model, reply, yes):
    with serving(reply=reply) as server:
        trace, found = explorer.with_settings(by(server, model, judge="endpoint")).ask(ASKED, WATCHING)
    assert found.checks["llm_judge"].value == pytest.approx(yes) and trace.models["judge"] == model
    assert len(found.round.case.judgement.yes) == len(found.sentences)


def test_a_mark_that_cannot_be_read_counts_as_half_and_says_so(explorer, server):
    trace, found = explorer.with_settings(by(server, judge="endpoint")).ask(ASKED, WATCHING)
    assert (found.checks["llm_judge"].value, found.checks["llm_judge"].state) == (0.5, "failed")
    assert "Sentences 1 and 2: the reply could not be read and counts as 0.5." in found.checks["llm_judge"].why
    assert loads(dumps(trace)).rounds[0].case.judgement.unreadable == (0, 1)


WRONG = Question(query=ASKED.query, answer="Photosynthesis is a purple dance of seven bankers. [1]", scope=Scope())


@pytest.mark.parametrize(("reply", "route"), [(ANSWER, "deliver_corrected"), ("Bankers dance. [1]", "refuse")])
def test_a_model_corrects_what_the_book_cannot_and_only_what_every_check_passes_goes_out(explorer, reply, route):
    with serving(reply=reply) as server:
        _, found = explorer.with_settings(by(server, "sure", judge="endpoint")).ask(WRONG, WATCHING)
    assert found.route == route
    if route == "deliver_corrected":
        assert found.answer == ANSWER and found.delivery.round.case.draft.writer == "correction by sure"
        assert [c.done for c in found.changes] == ["changed"]


@pytest.mark.parametrize("settings", [{}, {"judge": "endpoint"}])
def test_an_answer_that_there_is_none_is_not_replaced(explorer, server, settings):
    told = Question(query=ASKED.query, answer="I don't know.")
    _, found = explorer.with_settings(by(server, **settings)).ask(told, WATCHING)
    assert found.route == "refuse" and "correct" in found.steps


def test_how_sure_the_writer_was_of_its_words_is_the_certainty_of_stage_2(explorer, server):
    trace, found = explorer.with_settings(by(server, "sure", writer="endpoint")).ask(ASKED, WATCHING)
    assert trace.rounds[0].case.draft.certainty == pytest.approx(0.5)
    assert found.round.signals["fact_grounding"]["certainty"] == pytest.approx(0.5)


def test_a_prompt_of_a_judge_quotes_what_a_passage_and_an_answer_order(make_case):
    case = make_case(f"It is so. {INJECTION}", evidence=(evidence(INJECTION, 0.9),))
    told = to_check(case, 1, 1000) + to_correct(case, 1000, domain())
    assert all("<|" not in one["content"] and one["content"].count("\n[2]") == 0 for one in told)
    assert told[1]["content"].endswith("Yes or No?") and told[1]["content"].count("The sentence") == 2


class Forced(Qwen):
    """Says the word that it is held to, this probably."""

    def _load(self, tell):
        return self

    def _prompt(self, messages):
        return messages[0]["content"]

    def _complete(self, prompt, manner, most, until, tell):
        sure = {"Yes": 0.3, "No": 0.1}.get(manner.pattern)
        return Completion(text=manner.pattern, whole=False, logarithm=sure and math.log(sure), tokens=1)


def test_a_model_here_is_asked_for_both_words():
    assert Forced(None).yes([{"content": "?"}]) == pytest.approx(0.75)
