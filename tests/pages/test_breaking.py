"""The box "Break it": each perturbation is judged on the same passages, and what caught it is named."""

import pytest

from core.case import Passage
from core.decide import verdict
from core.evaluation.perturb import PerturbedAnswer
from core.presets import preset
from pages.components.ask.perturb_box import (
    CHANGE_TEXTS,
    NONE_CAUGHT,
    ORIGIN,
    another,
    change,
    highlighted,
    result_text,
)
from pages.components.ask.verdict_words import HEADLINES
from pages.components.shared.safe_display import plain
from pages.components.shared.session import DETAILS
from tests.support.app_pages import as_printed, ask, drawn_elements, look_at, paste, press, text_of, word

QUESTION = "How long is the Ganga?"
NUMBER = PerturbedAnswer(way="number", answer="It is 5 m (50 Hz) long.", before="4", after="5", place=6)


@pytest.fixture
def asked(app):
    return ask_to_break(app)


def ask_to_break(at, question=QUESTION):
    assert word(ask(at, question)) == "ANSWERED"
    return look_at(at, "Break it")


def broken(at, way):
    at.button(key=f"break {way}").click().run()
    assert not at.exception
    assert any(m.value.startswith(f"**{CHANGE_TEXTS[way]}:**") for m in at.markdown)
    return at.session_state["breaking"]


def sides(at):
    """The routes of the verdicts on the original and the perturbed answer."""
    heads = [m.value for m in at.markdown if m.value.startswith("**What goes out**")]
    heads = [at.header[0].value, *heads] if heads else []
    return [next(route for route, said in HEADLINES.items() if said in head) for head in heads]


@pytest.mark.parametrize("way", CHANGE_TEXTS)
def test_a_perturbed_answer_is_caught_or_reported_as_uncaught(asked, way):
    held = broken(asked, way)
    before, after = asked.session_state["asked"].trace, held.trace
    assert after.rounds[0].case.evidence == before.rounds[0].case.evidence
    texts = "\n".join(drawn_elements(asked))
    assert texts.count(":blue-background[**") == bool(held.broken.after.strip())
    assert sides(asked) == ["deliver", route_of(after)]
    assert ("Caught by" in texts) == (route_of(after) != "deliver")
    assert (NONE_CAUGHT in texts) == (route_of(after) == "deliver")


def test_a_changed_number_is_caught_by_the_check_on_numbers(asked):
    held = broken(asked, "number")
    before, after = sides(asked)
    assert before == "deliver" != after
    line = next(m.value for m in asked.markdown if "Caught by" in m.value)
    assert "- Numbers: " in line  # the name of the check, not what it requires: that did not hold
    texts = "\n".join(drawn_elements(asked))
    assert f":blue-background[**{plain(held.broken.after)}**]" in texts
    out = verdict(held.trace, preset("default"))
    assert f"{HEADLINES[out.route]}  \n{plain(out.answer)}" in texts  # what goes out is below its own headline


def test_without_the_guardrail_compares_the_answer_that_was_broken(asked):
    held = broken(asked, "number")
    texts = "\n".join(drawn_elements(look_at(asked, "Without the guardrail")))
    assert f"Broken: {change(held.broken)}" in texts and f"{plain(held.broken.after)}" in texts
    assert "with problems; with the guardrail" in texts


def test_an_answer_that_was_broken_here_is_nowhere_called_pasted(asked):
    broken(asked, "number")
    texts = {section: text_of(look_at(asked, section)) for section in DETAILS}
    assert [section for section, text in texts.items() if "pasted" in text] == []
    assert f"Unguarded answer** :gray[({ORIGIN})]" in texts["Without the guardrail"]


def test_pressing_again_makes_another_change(asked):
    assert broken(asked, "number").broken != broken(asked, "number").broken


def test_sliders_decide_both_verdicts_without_a_model(asked, model_calls):
    broken(as_printed(asked), "number")
    model_calls.clear()
    for check in ("grounding", "entailment", "fact_check", "numbers", "fact_grounding"):
        asked.selectbox(key=f"{check}.mode").set_value("watches")
    asked.run()
    assert sides(asked) == ["deliver", "deliver"]
    assert any(NONE_CAUGHT in m.value and "also noticed the error, but only monitor" in m.value for m in asked.markdown)
    asked.slider(key="retrieval_confidence.min_retrieval_confidence").set_value(1.0).run()
    assert sides(asked) == ["refuse", "refuse"]
    assert any("No check caught the change itself" in m.value for m in asked.markdown)
    assert model_calls == []


def test_another_question_drops_the_perturbed_answer(asked):
    broken(asked, "number")
    ask_to_break(asked, "What is photosynthesis?")
    assert sides(asked) == []
    assert asked.button(key="break number").disabled
    assert "There is no number in this answer to change" in " ".join(drawn_elements(asked))


def test_a_pasted_answer_can_be_perturbed_and_a_refused_one_cannot(app):
    paste(app, "At room temperature the speed of sound in air is about 340 metres per second.")
    ask_to_break(app, "What is the speed of sound in air at room temperature?")
    assert broken(app, "number").trace.question.answer != app.session_state["asked"].trace.question.answer
    assert sides(app)[0] == "deliver" != sides(app)[1]
    paste(app, "At room temperature the speed of sound in air is 9100 metres per second.")
    press(app, "Ask")
    assert word(app) != "ANSWERED" and "break number" not in {b.key for b in app.button}


def test_other_settings_measure_the_perturbed_answer_again(app):
    """The answer is pasted, so it stays the same; a written one may differ, and its perturbation would be dropped."""
    paste(app, "The Ganga is about 2,525 kilometres long.")
    asked = ask_to_break(app)
    first = broken(asked, "number").trace
    asked.slider(key="passages_fetched").set_value(3).run()
    held = asked.session_state["breaking"]
    assert held.trace is not first and len(held.trace.rounds[0].case.evidence) == 3


def test_a_change_is_marked_in_place():
    assert highlighted(NUMBER.answer, NUMBER.place, "5") == "It is :blue-background[**5**] m \\(50 Hz\\) long\\."
    assert change(NUMBER) == "**4** became **5**"


def test_the_only_possible_change_stays():
    text, passages = "It is here.", (Passage(id="p", sentences=("It is here.",), pages=(1,)),)
    only = another("negation", text, passages, None)
    assert only.has_changed and another("negation", text, passages, only) == only


def test_a_model_error_does_not_count_as_a_catch(asked):
    trace = asked.session_state["asked"].trace
    first = verdict(trace, preset("as_printed"))
    assert NONE_CAUGHT in result_text(first, first)


def route_of(trace):
    return verdict(trace, preset("as_printed")).route
