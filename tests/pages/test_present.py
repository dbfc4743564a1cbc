"""Present: four steps in large type, and what was broken in the second stays broken in the third."""

import pytest

from core.check import Check
from core.decide import verdict
from core.presets import preset
from pages.components.ask.perturb_box import change, result_text
from pages.components.present.present import STEPS
from pages.components.shared.safe_display import plain
from pages.components.shared.session import ASK
from tests.support.app_pages import ask, drawn_elements, press

QUESTION = "What is photosynthesis?"


def drawn(at):
    return "\n".join(drawn_elements(at))


@pytest.fixture
def presented(app):
    """A question on screen, presented."""
    press(app, QUESTION)
    return press(app, "Present")


def test_the_first_step_shows_question_and_answer_and_nothing_else(presented):
    text = drawn(presented)
    assert QUESTION.replace("?", "") in text and "ANSWERED" in text and "1 of 4: Ask" in text
    assert "Decision path" not in text
    assert presented.button(key="present Back").disabled


def test_what_is_broken_in_the_second_step_is_what_the_third_compares(presented):
    at = press(presented, "Next")
    assert "We changed one thing" in drawn(at)
    breaking = at.session_state[ASK.breaking.key]
    at = press(at, "Next")
    text = drawn(at)
    assert "Without the guardrail" in text and "With the guardrail" in text
    assert at.session_state[ASK.breaking.key].broken == breaking.broken
    second = verdict(breaking.trace, preset("default"))
    assert second.route != "deliver" and breaking.broken.answer != second.answer


def test_a_sentence_is_negated_on_request_in_the_second_step(presented):
    presented.session_state[ASK.step_presented.key] = 1
    at = press(presented.run(), "Negate a sentence")
    breaking = at.session_state[ASK.breaking.key]
    assert breaking.broken.way == "negation" and breaking.trace.question.answer == breaking.broken.answer
    assert f"We changed one thing: {change(breaking.broken)}" in drawn(at) and "2 of 4: Break it" in drawn(at)
    assert ":blue-background[**" in drawn(at)
    assert result_text(before_breaking(at), verdict(breaking.trace, preset("default"))) in drawn(at)


def before_breaking(at):
    return verdict(at.session_state["asked"].trace, preset("default"))


def test_the_last_step_says_which_checks_noticed(presented):
    at = presented
    for _ in STEPS[1:]:
        at = press(at, "Next")
    text, found = drawn(at), verdict(at.session_state[ASK.breaking.key].trace, preset("default"))
    blocking = [r for r in found.checks.values() if r.state == "failed" and r.blocks]
    assert blocking and "**Caught by " in text and "No check caught" not in text
    assert all(plain(part) in text for r in blocking for part in (Check.registry[r.name].short, r.why))
    assert all(plain(r.name) in text.lower() for r in blocking)  # by its key, too, unless the name says it
    assert "4 of 4: How we decided" in text and at.button(key="present Next").disabled


def test_leaving_shows_the_page_as_it_was(presented):
    at = press(presented, "Leave")
    assert ASK.presents.key not in at.session_state and at.session_state["question"] == QUESTION


def test_what_was_not_answered_cannot_be_broken(app):
    press(app, "Who wrote the play Hamlet?")
    at = press(press(app, "Present"), "Next")
    assert "The question was not answered, so there is no answer to break" in drawn(at).replace("\\", "")


def test_without_a_question_one_can_be_asked(app):
    at = press(app, "Present")
    assert "ANSWERED" in drawn(ask(at, QUESTION))
    assert at.slider(key="confidence.min_confidence") is not None  # the sliders keep their values
