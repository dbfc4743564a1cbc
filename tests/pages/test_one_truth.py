"""One truth on one screen: of every stored question and under every preset the sentences never deny each other."""

import re

import pytest

from core.chain import REASONS, verdict
from core.checks import all_thresholds
from core.presets import presets
from core.sweep.counterfactuals import outlook
from core.sweep.main_limits import main_limits
from core.sweep.sensitivity import MEASURE, Sensitivity, effects, in_the_way
from pages.components.ask.check_table import decided
from pages.components.ask.counterfactual_box import stuck_text, unmeasured_text
from pages.components.ask.evidence_band import searched
from pages.components.ask.nli_grid import title
from pages.components.ask.sparklines import caption
from pages.components.ask.verdict_box import figures, offered, reason
from tests.banks.routes import ROWS, stored, under

CASES = [(row, name) for row in ROWS for name in ("", "default", "as_printed", "strict", "lenient")]
SAID = re.compile(r"\*\*(\d+) of (\d+)\*\*")


@pytest.fixture(scope="module", params=CASES, ids=lambda case: f"{case[0]['id']}-{case[1] or 'its own'}")
def shown(request):
    """(question, verdict, preset) of a stored question under one preset; what was found of it is found once."""
    row, name = request.param
    trace, preset = stored(row), presets()[name] if name else under(row)
    return Sensitivity(trace), verdict(trace, preset), preset


def test_the_count_of_sentences_does_not_deny_the_reason(shown):
    _, found, preset = shown
    counted = SAID.search(figures(found, preset))
    if found.answered or not counted or not int(counted[2]):
        return
    all_hold = counted[1] == counted[2]
    denied = {REASONS[name] for name in ("low_grounding", "hallucination_detected")}
    assert not (all_hold and any(words in reason(found).replace("\\", "") for words in denied))


def test_the_title_of_the_grid_does_not_deny_the_reason(shown):
    _, found, _ = shown
    if title(found).startswith("The passages say"):
        assert REASONS["low_grounding"] not in found.explanation
        assert REASONS["hallucination_detected"] not in found.explanation


def test_a_refusal_names_what_stopped_it_and_an_answer_names_nothing_that_did(shown):
    _, found, _ = shown
    if found.route == "deliver":
        assert decided(found) == ""
    elif not found.parts and in_the_way(found):
        assert decided(found)


def test_what_was_not_looked_for_has_no_evidence_and_no_band(shown):
    _, found, preset = shown
    assert ("evidence" in figures(found, preset)) == searched(found)
    if found.round.case.kind != "question" or found.route == "clarify":
        assert not searched(found)


def test_no_answer_counts_as_held_back_where_nobody_had_to_look_at_it(shown):
    _, found, preset = shown
    if found.steps[-2] in ("query checks", "clear"):
        assert "sentence" not in figures(found, preset)


def test_of_no_way_and_of_one_that_was_not_measured_only_one_is_said(shown):
    question, _, preset = shown
    found = outlook(question, preset)
    if found.ends == MEASURE:
        return
    lines = [stuck_text(found)] if not found.flip and not found.unmeasured else []
    lines += [unmeasured_text(found)] if found.unmeasured else []
    assert not (any("No move" in line for line in lines) and any("nothing is known yet" in line for line in lines))
    if found.unmeasured:
        assert ("A smaller one" in unmeasured_text(found)) == bool(found.flip)


def test_no_slider_without_effect_is_among_those_that_matter_most(shown):
    question, _, preset = shown
    found = effects(question, preset)
    for key in main_limits(question, preset):
        assert "no effect" not in caption(all_thresholds()[key], found[key])


def test_nothing_is_suggested_that_has_nothing_to_do_with_the_question(shown):
    question, found, _ = shown
    if found.answered or found.primary_reason in ("off_topic", "other_language", "outside_scope"):
        assert offered(question.trace, found) == ()
