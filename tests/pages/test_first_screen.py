"""The first screen: a prepared case that is drawn without a model, with three ways on."""

import pytest
from streamlit.testing.v1 import AppTest

from core.checks import all_checks
from core.decide import verdict
from core.decide.sensitivity import MEASURE, Sensitivity
from core.errors import UserError
from core.evaluation import prepared_case
from core.evaluation.prepared_case import MIXED, TRUE, prepared_question, prepared_trace
from core.library.documents import SAMPLE_MARK
from core.presets import PARAMETER, preset, presets
from pages.components.ask.lights import BEFORE, LIGHTS
from pages.components.shared import resources
from pages.components.shared.session import ASK
from tests.support.app_pages import PATIENCE, ROOT, checks_of, html_of, look_at, press, word


@pytest.fixture
def visit(tmp_path, monkeypatch):
    """Return a function that opens the app as a first visitor of a new home, where every model would be an error."""

    def visit(limits=None):
        monkeypatch.setenv("GUARDRAIL_HOME", str(tmp_path))
        at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE)
        if limits:
            at.query_params[PARAMETER] = limits
        return at.run()

    def loaded(*_):
        raise AssertionError("a model was loaded")

    monkeypatch.setattr(resources, "_open_explorer", loaded)
    return visit


@pytest.mark.parametrize("name", [MIXED, TRUE])
def test_the_stored_case_is_the_text_with_the_models_that_ship_in_every_round(name):
    trace = prepared_trace(name)
    assert trace is not None, "run: python -m core.lab.sample.prepared_case"
    assert trace.question == prepared_question(name)
    assert MEASURE not in {Sensitivity(trace).ends(p) for p in presets().values()}


def test_two_of_its_five_sentences_are_false_and_the_true_answer_goes_out_whole():
    mixed, true = (verdict(prepared_trace(name), preset("default")) for name in (MIXED, TRUE))
    assert [s.supported for s in mixed.sentences] == [True, False, True, False, True]
    assert mixed.route == "deliver_corrected" and true.route == "deliver"


@pytest.mark.parametrize("field", ["models", "program"])
def test_what_other_models_or_another_program_measured_is_not_shown(monkeypatch, field):
    now = prepared_case.current_conditions()
    monkeypatch.setattr(prepared_case, "current_conditions", lambda: now | {field: "another"})
    assert prepared_trace.__wrapped__(MIXED) is None


def test_what_was_measured_of_another_text_is_not_shown(monkeypatch):
    true = prepared_question(TRUE)
    monkeypatch.setattr(prepared_case, "prepared_question", lambda _: true)
    assert prepared_trace.__wrapped__(MIXED) is None


def test_a_first_visitor_sees_verdict_checks_band_red_pen_and_sliders_without_a_model(visit):
    at = visit()
    assert not at.exception
    assert word(at) == "CORRECTED" and at.text_input(key="question").value == "How does sound travel?"
    assert checks_of(at)["support"][0] == "failed" and set(checks_of(at)) == {c.name for c in all_checks()}
    assert html_of(at, "scale") and html_of(at, "strip") and not html_of(at, "grid")
    (pen,) = [m.value for m in at.markdown if "~~Sound can also travel through a vacuum\\.~~" in m.value]
    assert pen.count(":material/check:") == 3 and pen.count(":material/close:") == 2
    assert {"Ask your own", "Check an answer"} <= {b.label for b in at.button}
    assert html_of(look_at(at, "Sentences"), "grid")


def test_every_sentence_of_the_correction_has_its_mark():
    """Also those that stay as they were pasted, without a mark."""
    found = verdict(prepared_trace(MIXED), preset("default"))
    assert found.route == "deliver_corrected" and [c.done for c in found.changes].count("kept") == 3
    assert [bool(s.citations) for s in found.delivery.sentences] == [True] * 5


def test_it_is_live_without_a_model(visit):
    at = visit()
    at.slider(key="support.min_support").set_value(0.0).run()
    assert not at.exception and word(at) == "ANSWERED"
    at.selectbox(key="preset").set_value("exam").run()
    assert not at.exception and word(at) == "REFUSED"


def test_the_limits_of_a_link_decide_at_once(visit):
    at = visit("default,support.min_support=0")
    assert at.slider(key="support.min_support").value == 0 and word(at) == "ANSWERED"
    at = visit("nobody")
    assert len(at.sidebar.error) == 1 and word(at) == "CORRECTED"
    at.run()
    assert not at.sidebar.error


def label_of_checks(at):
    (pills,) = [g for g in at.button_group if g.key == ASK.check.key]
    return pills.label


def test_the_failed_checks_of_a_corrected_answer_are_said_to_be_those_before_the_correction(visit):
    at = visit()
    assert label_of_checks(at) == BEFORE["deliver_corrected"] == "Failed before the answer was corrected"
    at.button(key=f"open {LIGHTS[1]}").click().run()
    assert label_of_checks(at) == "Checks"  # every check of a light, also those that passed


@pytest.mark.parametrize(("limits", "shown"), [("exam", "REFUSED"), ("default,support.min_support=0", "ANSWERED")])
def test_the_checks_of_another_outcome_have_no_such_label(visit, limits, shown):
    at = visit(limits)
    if shown == "ANSWERED":  # nothing failed, so that only a pressed light lists its checks
        at.button(key=f"open {LIGHTS[1]}").click().run()
    assert word(at) == shown and label_of_checks(at) == "Checks"


def test_break_it_opens_the_true_answer_without_a_model(visit):
    at = visit()
    look_at(at, "Break it")
    assert word(at) == "ANSWERED" and any("Introduce an error" in c.value for c in at.caption)
    assert not at.button(key="break negation").disabled


def test_presented_it_has_the_true_answer_which_the_next_step_can_break(visit):
    at = press(visit(), "Present")
    assert any("ANSWERED" in m.value for m in at.markdown) and not at.button(key="present Next").disabled


def test_presented_without_models_it_says_so_when_the_next_step_needs_them(visit, monkeypatch):
    def missing(*_):
        raise UserError("The models are missing; install them.")

    at = press(visit(), "Present")
    monkeypatch.setattr(resources, "_open_explorer", missing)
    at = press(at, "Next")
    assert [error.value for error in at.error] == ["The models are missing; install them\\."] and at.slider


def test_a_library_without_its_chapter_opens_on_the_form(visit, tmp_path):
    (tmp_path / SAMPLE_MARK).touch()  # an empty library that a user has emptied
    assert word(visit()) is None


def test_a_question_of_ones_own_leaves_it_behind(start):
    at = start()
    del at.session_state["has visited"]
    at.run()
    assert word(at) == "CORRECTED"
    at.button(key="paste an answer").click().run()
    assert not at.exception and word(at) is None and at.text_area(key="pasted").value == ""
    press(at, "What is photosynthesis?")
    assert word(at) == "ANSWERED" and "other turns" not in at.session_state
    assert len(html_of(at, "checks")) == 3
