"""The cases of a newcomer: each does what its card promises, on the sample and with the bundled models."""

import pytest

from core.chain import REFUSAL, confidence_of
from pages.components.examples import EXAMPLES, fitting
from pages.components.plain import plain
from tests.pages.conftest import drawn, press, word


def test_before_any_question_there_are_six_cases_to_try(app):
    shown = {b.label for b in app.button}
    assert len(EXAMPLES) == 6 and {plain(e.title) for e in EXAMPLES} <= shown
    assert {plain(e.watch) for e in EXAMPLES} <= set(drawn(app))
    assert word(app) is None


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.case)
def test_a_case_gets_the_verdict_that_its_card_promises(app, example):
    press(app, plain(example.title))
    assert word(app) == example.verdict
    assert (plain(REFUSAL) in " ".join(drawn(app))) == (example.verdict == "REFUSED")
    assert example.watch.startswith("Answered") or "efused" in example.watch or "catch" in example.watch


def test_the_altered_number_is_caught_by_the_check_on_numbers(app):
    press(app, plain(case("An altered number").title))
    card = next(m.value for m in app.markdown if "Every number and name stands in the evidence" in m.value)
    assert ":material/cancel:" in card and "failed" in card


def test_a_vague_question_is_offered_better_ones(app):
    press(app, plain(case("Vague").title))
    assert [b for b in app.button if (b.key or "").startswith("suggestion")]


@pytest.mark.parametrize("half", ["How fast does sound travel in water?", "Who proposed the pH scale?"])
def test_each_half_of_the_two_part_question_is_answered_alone(app, half):
    assert half[:-1].lower() in case("Two questions in one").form["question"].lower()
    app.text_input(key="question").set_value(half)
    press(app, "Ask")
    assert word(app) == "ANSWERED"


def test_the_off_syllabus_case_has_next_to_no_evidence(app):
    press(app, plain(case("Off the syllabus").title))
    assert max(map(confidence_of, app.session_state["asked"].trace.rounds)) < 5


def test_a_library_without_the_sample_offers_its_own_questions():
    class Library:
        def documents(self):
            return ()

        def passages(self):
            from tests.conftest import passage

            return (passage("An arithmetic progression is a list of numbers. The end"),)

    needs_nothing = [e.title for e in EXAMPLES if not e.needs]
    assert [e.title for e in fitting(Library())] == ["What is an arithmetic progression?", *needs_nothing]


def case(name):
    return next(e for e in EXAMPLES if e.case == name)
